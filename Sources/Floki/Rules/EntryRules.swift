import BacklotJSON

/// What an item or a picture must be.
enum EntryRules {
    /// Some clients read numbers as JavaScript does, without loss up to here.
    static let highestSortID: Int64 = (1 << 53) - 1

    /// - Parameters:
    ///   - ids: the ids of the entries before.
    ///   - sections: the sections of the feed; nil for a feed without.
    static func check(
        _ entry: WireScope,
        _ key: FeedRules.Key,
        _ ids: inout Set<Int>,
        _ sections: Set<Int>?,
        _ facts: FeedFacts,
        _ remarks: inout Remarks
    ) {
        checkID(entry, &ids, &remarks)
        remarks.integer(entry, "sort_id", 1...highestSortID)
        remarks.integer(entry, "expiration_date", 0...Int64(Int32.max))
        remarks.bool(entry, "online")
        checkSections(entry, sections, &remarks)
        if let url = remarks.string(entry, "share_url"), !Link.isAbsolute(url) {
            remarks.error(
                "relative-share-url",
                entry,
                "share_url",
                "\"\(url.excerpt)\" is not an absolute URL, and is seen outside of the app.",
                fix: "Write all of it, from http:// on."
            )
        }
        remarks.string(entry, "title", isRequired: true)
        let image = remarks.string(entry, "image", isRequired: key == .thumbs)
        if let image { checkImage(image, entry, "image", &remarks) }
        let url = remarks.string(entry, "url", isRequired: key == .thumbs)
        switch key {
        case .items:
            remarks.string(entry, "body", isRequired: true)
            remarks.string(entry, "footer")
        case .thumbs:
            if let url { checkImage(url, entry, "url", &remarks) }
            remarks.integer(entry, "width", 1...Int64(Int32.max), isRequired: true)
            remarks.integer(entry, "height", 1...Int64(Int32.max), isRequired: true)
            remarks.string(entry, "caption_text")
            checkZoom(entry, &remarks)
        }
        if entry["parent_id"] != nil {
            remarks.warning(
                "not-implemented",
                entry,
                "parent_id",
                "Clients don't know \"parent_id\" yet.",
                fix: "Leave it out."
            )
        }
        checkController(entry, key, facts, &remarks)
    }

    private static func checkID(_ entry: WireScope, _ ids: inout Set<Int>, _ remarks: inout Remarks) {
        let id = remarks.integer(entry, "id", 1...Int64(Int32.max), rule: "malformed-id", isRequired: true)
        guard let id, !ids.insert(id).inserted else { return }
        remarks.error(
            "duplicate-id",
            entry,
            "id",
            "Another entry has the id \(id) too, and clients discard one of them.",
            fix: "Give this one an id of its own."
        )
    }

    private static func checkSections(_ entry: WireScope, _ sections: Set<Int>?, _ remarks: inout Remarks) {
        let own = remarks.integers(entry, "section_ids") ?? []
        guard let sections, sections.isDisjoint(with: own) else { return }
        remarks.error(
            "outside-sections",
            entry,
            "section_ids",
            "The feed has sections, and the entry is in none of them, so that nobody sees it.",
            fix: "Write the id of a section: \(sections.sorted().prefix(5).map { "\($0)" }.joined(separator: ", "))."
        )
    }

    private static func checkImage(_ url: String, _ entry: WireScope, _ key: String, _ remarks: inout Remarks) {
        guard url.hasPrefix("/"), !url.hasPrefix("//") else { return }
        remarks.error(
            "rooted-image",
            entry,
            key,
            "Clients resolve \"\(url.excerpt)\" below the feed's address, not from the root.",
            fix: "Leave out the leading /, or write all of it, from http:// on."
        )
    }

    private static func checkZoom(_ entry: WireScope, _ remarks: inout Remarks) {
        guard let zoom = entry["max_zoom"], (zoom.number?.double ?? 0) < 1 else { return }
        remarks.error(
            "out-of-range",
            entry,
            "max_zoom",
            "\"max_zoom\" is \(zoom.description.excerpt).",
            fix: "Write 1 or more."
        )
    }

    private static func checkController(
        _ entry: WireScope,
        _ key: FeedRules.Key,
        _ facts: FeedFacts,
        _ remarks: inout Remarks
    ) {
        guard let name = remarks.string(entry, "class_type") else { return }
        let isAllowed: (ControllerKind) -> Bool = key == .items ? \.isForItems : \.isForThumbs
        guard let kind = ControllerKind(rawValue: name), isAllowed(kind) else {
            return remarks.error(
                "unknown-class-type",
                entry,
                "class_type",
                "This can't lead to a \"\(name.excerpt)\".",
                fix: "Write one of \(ControllerKind.names(for: isAllowed))."
            )
        }
        guard kind != .item, kind != .photo else { return }
        guard let data = entry.scope("data"), entry["url"] != nil else {
            let missing = entry["url"] == nil ? "url" : "data"
            return remarks.error(
                "class-type-without-\(missing)",
                entry,
                missing,
                "A \"\(name)\" needs a \"url\" and \"data\".",
                fix: "Add \"\(missing)\"."
            )
        }
        ControllerRules.check(data, kind, texts: facts.texts, needsMainURL: false, &remarks)
    }
}
