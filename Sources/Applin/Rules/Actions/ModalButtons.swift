import BacklotJSON

/// A modal has buttons, and at most one of them is `Cancel`: clients reject a page with a modal that has none, and crash
/// when they show two.
struct ModalButtons: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        let empty = page.nodes(.action, "modal").compactMap { index, node -> Remark? in
            guard node.object["buttons"]?.array?.isEmpty == true else { return nil }
            return .error(
                "modal-without-buttons",
                at: index,
                "/buttons",
                message: "The modal has no buttons, and clients reject the whole page.",
                fix: "Add a button, such as {\"text\":\"OK\",\"actions\":[]}."
            )
        }
        var modals: Set<Int> = []
        let doubled = page.nodes(.modalButton, "button").compactMap { index, node -> Remark? in
            guard let modal = node.parent, node.string("text") == "Cancel", !modals.insert(modal).inserted else {
                return nil
            }
            return .error(
                "two-cancel-buttons",
                at: index,
                "/text",
                message: "A modal with two buttons \"Cancel\" crashes the client.",
                fix: "Remove this one, or give it another text."
            )
        }
        return empty + doubled
    }
}
