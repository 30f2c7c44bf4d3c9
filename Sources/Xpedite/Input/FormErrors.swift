/// What is wrong with the fields of a form. Thrown by a handler, it brings the form back, with what was typed and the messages
/// at their fields.
///
/// ```swift
/// throw FormErrors(["email": "is taken"])
/// ```
public struct FormErrors: Error, Equatable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// The messages, by the names of their fields. One whose name no field has is shown above the form.
    public var messages: [String: String]

    /// Messages by the names of their fields.
    public init(_ messages: [String: String]) { self.messages = messages }

    /// Messages by the names of their fields; of one name, the last.
    public init(dictionaryLiteral elements: (String, String)...) {
        messages = Dictionary(elements) { _, last in last }
    }

    /// All messages, for an answer without the form.
    public var description: String {
        messages.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
