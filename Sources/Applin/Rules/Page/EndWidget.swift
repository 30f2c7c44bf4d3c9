/// Clients read a nav page's `end`, and never show it.
struct EndWidget: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        page.tree.nodes.indices.compactMap { index in
            let node = page.tree.nodes[index]
            guard node.parent == 0, node.key == "end", node.typ != "empty" else { return nil }
            return .warning(
                "end-never-shown",
                at: index,
                message: "Clients never show what stands in a nav_page's \"end\".",
                fix: "Move it into the page's \"widget\"."
            )
        }
    }
}
