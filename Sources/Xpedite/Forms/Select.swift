import Backlot
public import BacklotJSON

/// A wheel with options.
///
/// Source: Xpedite API reference, Form field types, select.
public struct Select: ChoiceField {
    /// What its value is sent under.
    public let name: String?
    /// What is shown for each key.
    public let options: [String: String]
    /// The text beside the field.
    public var title: String?
    /// The key that is chosen.
    public var value: String?
    /// Where it stands and how large it is.
    public var size: Size?
    /// What it is called.
    public var id: String?

    /// `select`
    public var type: StaticString { "select" }

    init(name: String, options: [String: String]) {
        self.name = name
        self.options = options
    }

    init(_ wire: WireReader) throws(WireError) {
        name = try wire.required("name", try wire.string("name"))
        options = try wire.options()
        title = try wire.string("title")
        value = try wire.string("value")
        size = try wire.size()
        id = try wire.string("id")
    }

    /// Writes the field as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        write(into: &writer)
    }
}

/// Makes a ``Select``.
///
/// - Parameters:
///   - name: what its value is sent under.
///   - options: what is shown for each key. Clients sort them by key.
public func select(_ name: String, options: [String: String]) -> Select {
    Select(name: name, options: options)
}
