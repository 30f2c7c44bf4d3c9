import Backlot
import BacklotJSON

/// What a textbox and a password have in common.
///
/// Source: Xpedite API reference, component-textbox.
public struct TextInput: Sendable, Equatable {
    /// Which keyboard is shown.
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

    /// What stands on the keyboard's return key.
    public enum Returnkey: String, Sendable, CaseIterable {
        /// On to the next field.
        case next
        /// Ready.
        case done
        /// Go there.
        case go
        /// Search.
        case search
        /// As the system has it.
        case `default`
    }

    var title: String?
    var placeholder: String?
    var value: String?
    var keyboard: Keyboard?
    var returnkey: Returnkey?
    var onEnter: String?
    var isPlain = false
    var hasFocus = false

    init() {}

    init(_ wire: WireReader) throws(WireError) {
        title = try wire.string("title")
        placeholder = try wire.string("placeholder")
        value = try wire.string("value")
        keyboard = try wire.name("keyboard", Keyboard.init(rawValue:))
        returnkey = try wire.name("returnkey", Returnkey.init(rawValue:))
        onEnter = try wire.string("onEnter")
        isPlain = try wire.name("autotext") { $0 == "disable" ? true : nil } ?? false
        hasFocus = try wire.bool("focus") ?? false
    }
}

/// A textbox or a password.
public protocol TextInputComponent: Component, FormField, TextStyled {
    /// What it is to hold, and how it is typed.
    var input: TextInput { get set }
}

extension TextInputComponent {
    /// Shows a text beside the field.
    public consuming func title(_ title: String?) -> Self {
        input.title = title
        return consume self
    }

    /// Shows a hint while the field is empty.
    public consuming func placeholder(_ placeholder: String?) -> Self {
        input.placeholder = placeholder
        return consume self
    }

    /// Fills the field.
    public consuming func value(_ value: String?) -> Self {
        input.value = value
        return consume self
    }

    /// Chooses the keyboard.
    public consuming func keyboard(_ keyboard: TextInput.Keyboard?) -> Self {
        input.keyboard = keyboard
        return consume self
    }

    /// Chooses what stands on the return key.
    public consuming func returnkey(_ returnkey: TextInput.Returnkey?) -> Self {
        input.returnkey = returnkey
        return consume self
    }

    /// Names the field that the return key leads to, by its id.
    public consuming func onEnter(_ id: String?) -> Self {
        input.onEnter = id
        return consume self
    }

    /// Turns off correction and capitals, as for user names and codes.
    public consuming func autotextDisabled(_ isDisabled: Bool = true) -> Self {
        input.isPlain = isDisabled
        return consume self
    }

    /// Gives it the keyboard as soon as the page is shown. One field of a page can have it.
    public consuming func focus(_ hasFocus: Bool = true) -> Self {
        input.hasFocus = hasFocus
        return consume self
    }

    /// Writes the component as one JSON object.
    func write(into writer: inout JSONWriter) {
        writer.component(self) {
            $0.field("name", name)
            $0.field("title", input.title)
            $0.field("placeholder", input.placeholder)
            $0.field("value", input.value)
            $0.field("keyboard", input.keyboard?.rawValue)
            $0.field("returnkey", input.returnkey?.rawValue)
            $0.field("onEnter", input.onEnter)
            if input.isPlain { $0.field("autotext", "disable") }
            $0.style(style)
            if input.hasFocus { $0.field("focus", true) }
        }
    }
}
