internal import Backlot
internal import Dispatch

/// Listens to a channel (`LISTEN`) until it is deallocated. It reconnects when the connection is lost.
package final class PostgreSQLListener: Sendable {
    /// The interval between checks that the server is available.
    private static let interval = Duration.seconds(1)

    private let isEnded = Locked(false)
    private let wake = ThreadSignal()

    deinit {
        isEnded.withLock { $0 = true }
        wake.give()
    }

    /// Listens to a channel, on an additional connection, until the listener is released, or up to a second longer.
    ///
    /// The functions are called one after the other, on a thread of the listener.
    ///
    /// - Parameters:
    ///   - onConnect: called for each connection that listens, before any notice. It may read with the connection: together with
    ///     the later notices, its result is complete. If it throws, the connection is given up.
    ///   - onNotice: called with the text of each notice.
    ///   - onLoss: called when a connection was lost, at the latest two seconds after the server has become silent, and when the
    ///     first connection failed.
    package init(
        _ database: PostgreSQLDatabase,
        channel: String,
        onConnect: @escaping @Sendable (PostgreSQLConnection) throws -> Void,
        onNotice: @escaping @Sendable (String) -> Void,
        onLoss: @escaping @Sendable () -> Void
    ) {
        let (address, timeout) = (database.address, database.timeout)
        let (isEnded, wake) = (isEnded, wake)
        DispatchQueue(label: "backlot.postgresql.listen").async {
            var backoff = Backoff()
            var isLossNews = true
            while !isEnded.withLock({ $0 }) {
                do {
                    let connection = try PostgreSQLConnection(to: address, timeout: timeout)
                    try connection.execute("LISTEN \(Self.quoted(channel))", until: .now + timeout)
                    isLossNews = true
                    try onConnect(connection)
                    backoff.reset()
                    try Self.listen(on: connection, isEnded, onNotice)
                } catch {
                    if isLossNews { onLoss() }
                    isLossNews = false
                }
                if !isEnded.withLock({ $0 }) {
                    wake.wait(atMost: backoff.delay())
                }
            }
        }
    }

    private static func listen(
        on connection: PostgreSQLConnection,
        _ isEnded: Locked<Bool>,
        _ onNotice: (String) -> Void
    ) throws(PostgreSQLError) {
        var asked = ContinuousClock.now
        while !isEnded.withLock({ $0 }) {
            let rest = ContinuousClock.now.duration(to: asked + interval)
            if rest > .zero {
                _ = try connection.receive(within: rest)
            } else {
                // Nothing has come, or the check is due anyway: notices don't tell how late they are.
                asked = .now
                try connection.execute("", until: asked + interval)
            }
            connection.takeNotifications(onNotice)
            if let failure = connection.failure { throw failure }
        }
    }

    private static func quoted(_ name: String) -> String {
        "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }
}
