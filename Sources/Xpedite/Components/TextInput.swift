import Backlot
import BacklotJSON

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
public protocol TextInputComponent: Component, FormField, TextStyled {
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

    /// Names the field that the return key leads to, by its id.
    public consuming func onEnter(_ id: String?) -> Self { changing(self) { $0.input.onEnter = id } }

    /// Turns off correction and capitals, for user names, codes and the like.
    public consuming func autotextDisabled(_ isDisabled: Bool = true) -> Self {
        changing(self) { $0.input.isPlain = isDisabled }
    }

    /// Gives the field the keyboard as soon as the page is shown. One field of a page can have it.
    public consuming func focus(_ hasFocus: Bool = true) -> Self { changing(self) { $0.input.hasFocus = hasFocus } }

    /// Writes the component as one JSON object.
    func write(into writer: inout JSONWriter) {
        writer.component(self) {
            $0.field("name", name)
            $0.field("title", input.title)
            $0.field("placeholder", input.placeholder)
            $0.field("value", input.value)
            $0.field("keyboard", input.keyboard?.rawValue)
            $0.field("returnkey", input.returnKey?.rawValue)
            $0.field("onEnter", input.onEnter)
            if input.isPlain { $0.field("autotext", "disable") }
            $0.style(style)
            if input.hasFocus { $0.field("focus", true) }
        }
    }
}

extension Key {
    /// The keys of a textbox and a password.
    static let textInput: [Key] = [
        .fieldName,
        .fieldTitle,
        .placeholder,
        .textValue,
        .optional(
            "keyboard",
            .names([
                "email": "For email addresses.", "number": "For digits.", "phone": "For telephone numbers.",
                "url": "For addresses of the web.", "default": "For anything.",
            ]),
            "The keyboard that is shown.",
            default: "default",
            rule: "unknown-keyboard"
        ),
        .optional(
            "returnkey",
            .names([
                "next": "On to the next field.", "done": "Ready.", "go": "Go there.", "search": "Search.",
                "default": "The system's label.",
            ]),
            "The label of the keyboard's return key.",
            default: "default",
            rule: "unknown-returnkey"
        ),
        .optional("onEnter", .filled, "The id of the field that the return key leads to."),
        .optional(
            "autotext",
            .names(["disable": "Without correction and capitals."]),
            "Whether the keyboard corrects words and capitalises them.",
            rule: "unknown-autotext"
        ),
        .optional("focus", .bool, "Whether the field has the keyboard as soon as the page is shown.", default: false),
    ]
}
