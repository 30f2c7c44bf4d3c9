import Backlot
public import BacklotJSON

/// A line to type a secret into; its characters are masked.
///
/// Source: Xpedite API reference, component-password.
public struct Password: TextInputComponent {
    /// What its value is sent under; unique in its form.
    public let name: String?
    /// What it is to hold, and how it is typed.
    public var input = TextInput()
    /// How the text looks.
    public var style = TextStyle()
    /// Where it stands and how large it is.
    public var size: Size?
    /// What it is called.
    public var id: String?

    /// `password`
    public var type: StaticString { "password" }

    init(name: String) { self.name = name }

    init(_ wire: WireReader) throws(WireError) {
        name = try wire.required("name", try wire.string("name"))
        input = try TextInput(wire)
        style = try TextStyle(wire)
        size = try wire.size()
        id = try wire.string("id")
    }

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        write(into: &writer)
    }
}

/// Makes a ``Password``.
///
/// - Parameter name: what its value is sent under.
public func password(_ name: String) -> Password {
    Password(name: name)
}
