/// on_user_error_poll says what happens when an rpc of its list fails; without one it does nothing.
///
/// Source: Applin documentation, Actions, on_user_error_poll.
struct LoneOnUserErrorPoll: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        guard page.dialect == .documented else { return [] }
        return page.tree.actionLists.compactMap { list in
            guard let lone = list.first(where: { page.tree.nodes[$0].typ == "on_user_error_poll" }),
                !list.contains(where: { page.tree.nodes[$0].typ == "rpc" })
            else { return nil }
            return .warning(
                "on-user-error-poll-without-rpc",
                at: lone,
                message: "on_user_error_poll does nothing in a list of actions without an rpc.",
                fix: "Add an rpc to the list, or remove on_user_error_poll."
            )
        }
    }
}
