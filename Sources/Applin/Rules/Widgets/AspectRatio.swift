import BacklotJSON

/// A width divided by a height is more than 0.
///
/// Source: Applin documentation, Widgets, image.
struct AspectRatio: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        let nodes = page.nodes(.widget, "image") + page.nodes(.action, "choose_photo", "take_photo")
        return nodes.compactMap { index, node in
            guard let ratio = node.object["aspect_ratio"]?.number, ratio.double <= 0 else { return nil }
            return .error(
                "aspect-ratio-not-positive",
                at: index,
                "/aspect_ratio",
                message: "\"aspect_ratio\" is the width divided by the height, but here it is "
                    + "\(node.object["aspect_ratio"]?.description ?? "").",
                fix: "Write a number above 0, such as 1.5."
            )
        }
    }
}
