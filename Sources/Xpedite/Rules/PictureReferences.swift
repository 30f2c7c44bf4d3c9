/// An image without a URL shows a picture that was preloaded, by this page or an earlier one of the session.
struct PictureReferences: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard let earlier = page.facts.images else { return }
        let known = earlier.union(page.nodes.filter { $0.kind == .preload }.compactMap { $0.string("id") })
        for node in page.parts("image") where !node.has("url") {
            guard let id = node.string("id"), !known.contains(id) else { continue }
            remarks.error(
                "unknown-image",
                node,
                "id",
                "No picture \"\(id.excerpt)\" was preloaded in this session, and the image has no URL.",
                fix: "Add it to \"images\", or give the image a \"url\"."
            )
        }
    }
}
