/// A modal ends its list of actions; what happens next is up to its buttons.
struct ActionsAfterModal: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        page.tree.actionLists.compactMap { list in
            guard let modal = list.firstIndex(where: { page.tree.nodes[$0].typ == "modal" }), modal + 1 < list.count
            else { return nil }
            return .warning(
                "actions-after-modal",
                at: list[modal + 1],
                message: "Actions after a modal never run.",
                fix: "Move them into the actions of the modal's buttons, or before the modal."
            )
        }
    }
}
