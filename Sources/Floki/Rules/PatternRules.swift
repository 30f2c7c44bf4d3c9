import Backlot
import BacklotJSON

/// Rules about the regular expressions that catch links.
enum PatternRules {
    /// Clients ignore a pattern that they can't read, and take out of a link what its first group matches.
    @Sendable static func patterns(_ document: CheckedFloki, _ remarks: inout Remarks) {
        for node in document.tree.nodes(NewsViewController.vocabulary, GalleryViewController.vocabulary) {
            for key in ["tags_regex", "videos_regex", "gallery_regex"]
            where node.kind?.key(key, for: document.audience) != nil {
                for (index, value) in (node.array(key) ?? []).enumerated() {
                    if let text = value.string { check(text, node, key, index, &remarks) }
                }
            }
        }
    }

    private static func check(
        _ text: String,
        _ node: DocumentNode,
        _ key: String,
        _ index: Int,
        _ remarks: inout Remarks
    ) {
        let pattern: Pattern
        do throws(PatternError) {
            pattern = try Pattern(text)
        } catch {
            // ICU, which clients use, knows more than this server does.
            guard !error.isUnknownHere else { return }
            return remarks.error(
                "malformed-regex",
                at: node,
                key,
                "\(index)",
                message: "\(text.quoted) is not a regular expression, so clients ignore it: \(error).",
                fix: "Write one in ICU's syntax."
            )
        }
        if pattern.groups == 0 {
            remarks.error(
                "regex-without-group",
                at: node,
                key,
                "\(index)",
                message: "\(text.quoted) has no group, so clients take nothing out of the link.",
                fix: "Put parentheses around the part that clients should take."
            )
        } else if pattern.groups > 1 {
            remarks.warning(
                "many-regex-groups",
                at: node,
                key,
                "\(index)",
                message: "\(text.quoted) has \(pattern.groups) groups, but clients take the first one only.",
                fix: "Write (?:…) for the others."
            )
        }
    }
}
