internal import Backlot

/// The findings that are intended.
package struct ExpectedFindings: Sendable {
    private let entries: [(rule: String, paths: ForbiddenPaths?)]

    /// - Parameter texts: `rule`, or `rule:/path` for the path and everything below it.
    package init(_ texts: [String]) throws(ExploreOptionError) {
        var entries: [(rule: String, paths: ForbiddenPaths?)] = []
        for text in texts {
            let colon = text.firstIndex(of: ":")
            let rule = String(text[..<(colon ?? text.endIndex)])
            guard !rule.isEmpty, rule.allSatisfy({ $0.isLowercase || $0.isNumber || $0 == "-" }) else {
                throw .expected(text, problem: "write the rule, and perhaps a path, as in server-error:/status")
            }
            var paths: ForbiddenPaths?
            if let colon {
                do throws(ExploreOptionError) {
                    paths = try ForbiddenPaths([String(text[text.index(after: colon)...])])
                } catch {
                    throw .expected(text, problem: "its path begins with no slash, or has a query")
                }
            }
            entries.append((rule, paths))
        }
        self.entries = entries
    }

    func contain(_ finding: Finding) -> Bool {
        entries.contains { $0.rule == finding.rule && $0.paths?.cover(finding.path.page) ?? true }
    }
}
