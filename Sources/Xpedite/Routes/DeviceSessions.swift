import Backlot

/// The sessions that clients have begun, by device and by address. Limits keep clients from filling the store with connections. A
/// value type without I/O.
///
/// It lasts as long as the process. Sessions of earlier processes and of other replicas only end by time.
struct DeviceSessions: Sendable {
    /// The device and the address that began a session.
    struct Origin: Hashable, Sendable {
        /// The device; nil if the client doesn't send it.
        let device: String?
        let address: [UInt8]

        init(device: String?, _ address: SocketAddress) {
            // A longer text isn't a device's id, and isn't kept.
            self.device = device.flatMap { $0.isEmpty || $0.utf8.count > Self.longestDevice ? nil : $0 }
            self.address = address.clientKey
        }

        private static let longestDevice = 200
    }

    private struct Entry {
        let origin: Origin
        /// Grows from session to session.
        let number: Int
        /// Whether the client has called a method since it connected.
        var isUsed = false
        /// A session with a log-in doesn't count for limits, so other clients can't end it by connecting.
        var isLoggedIn = false
    }

    private let limits: (device: Int, address: Int, total: Int)
    private var entries: [String: Entry] = [:]
    private var tokensByDevice: [Origin: [String]] = [:]
    private var tokensByAddress: [[UInt8]: [String]] = [:]
    private var number = 0

    /// - Parameters:
    ///   - device: the maximum number of sessions of one device from one address.
    ///   - address: the maximum number of sessions from one address.
    ///   - total: the maximum number of sessions that are remembered.
    init(device: Int, address: Int, total: Int = 100_000) {
        limits = (device, address, total)
    }

    /// The number of remembered sessions.
    var count: Int { entries.count }

    /// Takes in a session that has begun.
    ///
    /// - Returns: the tokens of the sessions that must end in exchange.
    mutating func add(_ token: String, _ origin: Origin) -> [String] {
        if entries.count >= limits.total { forgetOldest() }
        number += 1
        entries[token] = Entry(origin: origin, number: number)
        return list(token, origin)
    }

    /// Ends the least needed session, never the newest one. The tokens are in order of age; a log-out or a new token makes a
    /// session the newest.
    private mutating func end(oneOf tokens: [String], _ ended: inout [String]) {
        let token = tokens.dropLast().first { entries[$0]?.isUsed == false } ?? tokens[0]
        remove(token)
        ended.append(token)
    }

    /// Notes that a method was called in a session.
    ///
    /// - Parameter newToken: the session's current token.
    /// - Returns: the tokens of the sessions that must end because this one counts for limits again.
    mutating func note(_ token: String, as newToken: String, isLoggedIn: Bool) -> [String] {
        entries[token]?.isUsed = true
        guard var entry = entries[token], entry.isLoggedIn != isLoggedIn || token != newToken else { return [] }
        remove(token)
        entry.isLoggedIn = isLoggedIn
        entries[newToken] = entry
        return isLoggedIn ? [] : list(newToken, entry.origin)
    }

    /// Forgets a session.
    private mutating func remove(_ token: String) {
        guard let origin = entries.removeValue(forKey: token)?.origin else { return }
        tokensByAddress[origin.address]?.removeAll { $0 == token }
        if tokensByAddress[origin.address]?.isEmpty == true { tokensByAddress[origin.address] = nil }
        tokensByDevice[origin]?.removeAll { $0 == token }
        if tokensByDevice[origin]?.isEmpty == true { tokensByDevice[origin] = nil }
    }

    /// Counts a session for limits. Before, each list is within its limit, so one session of each is enough to end.
    ///
    /// - Returns: the tokens of the sessions that must end in exchange.
    private mutating func list(_ token: String, _ origin: Origin) -> [String] {
        tokensByAddress[origin.address, default: []].append(token)
        if origin.device != nil { tokensByDevice[origin, default: []].append(token) }
        var ended: [String] = []
        if let tokens = tokensByDevice[origin], tokens.count > limits.device { end(oneOf: tokens, &ended) }
        if let tokens = tokensByAddress[origin.address], tokens.count > limits.address { end(oneOf: tokens, &ended) }
        return ended
    }

    /// Forgets the older half, so that the next sessions fit without a search.
    private mutating func forgetOldest() {
        let oldest = entries.sorted { $0.value.number < $1.value.number }.prefix((entries.count + 1) / 2)
        for (token, _) in oldest { remove(token) }
    }
}
