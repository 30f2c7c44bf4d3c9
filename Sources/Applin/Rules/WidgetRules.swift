import Backlot

/// Rules about single widgets and actions.
enum WidgetRules {
    /// The text of a button holds a symbol other than white space.
    ///
    /// Source: Applin documentation, Widgets, button, form_button and nav_button.
    @Sendable static func buttonTexts(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.tree.nodes(Button.vocabulary, FormButton.vocabulary, NavButton.vocabulary) {
            guard let text = node.string("text"), text.allSatisfy(\.isWhitespace) else { continue }
            remarks.error(
                "blank-button-text",
                at: node,
                "text",
                message: "The text of \(node.noun) must hold a symbol other than white space, but it is "
                    + "\(text.quoted).",
                fix: "Write what a tap does."
            )
        }
    }

    /// A width divided by a height is more than 0.
    ///
    /// Source: Applin documentation, Widgets, image.
    @Sendable static func aspectRatios(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.tree.nodes(Image.vocabulary, ChoosePhoto.vocabulary, TakePhoto.vocabulary) {
            guard let ratio = node.number("aspect_ratio"), ratio <= 0 else { continue }
            remarks.error(
                "aspect-ratio-not-positive",
                at: node,
                "aspect_ratio",
                message: "\"aspect_ratio\" is the width divided by the height, but here it is "
                    + "\(node.object["aspect_ratio"]?.description ?? "").",
                fix: "Write a number above 0, such as 1.5."
            )
        }
    }

    /// A selector shows its first option, but sends "" until somebody touches it. Its initial text is one of its options.
    @Sendable static func selectors(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.tree.nodes(Selector.vocabulary) {
            for suffix in ["", "1", "2"] { selector(node, "options\(suffix)", suffix, &remarks) }
        }
    }

    private static func selector(
        _ node: DocumentNode,
        _ key: String,
        _ suffix: String,
        _ remarks: inout Remarks
    ) {
        let options = node.strings(key) ?? []
        if options.isEmpty, suffix.isEmpty || node.has("var_name\(suffix)") {
            remarks.warning(
                "selector-without-options",
                at: node,
                key,
                message: "The selector has no options, so nobody can choose anything.",
                fix: "Add \(key.quoted), or show a text instead of the selector."
            )
        }
        let initial = node.string("initial_string\(suffix)")
        if let first = node.array(key)?.first?.string, initial == nil {
            remarks.warning(
                "selector-without-initial-string",
                at: node,
                key,
                message: "The selector shows \(first.quoted), but sends \"\" until somebody touches it.",
                fix: "Add \"initial_string\(suffix)\", for instance with \(first.quoted)."
            )
        }
        if let first = options.first, let initial, !options.contains(initial) {
            remarks.warning(
                "initial-string-not-an-option",
                at: node,
                "initial_string\(suffix)",
                message: "\(initial.quoted) isn't one of the options: the selector shows \(first.quoted), but sends "
                    + "\(initial.quoted) until somebody touches it.",
                fix: "Write one of the options, such as \(first.quoted)."
            )
        }
    }

    /// By the documentation, an empty list of actions disables a checkbox; released clients leave it enabled.
    ///
    /// Source: Applin documentation, Widgets, checkbox.
    @Sendable static func checkboxActions(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.tree.nodes(Checkbox.vocabulary, CheckboxButton.vocabulary) {
            guard node.array("actions")?.isEmpty == true else { continue }
            remarks.warning(
                "empty-checkbox-actions",
                at: node,
                "actions",
                message:
                    "By the documentation, an empty list of actions disables a \(node.name), but released clients leave it enabled.",
                fix: "Remove \"actions\"; show a text where nothing can be changed."
            )
        }
    }
}
