/// Findings page by page, as a text for a terminal.
///
/// ```
/// /new_account
///   error: scroll › form › textfield "username" #2
///     The variable "username" already belongs to …
///     Fix: Give this textfield another "var_name", such as "username_2".
///     [duplicate-var-name] at /page/widget/widget/widgets/1/var_name
///
/// 8 pages, 1 with findings: 1 error, 0 warnings
/// ```
public struct FindingReport: Equatable, Sendable {
    /// One page that was checked.
    public struct Page: Equatable, Sendable {
        /// The page's path.
        public let path: String
        /// What was found on it; nothing, when all is well.
        public let findings: [Finding]

        /// A page that was checked.
        public init(path: String, findings: [Finding]) {
            self.path = path
            self.findings = findings
        }
    }

    /// Every page that was checked, in the order of the report.
    public let pages: [Page]

    /// A report on the pages that were checked, those without findings included.
    public init(pages: [Page]) {
        self.pages = pages
    }

    /// How many findings have this severity.
    public func count(_ severity: Finding.Severity) -> Int {
        pages.reduce(0) { $0 + $1.findings.count { $0.severity == severity } }
    }
}

extension FindingReport: CustomStringConvertible {
    /// The report, without a line break at its end. Pages without findings are only counted.
    public var description: String { text(counting: ("page", "pages")) }

    /// The report on something else than pages, by the nouns for one and for several.
    package func text(
        counting nouns: (one: String, several: String),
        calling name: (Finding.Severity) -> String = { $0.rawValue }
    ) -> String {
        let found = pages.filter { !$0.findings.isEmpty }
        let checked = "\(pages.count) \(pages.count == 1 ? nouns.one : nouns.several)"
        guard !found.isEmpty else { return "\(checked): no findings" }
        // Most tools have no notes.
        let severities = Finding.Severity.allCases.filter { $0 != .note || count($0) > 0 }
        let counts = severities.map { severity in
            let count = count(severity)
            // Adjectives have no plural.
            return "\(count) \(name(severity))\(count == 1 || name(severity) != severity.rawValue ? "" : "s")"
        }
        let summary = "\(checked), \(found.count) with findings: \(counts.joined(separator: ", "))"
        return (found.map { $0.text(nouns.one, calling: name) } + [summary]).joined(separator: "\n\n")
    }
}

extension FindingReport.Page {
    /// The path, and below it the findings.
    fileprivate func text(_ noun: String, calling name: (Finding.Severity) -> String) -> String {
        let lines = findings.flatMap { finding in
            let steps = finding.path.steps.isEmpty ? "the \(noun)" : finding.path.steps.joined(separator: " › ")
            return ["  \(name(finding.severity)): \(steps)"] + finding.explanation.map { "    \($0)" }
        }
        return ([path] + lines).joined(separator: "\n")
    }
}

/// The outcome of checking a router's pages.
public struct CheckReport: Equatable, Sendable {
    /// A page that was not checked.
    public struct Unchecked: Equatable, Sendable {
        /// The page's path.
        public let path: String
        /// Why it was not checked.
        public let reason: String

        package init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    /// The pages that were requested, and what was found on them.
    public package(set) var pages: [FindingReport.Page] = []
    /// The pages that were not checked.
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
