/// An id belongs to one component of a page, and what names an id names one that is there.
struct UniqueIDs: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        var seen: Set<String> = []
        for node in page.nodes where node.kind == .component || node.kind == .field {
            if page.readings.imageIDsMayRepeat, node.type == "image" { continue }
            guard let id = node.string("id"), !seen.insert(id).inserted else { continue }
            remarks.error(
                "duplicate-id",
                node,
                "id",
                "The id \"\(id.excerpt)\" already belongs to another component of the page.",
                fix: "Give this one an id of its own."
            )
        }
        for node in page.parts("textbox", "password") {
            guard let id = node.string("onEnter"), !seen.contains(id) else { continue }
            remarks.error(
                "unknown-on-enter",
                node,
                "onEnter",
                "No field of the page has the id \"\(id.excerpt)\".",
                fix: "Name the \"id\" of the field that comes next."
            )
        }
    }
}
