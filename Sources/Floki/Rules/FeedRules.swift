import BacklotJSON

/// What a feed must be.
enum FeedRules {
    /// What a feed consists of.
    enum Key: String {
        case items, thumbs
    }

    static func check(_ scope: WireScope, _ key: Key, _ facts: FeedFacts, _ remarks: inout Remarks) {
        let sections = scope["sections"] == nil ? facts.sections.map(Set.init) : SectionRules.check(scope, &remarks)
        var ids: Set<Int> = []
        for entry in remarks.objects(scope, key.rawValue, labelled: "id", isRequired: true) {
            EntryRules.check(entry, key, &ids, sections, facts, &remarks)
        }
        checkRemoved(scope, ids, &remarks)
        if remarks.bool(scope, "has_older") == true, scope["sections"] != nil {
            remarks.warning(
                "older-with-sections",
                scope,
                "has_older",
                "iOS offers no older entries in a feed with sections.",
                fix: "Let all entries fit into \"cache_size\", or leave the sections out."
            )
        }
    }

    private static func checkRemoved(_ scope: WireScope, _ ids: Set<Int>, _ remarks: inout Remarks) {
        for id in remarks.integers(scope, "to_delete") ?? [] where ids.contains(id) {
            remarks.error(
                "deleted-entry",
                scope,
                "to_delete",
                "\(id) is sent and to be deleted.",
                fix: "Leave it out of \"to_delete\", or of the entries."
            )
        }
    }
}
