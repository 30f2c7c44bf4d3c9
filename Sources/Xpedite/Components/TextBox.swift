import Backlot
public import BacklotJSON

/// A line to type into, in a form or by itself.
///
/// Source: Xpedite API reference, component-textbox.
public struct TextBox: TextInputComponent {
    /// The name that its value is sent under; unique in its form.
    public let name: String?
    /// The content, and how it is typed.
    public var input = TextInput()
    /// The look of the text.
    public var style = TextStyle()
    /// The place and the size.
    public var size: Size?
    /// The name for error messages and for `onEnter`.
    public var id: String?

    /// `textbox`
    public var type: StaticString { "textbox" }

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        write(into: &writer)
    }
}

extension TextBox {
    static let vocabulary = Kind(
        "textbox",
        as: [.component, .field],
        "A line to type into, in a form or by itself.",
        keys: .styledPart(Key.textInput)
    )
}

/// Makes a ``TextBox``.
///
/// - Parameter name: the name that its value is sent under.
public func textbox(_ name: String) -> TextBox {
    TextBox(name: name)
}

/// A line to type a secret into; its characters are masked.
///
/// Source: Xpedite API reference, component-password.
public struct Password: TextInputComponent {
    /// The name that its value is sent under; unique in its form.
    public let name: String?
    /// The content, and how it is typed.
    public var input = TextInput()
    /// The look of the text.
    public var style = TextStyle()
    /// The place and the size.
    public var size: Size?
    /// The name for error messages and for `onEnter`.
    public var id: String?

    /// `password`
    public var type: StaticString { "password" }

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        write(into: &writer)
    }
}

extension Password {
    static let vocabulary = Kind(
        "password",
        as: [.component, .field],
        "A line to type a secret into; its characters are masked.",
        keys: .styledPart(Key.textInput)
    )
}

/// Makes a ``Password``.
///
/// - Parameter name: the name that its value is sent under.
public func password(_ name: String) -> Password {
    Password(name: name)
}
