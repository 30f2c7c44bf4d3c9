/// Clients fail to push a page that is on the stack already, and the page itself always is.
///
/// Source: Applin documentation, Actions, push.
struct SelfPush: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        page.nodes(.action, "push").compactMap { index, node in
            guard node.string("page") == page.path else { return nil }
            return .error(
                "push-of-itself",
                at: index,
                node.text == nil ? "/page" : "",
                message: "The page pushes itself, which clients answer with an error.",
                fix: "Use poll to refresh the page, or replace_all to show it alone."
            )
        }
    }
}
