import Backlot
public import BacklotJSON

/// A field with options to choose one of: a ``Select`` or a ``Radio``. Clients show the options sorted by key: `"10"` stands
/// before `"2"`.
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

    /// Writes the field as one JSON object, with its options in the order in which they are shown.
    fileprivate func write(into writer: inout JSONWriter) {
        writer.component(self) {
            $0.field("name", name)
            $0.field("title", title)
            $0.field("value", value)
            $0.object("options") { writer in
                for key in options.keys.sorted() { writer.member(key, .string(options[key] ?? "")) }
            }
        }
    }
}

extension [Key] {
    fileprivate static var choice: [Key] {
        .part([
            .fieldName,
            .fieldTitle,
            .optional("value", .string, "The key of the chosen option.", rule: "unknown-option"),
            .required("options", .map(.string), "The text of each option, by the option's key."),
        ])
    }
}

/// A wheel with options.
///
/// Source: Xpedite API reference, Form field types, select.
public struct Select: ChoiceField {
    /// The name that its value is sent under.
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

    /// Writes the field as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        write(into: &writer)
    }
}

extension Select {
    static let vocabulary = Kind("select", as: [.field], "A wheel with options.", keys: .choice)
}

/// Makes a ``Select``.
///
/// - Parameters:
///   - name: the name that its value is sent under.
///   - options: the text of each option, by the option's key. Clients sort them by key.
public func select(_ name: String, options: [String: String]) -> Select {
    Select(name: name, options: options)
}

/// Buttons of which one is chosen.
///
/// Source: Xpedite API reference, Form field types, radio.
public struct Radio: ChoiceField {
    /// The name that its value is sent under.
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

    /// Writes the field as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        write(into: &writer)
    }
}

extension Radio {
    static let vocabulary = Kind("radio", as: [.field], "Buttons of which one is chosen.", keys: .choice)
}

/// Makes a ``Radio``.
///
/// - Parameters:
///   - name: the name that its value is sent under.
///   - options: the text of each option, by the option's key. Clients sort them by key.
public func radio(_ name: String, options: [String: String]) -> Radio {
    Radio(name: name, options: options)
}
