/// Pictures come by https.
struct PictureURLs: PageRule {
    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        let pictures = page.nodes.filter { $0.kind == .preload || $0.kind == .component && $0.type == "image" }
        for node in pictures {
            guard node.has("url"), node.string("url")?.lowercased().hasPrefix("https://") != true else { continue }
            remarks.error(
                "image-not-https",
                node,
                "url",
                "Clients load pictures by https only.",
                fix: "Write a URL that begins with https://."
            )
        }
    }
}
