import BacklotJSON

/// Options are sorted by their keys, as texts.
struct OptionKeys: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.parts("select", "radio") {
            let keys = node.object["options"]?.object?.keys ?? []
            guard Set(keys.map(\.count)).count > 1 else { continue }
            remarks.warning(
                "option-keys-of-unequal-length",
                node,
                "options",
                "Clients sort options by key as texts, so that \"10\" stands before \"2\".",
                fix: "Make all keys equally long: \"02\", \"10\"."
            )
        }
    }
}
