import Backlot
public import BacklotJSON

/// A switch. Its value goes over the wire as `"1"` or `"0"`.
///
/// Source: Xpedite API reference, Form field types, checkbox.
public struct Checkbox: FormField {
    /// What its value is sent under.
    public let name: String?
    var title: String?
    var value: Bool?
    /// Where it stands and how large it is.
    public var size: Size?
    /// What it is called.
    public var id: String?

    /// `checkbox`
    public var type: StaticString { "checkbox" }

    init(name: String) { self.name = name }

    init(_ wire: WireReader) throws(WireError) {
        name = try wire.required("name", try wire.string("name"))
        title = try wire.string("title")
        value = try wire.name("value") { $0 == "1" ? true : $0 == "0" ? false : nil }
        size = try wire.size()
        id = try wire.string("id")
    }

    /// Writes the field as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.component(self) {
            $0.field("name", name)
            $0.field("title", title)
            $0.field("value", value.map { $0 ? "1" : "0" })
        }
    }

    /// Shows a text beside the switch.
    public consuming func title(_ title: String?) -> Checkbox {
        self.title = title
        return consume self
    }

    /// Turns the switch on or off.
    public consuming func value(_ value: Bool?) -> Checkbox {
        self.value = value
        return consume self
    }
}

/// Makes a ``Checkbox``.
///
/// - Parameter name: what its value is sent under.
public func checkbox(_ name: String) -> Checkbox {
    Checkbox(name: name)
}
