internal import Backlot

/// The server on the second port, which sends clients that speak http to the one that speaks https.
struct RedirectServer: Handler {
    /// It starts before the other one, whose port may be a free one.
    private let target = Locked<RedirectToHTTPS?>(nil)
    private let ownAddress = Locked<SocketAddress?>(nil)

    /// Where it listens, once it does.
    var address: SocketAddress? { ownAddress.withLock { $0 } }

    /// Says which port speaks https.
    func lead(to port: UInt16) { target.withLock { $0 = RedirectToHTTPS(port: Int(port)) } }

    func respond(to request: Request) throws -> HandlerResult {
        guard let target = target.withLock({ $0 }) else {
            throw StatusError(.serviceUnavailable, "the server starts: try again")
        }
        return target.respond(to: request)
    }

    /// The server, with the settings of the other one.
    func server(_ settings: ServiceSettings, port: Int) -> Server {
        var configuration = settings.configuration
        configuration.timeouts.drainDelay = .zero
        configuration.timeouts.drainIdle = .zero
        let ownAddress = ownAddress
        return Server(self, host: settings.host, port: port, configuration: configuration, logger: settings.logger) {
            address in ownAddress.withLock { $0 = address }
        }
    }
}
