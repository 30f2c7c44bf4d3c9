/// JSON that clients can't read: where, and what is wrong with it.
public struct WireError: Error, Equatable, CustomStringConvertible {
    /// The place, as a JSON pointer (RFC 6901).
    public let pointer: String
    /// What is wrong, as a part of a sentence.
    public let problem: String

    /// The place and what is wrong.
    public var description: String { "\(pointer.isEmpty ? "the document" : pointer) \(problem)" }
}
