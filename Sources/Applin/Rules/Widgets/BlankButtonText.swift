/// The text of a button holds a symbol that isn't white space.
///
/// Source: Applin documentation, Widgets, button, form_button and nav_button.
struct BlankButtonText: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        page.nodes(.widget, "button", "form_button", "nav_button").compactMap { index, node in
            guard let text = node.string("text"), text.allSatisfy(\.isWhitespace) else { return nil }
            return .error(
                "blank-button-text",
                at: index,
                "/text",
                message:
                    "The text of \(node.noun) must hold a symbol that isn't white space, but it is \(text.quoted).",
                fix: "Give it a text that says what a tap does."
            )
        }
    }
}
