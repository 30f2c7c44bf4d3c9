package import Backlot

/// A row of a form.
///
/// Source: Xpedite API reference, Form field types.
public protocol FormField: Part, Sized {
    /// The field's name, under which clients send its value. Unique in the form; nil for a section, which has no value.
    var name: String? { get }
}

extension Role {
    static let field = Role("field", .key("type"), labels: ["name", "id", "text", "title"], example: "textbox")
}

extension KeyedObject where Self: FormField {
    package static var roles: [Role] { [.field] }
}

/// Keys that several fields have.
extension KeyVisitor where Self: ~Copyable {
    mutating func fieldName(_ name: String?) {
        self("name", name).required(
            "The name that the value is sent under; unique in its form.",
            .filled,
            rule: "missing-name"
        )
    }

    mutating func fieldTitle(_ title: String?) {
        self("title", title).optional("A text beside the field.")
    }

    mutating func placeholder(_ text: String?) {
        self("placeholder", text).optional("A hint while the field is empty.")
    }

    mutating func textValue(_ text: String?) {
        self("value", text).optional("The content of the field.", rule: "malformed-text")
    }

    /// A key with the rows of a form.
    mutating func callAsFunction(_ name: StaticString, _ fields: [any FormField]) -> KeyDeclaration {
        self(name, .objects(.field)) {
            $0.array($1) { writer in
                for index in fields.indices { fields[index].encode(into: &writer) }
            }
        }
    }
}
