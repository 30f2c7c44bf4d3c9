import BacklotJSON

/// A row of a form.
///
/// Source: Xpedite API reference, Form field types.
public protocol FormField: Part, Sized {
    /// What its value is sent under, unique in its form; nil for a section, which has no value.
    var name: String? { get }
}

extension JSONWriter {
    /// Writes a field that holds the rows of a form.
    mutating func field(_ key: StaticString, _ fields: [any FormField]) {
        array(key) { writer in
            for index in fields.indices { fields[index].encode(into: &writer) }
        }
    }
}
