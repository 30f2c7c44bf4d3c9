/// Connections of one loop to other servers that wait for their next exchange.
final class ClientPool {
    /// How many are kept.
    var most = 128
    /// How long one is kept that nobody uses, in milliseconds.
    static let patience: Int64 = 30_000

    /// The one that was used last stands at the end.
    private var idle: [ClientConnection] = []
    private var isClosed = false

    /// Takes out a connection that leads to a destination, the one that was used last; nil where there is none.
    ///
    /// - Parameter isChecked: whether the system is asked first if the server has closed it. A request that can't be sent twice
    ///   must not go to a connection that has ended.
    func take(_ destination: ClientDestination, isChecked: Bool) -> ClientConnection? {
        var index = idle.count - 1
        while index >= 0 {
            let connection = idle[index]
            if connection.destination == destination {
                idle.remove(at: index)
                if !isChecked || connection.isQuiet { return connection }
                connection.close()
            }
            index -= 1
        }
        return nil
    }

    /// Keeps a connection.
    ///
    /// - Returns: false where none are kept any more.
    func keep(_ connection: ClientConnection) -> Bool {
        guard !isClosed else { return false }
        if idle.count >= most { idle.removeFirst().close() }
        idle.append(connection)
        return true
    }

    /// Forgets a connection.
    func remove(_ connection: ClientConnection) {
        idle.removeAll { $0 === connection }
    }

    /// Closes the connections, and keeps none from now on.
    func close() {
        isClosed = true
        let closing = idle
        idle = []
        for connection in closing { connection.close() }
    }
}

/// Which server a client's connection leads to, and what it speaks.
struct ClientDestination: Sendable, Equatable {
    /// The host's name or address, which the server must have a certificate for.
    let host: String
    let port: UInt16
    /// What connections over TLS share; nil for clear text.
    let context: TLSContext?
    let versions: HTTPVersions

    static func == (left: ClientDestination, right: ClientDestination) -> Bool {
        left.port == right.port && left.versions == right.versions && left.context === right.context
            && left.host == right.host
    }

    /// The host's addresses, in the order in which they are tried.
    func addresses() async throws(ClientConnectionError) -> [SocketAddress] {
        // An IP address needs no name server, and so no thread that may block.
        if let address = SocketAddress(host: host, port: port) { return [address] }
        do {
            return try await Blocking.run { [host, port] in try HostLookup.addresses(of: host, port: port) }
        } catch let fault as ClientConnectionError {
            throw fault
        } catch {
            throw .unknownHost(host, reason: "\(error)")
        }
    }
}
