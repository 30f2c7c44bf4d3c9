/// A value of a packet that is missing, or of another type than the app asks for.
public struct InputError: Error, Equatable, CustomStringConvertible {
    /// The value's name; keys and indices below it follow with dots between them.
    public let name: String
    /// The problem, for the people who fill in the form: `is missing`, `must be a whole number`.
    public let problem: String

    /// The name and the problem.
    public var description: String { "'\(name)' \(problem)" }
}

/// Messages about the fields of a form. When a handler throws them, the form is returned with the typed values and with the
/// messages at their fields.
///
/// ```swift
/// throw FormErrors(["email": "is taken"])
/// ```
public struct FormErrors: Error, Equatable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// The messages, by the names of their fields. A message without a field is shown above the form.
    public var messages: [String: String]

    /// Messages by the names of their fields.
    public init(_ messages: [String: String]) { self.messages = messages }

    /// Messages by the names of their fields; for a repeated name, the last one.
    public init(dictionaryLiteral elements: (String, String)...) {
        messages = Dictionary(elements) { _, last in last }
    }

    /// All messages, for an answer without the form.
    public var description: String {
        messages.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
