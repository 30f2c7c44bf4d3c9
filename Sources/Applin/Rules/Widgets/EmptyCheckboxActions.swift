import BacklotJSON

/// An empty list of actions disables a checkbox; a checkbox without actions has no list.
///
/// Source: Applin documentation, Widgets, checkbox.
struct EmptyCheckboxActions: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        page.nodes(.widget, "checkbox", "checkbox_button").compactMap { index, node in
            guard node.object["actions"]?.array?.isEmpty == true else { return nil }
            return .warning(
                "empty-checkbox-actions",
                at: index,
                "/actions",
                message: "By the documentation, an empty list of actions disables a \(node.typ).",
                fix: "Remove \"actions\"."
            )
        }
    }
}
