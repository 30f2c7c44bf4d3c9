/// A nav page's `start` is a back_button, or empty.
///
/// Source: Applin documentation, Pages, Nav Page.
struct StartWidget: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        page.tree.nodes.indices.compactMap { index in
            let node = page.tree.nodes[index]
            guard node.parent == 0, node.key == "start", node.schema != nil,
                !["back_button", "empty"].contains(node.typ)
            else { return nil }
            return .error(
                "bad-start-widget",
                at: index,
                message:
                    "A nav_page's \"start\" may be a back_button or empty; clients reject the page for \(node.noun) there.",
                fix: "Move the \(node.typ) into the page's \"widget\", and remove \"start\" or make it a back_button."
            )
        }
    }
}
