import BacklotJSON

/// `stream` switches polling off, and streams nothing.
struct StreamTrue: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        guard page.tree.nodes[0].typ == "nav_page", page.tree.nodes[0].object["stream"]?.bool == true else { return [] }
        let remark = Remark.warning(
            "stream-true",
            at: 0,
            "/stream",
            message: "A \"stream\" of true makes clients stop polling, and they stream nothing either.",
            fix: "Remove it, and use \"poll_seconds\"."
        )
        return [remark]
    }
}
