import Backlot
import BacklotJSON

/// A row of a form.
///
/// Source: Xpedite API reference, Form field types.
public protocol FormField: Part, Sized {
    /// The name that its value is sent under, unique in its form; nil for a section, which has no value.
    var name: String? { get }
}

extension Role {
    static let field = Role("field", .key("type"), labels: ["name", "id", "text", "title"], example: "textbox")
}

/// Keys that several fields have.
extension Key {
    static let fieldName = required(
        "name",
        .filled,
        "The name that the value is sent under; unique in its form.",
        rule: "missing-name"
    )
    static let fieldTitle = optional("title", .string, "A text beside the field.")
    static let placeholder = optional("placeholder", .string, "A hint while the field is empty.")
    static let textValue = optional("value", .string, "The content of the field.", rule: "malformed-text")
}

extension JSONWriter {
    /// Writes a field that holds the rows of a form.
    mutating func field(_ key: StaticString, _ fields: [any FormField]) {
        array(key) { writer in
            for index in fields.indices { fields[index].encode(into: &writer) }
        }
    }
}
