/// A back button stands nowhere but in a nav page's `start`.
///
/// Source: Applin documentation, Widgets, back_button.
struct MisplacedBackButton: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        page.nodes(.widget, "back_button").compactMap { index, node in
            guard node.parent != 0 || node.key != "start" else { return nil }
            return .error(
                "misplaced-back-button",
                at: index,
                message: "A back_button may only stand in a nav_page's \"start\".",
                fix: "Move it there, or make it a button."
            )
        }
    }
}
