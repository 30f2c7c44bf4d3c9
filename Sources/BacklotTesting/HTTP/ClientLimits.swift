/// How much a client takes of a server, and how long it waits: what no server can make it exceed.
public struct ClientLimits: Sendable, Equatable {
    /// The largest head of an answer, in bytes.
    public var head = 64 * 1024
    /// The largest body of an answer, in bytes.
    public var body = 16 * 1024 * 1024
    /// How many arrays and objects may stand in each other in a page, 1 to 512.
    public var nesting = 64
    /// How many widgets a page may have before that is worth a warning.
    public var widgets = 2000
    /// How many redirects are followed, one after the other.
    public var redirects = 16
    /// The longest wait for the connection and for the next bytes. Over https only `total` counts.
    public var idle = Duration.seconds(10)
    /// The longest time for a whole answer, without its redirects.
    public var total = Duration.seconds(60)

    /// The default limits. Both times are those of the iOS client.
    public init() {}
}
