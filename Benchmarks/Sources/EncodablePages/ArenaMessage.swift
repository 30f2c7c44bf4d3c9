/// The object of TechEmpower's JSON test, as a value that is encoded.
public struct ArenaMessage: Encodable, Sendable {
    /// Its only member.
    public var message = "Hello, World!"

    /// The message that the test asks for.
    public init() {}
}
