/// What the sections of a feed must be.
enum SectionRules {
    /// - Returns: the ids of the sections.
    static func check(_ scope: WireScope, _ remarks: inout Remarks) -> Set<Int> {
        var ids: Set<Int> = []
        for section in remarks.objects(scope, "sections", labelled: "id") {
            let id = remarks.integer(section, "id", 1...Int64(Int32.max), rule: "malformed-id", isRequired: true)
            if let id, !ids.insert(id).inserted {
                remarks.error(
                    "duplicate-section",
                    section,
                    "id",
                    "Another section has the id \(id) too, and clients discard this one.",
                    fix: "Give it an id of its own."
                )
            }
            remarks.integer(section, "sort_id", 1...EntryRules.highestSortID)
            remarks.string(section, "name")
            for key in ["visible", "interactive", "starts_collapsed", "autocollapse_others", "show_count"] {
                remarks.bool(section, key)
            }
            ColorRules.check(
                section,
                ["collapsed_text_color", "collapsed_back_color", "expanded_text_color", "expanded_back_color"],
                &remarks
            )
            if section["hide_if_empty"] != nil {
                remarks.warning(
                    "not-implemented",
                    section,
                    "hide_if_empty",
                    "Clients don't know \"hide_if_empty\" yet.",
                    fix: "Leave it out."
                )
            }
        }
        return ids
    }
}
