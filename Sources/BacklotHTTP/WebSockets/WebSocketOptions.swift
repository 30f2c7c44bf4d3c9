/// The limits of WebSockets, and who may open one.
///
/// ```swift
/// var options = WebSocketOptions()
/// options.messageLimit = 64 * 1024
/// router.webSocket("/echo", options: options) { request, socket in
///     for try await message in socket.messages { try await socket.send(message) }
/// }
/// ```
public struct WebSocketOptions: Sendable, Equatable {
    /// The most bytes of a message that is received, decompressed: 1 MB unless said otherwise. A longer one ends the WebSocket
    /// with 1009. While a message arrives, it counts in the server's buffer budget (`ServerConfiguration.Limits.bufferedBytes`).
    public var messageLimit = 1024 * 1024
    /// The time of silence until a client gets a ping: 30 seconds by default.
    public var pingInterval = Duration.seconds(30)
    /// The longest wait for a pong or other bytes of the client: 20 seconds by default.
    public var pongTimeout = Duration.seconds(20)
    /// The longest wait for the client's close frame, and for the function after the end of the WebSocket: 5 seconds
    /// unless said otherwise.
    public var closeTimeout = Duration.seconds(5)
    /// Whether messages are compressed for clients that can undo it (permessage-deflate, RFC 7692).
    public var compresses = true
    /// The subprotocols that the program speaks, the preferred one first. A client that offers other ones only gets a WebSocket without a subprotocol.
    public var subprotocols: [String] = []
    /// The other origins, such as `https://app.example.com`, with pages that may open a WebSocket; nil for all.
    /// Programs don't send `Origin`, and may always open one.
    public var origins: Set<String>? = []

    /// The usual limits.
    public init() {}
}
