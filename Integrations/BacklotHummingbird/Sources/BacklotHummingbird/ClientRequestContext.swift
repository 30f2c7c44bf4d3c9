public import Hummingbird
public import NIOCore

/// A context of Hummingbird that knows where a request comes from.
public struct ClientRequestContext: RequestContext, RemoteAddressRequestContext {
    /// What Hummingbird keeps of the request.
    public var coreContext: CoreRequestContextStorage
    /// The client's address, or its nearest proxy's.
    public let remoteAddress: SocketAddress?

    /// The context of a request over a connection.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}
