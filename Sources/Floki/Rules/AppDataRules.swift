import BacklotJSON

/// What the data of an app must be.
enum AppDataRules {
    static func check(_ scope: WireScope, _ remarks: inout Remarks) {
        let texts = LanguageRules.check(scope, &remarks)
        let tabs = remarks.objects(scope, "tabs", labelled: "unique_id", isRequired: true)
        if tabs.count > 5 {
            remarks.warning(
                "many-tabs",
                scope,
                "tabs",
                "There are \(tabs.count) tabs, and iPhones show 5 at most.",
                fix: "Keep five."
            )
        }
        var ids: Set<Int> = []
        for tab in tabs { check(tab, texts, &ids, &remarks) }
        if let misc = scope["misc"] {
            guard let lists = scope.scope("misc") else {
                return remarks.error(
                    "wrong-type",
                    scope,
                    "misc",
                    "\"misc\" is \(misc.description.excerpt).",
                    fix: "Write an object."
                )
            }
            remarks.strings(lists, "delete_disk_cache")
            remarks.strings(lists, "slash_scaled_images")
        }
    }

    private static func check(_ tab: WireScope, _ texts: Set<Int>, _ ids: inout Set<Int>, _ remarks: inout Remarks) {
        TextRules.check(tab, "long_title", texts, isRequired: true, &remarks)
        TextRules.check(tab, "short_title", texts, &remarks)
        let id = remarks.integer(tab, "unique_id", 1...Int64(Int32.max), rule: "malformed-unique-id", isRequired: true)
        if let id, !ids.insert(id).inserted {
            remarks.error(
                "duplicate-unique-id",
                tab,
                "unique_id",
                "Another tab has the id \(id) too, and iOS then drops every tab.",
                fix: "Give this tab an id of its own."
            )
        }
        if let image = remarks.string(tab, "tab_image") { PictureRules.check(image, tab, "tab_image", &remarks) }
        guard let name = remarks.string(tab, "class_type", isRequired: true) else { return }
        if name == "Preferences_view_controller" {
            return remarks.warning(
                "preferences-tab",
                tab,
                "class_type",
                "Clients don't have the preferences tab yet.",
                fix: "Leave the tab out."
            )
        }
        guard let kind = ControllerKind(rawValue: name), kind.isForTabs else {
            return remarks.error(
                "unknown-class-type",
                tab,
                "class_type",
                "A tab can't be a \"\(name.excerpt)\".",
                fix: "Write one of \(ControllerKind.names(for: \.isForTabs))."
            )
        }
        guard let data = tab.scope("data") else {
            return remarks.error("missing-key", tab, "data", "\"data\" is required here.", fix: "Add \"data\": {…}.")
        }
        ControllerRules.check(data, kind, texts: texts, needsMainURL: true, &remarks)
    }
}
