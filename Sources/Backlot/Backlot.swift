// `import Backlot` brings the server, JSON values and the HTTP types with it.
@_exported public import BacklotHTTP
@_exported public import BacklotJSON
@_exported public import HTTPTypes
public import Logging

extension Server {
    /// Creates a server with the routes that `router` has now; it doesn't run yet.
    public init(
        _ router: Router,
        host: String = "127.0.0.1",
        port: Int = 8080,
        configuration: ServerConfiguration = ServerConfiguration(),
        logger: Logger = Logger(label: "backlot"),
        onListening: @escaping @Sendable (SocketAddress) -> Void = { _ in }
    ) {
        self.init(
            router.handler(),
            host: host,
            port: port,
            configuration: configuration,
            logger: logger,
            onListening: onListening
        )
    }
}

extension HostedHandler {
    /// Prepares a handler with the routes that `router` has now.
    ///
    /// - Throws: the errors that make it pointless to serve.
    public init(
        _ router: Router,
        configuration: ServerConfiguration = ServerConfiguration(),
        logger: Logger
    ) throws {
        try self.init(router.handler(), configuration: configuration, logger: logger)
    }
}
