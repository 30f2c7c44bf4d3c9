/// The connections of one loop to other servers that wait for their next exchange.
final class ClientPool {
    /// The maximum number of connections to keep.
    var most = 128
    /// The time to keep an unused connection, in milliseconds.
    static let patience: Int64 = 30_000

    /// In the order of their last use: the most recent is at the end.
    private var idle: [ClientConnection] = []
    private var isClosed = false

    /// Removes and returns the most recently used connection to a destination; nil without one.
    ///
    /// - Parameter isChecked: whether to ask the system first if the server has closed the connection. A request that can't be sent twice
    ///   must not go over a connection that has ended.
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
    /// - Returns: false if the pool has stopped keeping connections.
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

    /// Closes the connections, and keeps no more from now on.
    func close() {
        isClosed = true
        let closing = idle
        idle = []
        for connection in closing { connection.close() }
    }
}

/// The server that a client's connection leads to, and the protocols on it.
struct ClientDestination: Sendable, Equatable {
    /// The host's name or address. The server must have a certificate for it.
    let host: String
    let port: UInt16
    /// The settings that TLS connections share; nil for clear text.
    let context: TLSContext?
    let versions: HTTPVersions

    static func == (left: ClientDestination, right: ClientDestination) -> Bool {
        left.port == right.port && left.versions == right.versions && left.context === right.context
            && left.host == right.host
    }

    /// Finds the addresses of a host, on a thread that it may block.
    typealias Lookup = @Sendable (String, UInt16) throws(ClientConnectionError) -> [SocketAddress]

    /// The threads that wait for name servers: other blocking work doesn't wait behind them.
    private static let lookups = BlockingThreads(most: 64)

    /// The host's addresses, in the order of the attempts.
    ///
    /// - Parameter limit: the longest wait for a name server, in milliseconds.
    func addresses(
        within limit: Int64,
        by lookup: @escaping Lookup = HostLookup.addresses(of:port:)
    ) async throws(ClientConnectionError) -> [SocketAddress] {
        // An IP address needs no name server, and so no thread that may block.
        if let address = SocketAddress(host: host, port: port) { return [address] }
        let (found, arrival) = (Locked<Result<[SocketAddress], ClientConnectionError>?>(nil), Arrivals(of: 1))
        Self.lookups.run { [host, port] in
            let result = Result { () throws(ClientConnectionError) in try lookup(host, port) }
            found.withLock { $0 = result }
            arrival.note(0)
        }
        await withTaskCancellationHandler {
            _ = await arrival.missing(after: limit)
        } onCancel: {
            arrival.note(0)
        }
        guard let result = found.withLock(\.self) else {
            let error = ClientConnectionError.unreachable("no name server had responded after \(limit) ms")
            throw Task.isCancelled ? .cancelled : error
        }
        return try result.get()
    }
}
