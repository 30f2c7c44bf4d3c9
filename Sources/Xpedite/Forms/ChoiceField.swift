public import Backlot

/// A field with options to choose one of: a ``Select`` or a ``Radio``. Clients show the options sorted by key: `"10"` comes before
/// `"2"`.
///
/// Source: Xpedite API reference, options.
public protocol ChoiceField: FormField {
    /// The text of each option, by the option's key.
    var options: [String: String] { get }
    /// The text beside the field.
    var title: String? { get set }
    /// The key of the chosen option.
    var value: String? { get set }
}

extension ChoiceField {
    /// Shows a text beside the field.
    public consuming func title(_ title: String?) -> Self { changing(self) { $0.title = title } }

    /// Chooses an option, by its key.
    public consuming func value(_ key: String?) -> Self { changing(self) { $0.value = key } }
}

extension KeyedPart where Self: ChoiceField {
    package func ownKeys(_ keys: inout some Keys) {
        keys.fieldName(name)
        keys.fieldTitle(title)
        keys("value", value).optional("The key of the chosen option.", rule: "unknown-option")
        keys("options", .map(.string)) {
            $0.object($1) { writer in
                // Writes them in the order of clients.
                for key in options.keys.sorted() { writer.member(key, .string(options[key] ?? "")) }
            }
        }
        .required("The text of each option, by the option's key.")
    }
}

/// A wheel with options.
///
/// Source: Xpedite API reference, Form field types, select.
public struct Select: ChoiceField, KeyedPart {
    /// The name under which clients send the field's value.
    public let name: String?
    /// The text of each option, by the option's key.
    public let options: [String: String]
    /// The text beside the field.
    public var title: String?
    /// The key of the chosen option.
    public var value: String?
    /// The place and the size.
    public var size: Size?
    /// The name for error messages.
    public var id: String?

    /// `select`
    public var type: StaticString { "select" }

    static let vocabulary = Kind(Select(name: "", options: [:]), "A wheel with options.")

    /// Writes the field as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }
}

/// Makes a ``Select``.
///
/// ```swift
/// form(id: "customer") { select(name: "plan", options: ["m": "Monthly", "y": "Yearly"]).title("Plan") }
/// ```
/// - Parameters:
///   - name: the name for sending its value.
///   - options: the text of each option, by the option's key. Clients sort them by key.
public func select(name: String, options: [String: String]) -> Select {
    Select(name: name, options: options)
}

/// Buttons for choosing one option.
///
/// Source: Xpedite API reference, Form field types, radio.
public struct Radio: ChoiceField, KeyedPart {
    /// The name under which clients send the field's value.
    public let name: String?
    /// The text of each option, by the option's key.
    public let options: [String: String]
    /// The text beside the field.
    public var title: String?
    /// The key of the chosen option.
    public var value: String?
    /// The place and the size.
    public var size: Size?
    /// The name for error messages.
    public var id: String?

    /// `radio`
    public var type: StaticString { "radio" }

    static let vocabulary = Kind(Radio(name: "", options: [:]), "Buttons for choosing one option.")

    /// Writes the field as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }
}

/// Makes a ``Radio``.
///
/// ```swift
/// form(id: "customer") { radio(name: "plan", options: ["m": "Monthly", "y": "Yearly"]).title("Plan") }
/// ```
/// - Parameters:
///   - name: the name for sending its value.
///   - options: the text of each option, by the option's key. Clients sort them by key.
public func radio(name: String, options: [String: String]) -> Radio {
    Radio(name: name, options: options)
}
