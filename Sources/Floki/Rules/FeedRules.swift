import Backlot

/// Rules about feeds and their entries.
enum FeedRules {
    private static func entries(_ document: CheckedFloki) -> [DocumentNode] {
        document.tree.nodes(Item.vocabulary, Thumb.vocabulary)
    }

    /// A feed with sections shows only entries of these sections.
    @Sendable static func sections(_ document: CheckedFloki, _ remarks: inout Remarks) {
        let listed =
            document.root.array("sections") == nil
            ? nil : Set(document.tree.nodes(Section.vocabulary).compactMap { $0.integer("id") })
        guard let sections = listed ?? document.facts.sections else { return }
        let examples = sections.sorted().prefix(5).map { "\($0)" }.joined(separator: ", ")
        for entry in entries(document) {
            let ids = (entry.array("section_ids") ?? []).compactMap { $0.number?.int64.map { Int($0) } }
            guard sections.isDisjoint(with: ids) else { continue }
            remarks.error(
                "outside-sections",
                at: entry,
                "section_ids",
                message: "This entry isn't in any of the feed's sections, so clients don't show it.",
                fix: examples.isEmpty ? "Add a section, and write its id." : "Write the id of a section: \(examples)."
            )
        }
    }

    @Sendable static func removed(_ document: CheckedFloki, _ remarks: inout Remarks) {
        let ids = Set(entries(document).compactMap { $0.integer("id") })
        for value in document.root.array("to_delete") ?? [] {
            guard let id = value.number?.int64.map({ Int($0) }), ids.contains(id) else { continue }
            remarks.error(
                "deleted-entry",
                at: document.root,
                "to_delete",
                message: "The entry \(id) is both sent and to be deleted.",
                fix: "Leave it out of \"to_delete\", or of the entries."
            )
        }
    }

    @Sendable static func olderWithSections(_ document: CheckedFloki, _ remarks: inout Remarks) {
        guard document.root.bool("has_older") == true, document.root.has("sections") else { return }
        remarks.warning(
            "older-with-sections",
            at: document.root,
            "has_older",
            message: "iOS offers no older entries in a feed with sections.",
            fix: "Let all entries fit into \"cache_size\", or leave the sections out."
        )
    }

    /// Pictures must not be too large, because clients keep whole pictures in memory.
    @Sendable static func largePictures(_ document: CheckedFloki, _ remarks: inout Remarks) {
        for thumb in document.tree.nodes(Thumb.vocabulary) {
            for key in ["width", "height"] {
                guard let pixels = thumb.integer(key), pixels > 1_024 else { continue }
                remarks.warning(
                    "large-picture",
                    at: thumb,
                    key,
                    message: "The picture's \(key) is \(pixels) pixels; clients are likely to crash above 1024.",
                    fix: "Send a picture of at most 1024 × 1024 pixels."
                )
            }
        }
    }

    /// Every class but the default one needs `url` and `data`.
    @Sendable static func controllers(_ document: CheckedFloki, _ remarks: inout Remarks) {
        for entry in entries(document) {
            guard let name = entry.string("class_type"),
                case .oneOf(let names, _) = entry.kind?.key("class_type", for: document.audience)?.type,
                names.dropFirst().contains(where: { $0.text == name })
            else { continue }
            for key in ["url", "data"] where !entry.has(key) {
                remarks.error(
                    "class-type-without-\(key)",
                    at: entry,
                    message:
                        "This \(entry.role.noun) has no \"\(key)\", but \(name.withArticle) needs \"url\" and \"data\".",
                    fix: "Add \"\(key)\"."
                )
            }
        }
    }
}

/// Rules about the regular expressions that match links.
enum PatternRules {
    /// A pattern must be a valid regular expression with a group: clients ignore invalid patterns, and use the text that the first
    /// group matches.
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
        let pattern: PCRERegex
        do throws(PatternError) {
            pattern = try PCRERegex(text)
        } catch {
            // ICU, which clients use, supports more syntax than this server.
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
