public import Backlot

/// A line to type into, in a form or by itself.
///
/// Source: Xpedite API reference, component-textbox.
public struct TextBox: TextInputComponent, KeyedPart {
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

    static let vocabulary = Kind(TextBox(name: ""), "A line to type into, in a form or by itself.")

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }
}

/// Makes a ``TextBox``.
///
/// ```swift
/// form(id: "customer") { textbox(name: "name").title("Name").value("Ann") }
/// ```
/// - Parameter name: the name that its value is sent under.
public func textbox(name: String) -> TextBox {
    TextBox(name: name)
}

/// A line to type a secret into; its characters are masked.
///
/// Source: Xpedite API reference, component-password.
///
/// ```swift
/// form(id: "logIn") { password(name: "password").title("Password") }.save("logIn")
/// ```
public struct Password: TextInputComponent, KeyedPart {
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

    static let vocabulary = Kind(Password(name: ""), "A line to type a secret into; its characters are masked.")

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }
}

/// Makes a ``Password``.
///
/// ```swift
/// form(id: "logIn") { password(name: "password").title("Password") }
/// ```
/// - Parameter name: the name that its value is sent under.
public func password(name: String) -> Password {
    Password(name: name)
}
