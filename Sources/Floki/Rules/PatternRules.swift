import Backlot
import BacklotJSON

/// Regular expressions that catch links, and the URLs that they lead to.
enum PatternRules {
    /// - Parameter placeholders: what the URL must have.
    static func check(_ scope: WireScope, _ name: String, placeholders: [String], _ remarks: inout Remarks) {
        checkURL(scope, "\(name)_url", placeholders, &remarks)
        let key = "\(name)_regex"
        for (index, pattern) in (remarks.strings(scope, key) ?? []).enumerated() {
            let place = "\(key)/\(index)"
            let expression: Pattern
            do throws(PatternError) {
                expression = try Pattern(pattern)
            } catch {
                // ICU knows more than is known here.
                guard !error.isUnknownHere else { continue }
                remarks.error(
                    "malformed-regex",
                    scope,
                    place,
                    "\"\(pattern.excerpt)\" is no regular expression, and clients pass over it: \(error).",
                    fix: "Write one in ICU's syntax."
                )
                continue
            }
            if let risk = expression.risk {
                remarks.warning(
                    "risky-regex",
                    scope,
                    place,
                    "\"\(risk.excerpt)\" can match one link in very many ways, and clients may stop at a link that nearly matches.",
                    fix: "Let each repetition match in one way only, such as a+ instead of (a+)+."
                )
            }
            let groups = expression.groups
            if groups == 0 {
                remarks.error(
                    "regex-without-group",
                    scope,
                    place,
                    "\"\(pattern.excerpt)\" has no group, so that nothing is taken out of the link.",
                    fix: "Put parentheses around what is meant."
                )
            } else if groups > 1 {
                remarks.warning(
                    "many-regex-groups",
                    scope,
                    place,
                    "\"\(pattern.excerpt)\" has \(groups) groups, and clients take the first alone.",
                    fix: "Write (?:…) for the others."
                )
            }
        }
    }

    static func checkURL(_ scope: WireScope, _ key: String, _ placeholders: [String], _ remarks: inout Remarks) {
        guard let url = remarks.string(scope, key) else { return }
        for placeholder in placeholders where !url.contains(placeholder) {
            remarks.error(
                "missing-placeholder",
                scope,
                key,
                "The URL has no \(placeholder), and clients then ignore all of it.",
                fix: "Write it as http://example.com/_LNG_/search?q=\(placeholders.joined(separator: "&page="))."
            )
        }
    }
}
