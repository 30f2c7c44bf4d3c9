package import Backlot

/// The content of a textbox or a password, and how it is typed.
///
/// Source: Xpedite API reference, component-textbox.
public struct TextInput: Sendable, Equatable {
    /// The keyboard that is shown.
    public enum Keyboard: String, Sendable, CaseIterable {
        /// For email addresses.
        case email
        /// For digits.
        case number
        /// For telephone numbers.
        case phone
        /// For addresses of the web.
        case url
        /// For anything.
        case `default`
    }

    /// The label of the keyboard's return key.
    public enum ReturnKey: String, Sendable, CaseIterable {
        /// On to the next field.
        case next
        /// Ready.
        case done
        /// Go there.
        case go
        /// Search.
        case search
        /// The system's label.
        case `default`
    }

    var title: String?
    var placeholder: String?
    var value: String?
    var keyboard: Keyboard?
    var returnKey: ReturnKey?
    var onEnter: String?
    var isPlain = false
    var hasFocus = false

}

/// A textbox or a password.
public protocol TextInputComponent: Component, FormField, Aligned {
    /// The content, and how it is typed.
    var input: TextInput { get set }
}

extension TextInputComponent {
    /// Shows a text beside the field.
    public consuming func title(_ title: String?) -> Self { changing(self) { $0.input.title = title } }

    /// Shows a hint while the field is empty.
    public consuming func placeholder(_ placeholder: String?) -> Self {
        changing(self) { $0.input.placeholder = placeholder }
    }

    /// Fills the field.
    public consuming func value(_ value: String?) -> Self { changing(self) { $0.input.value = value } }

    /// Chooses the keyboard.
    public consuming func keyboard(_ keyboard: TextInput.Keyboard?) -> Self {
        changing(self) { $0.input.keyboard = keyboard }
    }

    /// Chooses the label of the return key.
    public consuming func returnkey(_ returnKey: TextInput.ReturnKey?) -> Self {
        changing(self) { $0.input.returnKey = returnKey }
    }

    /// Sets the field that the return key leads to, by the field's id.
    public consuming func onEnter(_ id: String?) -> Self { changing(self) { $0.input.onEnter = id } }

    /// Turns off correction and capitals, for user names, codes and the like.
    public consuming func autotextDisabled(_ isDisabled: Bool = true) -> Self {
        changing(self) { $0.input.isPlain = isDisabled }
    }

    /// Gives the field the keyboard as soon as the page is shown. One field of a page can have it.
    public consuming func focus(_ hasFocus: Bool = true) -> Self { changing(self) { $0.input.hasFocus = hasFocus } }
}

extension KeyedPart where Self: TextInputComponent {
    package static var roles: [Role] { [.component, .field] }

    package func ownKeys(_ keys: inout some Keys) {
        keys.fieldName(name)
        keys.fieldTitle(input.title)
        keys.placeholder(input.placeholder)
        keys.textValue(input.value)
        keys("keyboard", input.keyboard?.rawValue).optional(
            "The keyboard that is shown.",
            .names([
                "email": "For email addresses.", "number": "For digits.", "phone": "For telephone numbers.",
                "url": "For addresses of the web.", "default": "For anything.",
            ]),
            default: "default",
            rule: "unknown-keyboard"
        )
        keys("returnkey", input.returnKey?.rawValue).optional(
            "The label of the keyboard's return key.",
            .names([
                "next": "On to the next field.", "done": "Ready.", "go": "Go there.", "search": "Search.",
                "default": "The system's label.",
            ]),
            default: "default",
            rule: "unknown-returnkey"
        )
        keys("onEnter", input.onEnter).optional("The id of the field that the return key leads to.", .filled)
        keys("autotext", input.isPlain ? "disable" : nil).optional(
            "Whether the keyboard corrects words and capitalises them.",
            .names(["disable": "Without correction and capitals."]),
            rule: "unknown-autotext"
        )
        keys.style(style)
        keys("focus", input.hasFocus ? true : nil).optional(
            "Whether the field has the keyboard as soon as the page is shown.",
            default: false
        )
    }
}
