/// What came of checking a router's pages.
public struct CheckReport: Equatable, Sendable {
    /// A page that was not checked.
    public struct Unchecked: Equatable, Sendable {
        /// The page's path.
        public let path: String
        /// Why not.
        public let reason: String

        package init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    /// The pages that were requested, and what was found on them.
    public package(set) var pages: [FindingReport.Page] = []
    /// The pages that were not.
    public package(set) var unchecked: [Unchecked] = []

    package init() {}

    /// Whether a client would reject a page, crash or show an error.
    public var hasErrors: Bool { FindingReport(pages: pages).count(.error) > 0 }
}

extension CheckReport: CustomStringConvertible {
    /// The findings page by page, and the pages that were not checked.
    public var description: String {
        let list = unchecked.map { "  \($0.path): \($0.reason)" }
        let rest = list.isEmpty ? "" : "\n\nnot checked:\n" + list.joined(separator: "\n")
        return FindingReport(pages: pages).description + rest
    }
}
