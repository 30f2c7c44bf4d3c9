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
        /// The findings; empty for a page without problems.
        public let findings: [Finding]

        /// Creates a page that was checked.
        public init(path: String, findings: [Finding]) {
            self.path = path
            self.findings = findings
        }
    }

    /// The checked pages, in the order of the report.
    public let pages: [Page]

    /// Creates a report on checked pages, including those without findings.
    public init(pages: [Page]) { self.pages = pages }

    /// The number of findings of this severity.
    public func count(_ severity: Finding.Severity) -> Int {
        pages.reduce(0) { $0 + $1.findings.count { $0.severity == severity } }
    }
}
