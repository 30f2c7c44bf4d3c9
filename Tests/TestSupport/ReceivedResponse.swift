/// A response as a client read it off the wire.
public struct ReceivedResponse: Equatable, Sendable {
    /// A header field from the wire.
    public struct Field: Equatable, Sendable {
        /// The name, in the letter case that the server sent.
        public var name: String
        /// The value, blanks around it removed.
        public var value: String
    }

    /// The version, for example `HTTP/1.1`.
    public var version: String
    /// The three digits of the status.
    public var status: Int
    /// The words after the status.
    public var reason: String
    /// The header fields, in the order they were sent.
    public var fields: [Field]
    /// The body, chunks put together.
    public var body: [UInt8]

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The values of all fields of a name, letter case aside.
    public subscript(values name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The first value of a field.
    public subscript(name: String) -> String? { self[values: name].first }
}
