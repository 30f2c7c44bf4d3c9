/// Names a value that a session can hold, by a type that conforms.
///
/// ```swift
/// enum CartKey: SessionKey {
///     static let name = "cart"
///     typealias Value = Cart
/// }
/// ```
public protocol SessionKey: SendableMetatype {
    /// The type of the value. It is stored as JSON, and must be readable after the next deployment: fields that were added
    /// since should be optional.
    associatedtype Value: Codable & Sendable
    /// What the value is stored under. Two keys of one app never share a name, and a key keeps its name for ever.
    static var name: String { get }
}
