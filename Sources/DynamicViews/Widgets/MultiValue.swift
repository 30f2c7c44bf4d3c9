public import Backlot
public import BacklotJSON

/// Options to choose one of. The app stores the option's id under the widget's.
///
/// Source: Dynamic Views documentation, MultiValue. Android clients don't know it.
public struct MultiValue: Widget {
    /// What interactions call it, and what the app stores the option's id under; no other widget's.
    public let id: String
    /// The text's localisation key.
    public let text: String
    /// The options, from top to bottom.
    public let values: [Option]
    /// The space around it.
    public var padding: Padding?

    /// `multiValue`
    public var type: StaticString { "multiValue" }

    init(id: String, text: String, values: [Option]) {
        self.id = id
        self.text = text
        self.values = values
    }

    init(_ wire: WireReader) throws(WireError) {
        id = try wire.requiredString("id")
        text = try wire.requiredString("text")
        values = try wire.requiredList("values") { reader throws(WireError) in try Option(reader) }
        padding = try wire.padding()
    }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.widget(self) {
            $0.field("text", text)
            $0.array("values") { writer in
                for option in values { option.encode(into: &writer) }
            }
        }
    }

    /// The option that a stored value means: clients take an option's id, and its last dotted component too.
    func option(for value: String) -> Option? {
        values.first { $0.id == value } ?? values.first { $0.lastComponent == value }
    }
}

/// Makes a ``MultiValue``.
///
/// - Parameters:
///   - text: the text's localisation key.
///   - id: also what the app stores the option's id under.
public func multiValue(
    _ text: String,
    id: String,
    @ListBuilder<MultiValue.Option> _ values: () -> [MultiValue.Option]
) -> MultiValue {
    MultiValue(id: id, text: text, values: values())
}
