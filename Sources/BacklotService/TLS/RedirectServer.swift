internal import Backlot
internal import Logging

/// The server on the second port, which redirects clients from http to https.
struct RedirectServer: Handler {
    /// This server starts before the one with https, which may listen on a free port.
    private let target = Locked<RedirectToHTTPS?>(nil)
    private let ownAddress = Locked<SocketAddress?>(nil)

    /// The address where it listens; nil until then.
    var address: SocketAddress? { ownAddress.withLock { $0 } }

    /// Sets the port of the server with https.
    func lead(to port: UInt16) { target.withLock { $0 = RedirectToHTTPS(port: Int(port)) } }

    func respond(to request: Request) throws -> HandlerResult {
        guard let target = target.withLock({ $0 }) else {
            throw StatusError(.serviceUnavailable, "the server starts: try again")
        }
        return target.respond(to: request)
    }

    /// The server, with the settings of the one with https.
    func server(_ settings: ServiceSettings, port: Int, _ logger: Logger) -> Server {
        var configuration = settings.configuration
        configuration.timeouts.drainDelay = .zero
        configuration.timeouts.drainIdle = .zero
        let ownAddress = ownAddress
        return Server(self, host: settings.host, port: port, configuration: configuration, logger: logger) {
            address in ownAddress.withLock { $0 = address }
        }
    }
}
