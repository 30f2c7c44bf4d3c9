/// The sessions that clients have begun, by device and by address: a device that connects again gets the session that it has,
/// and nobody fills the store by connecting. A value without I/O.
///
/// It lasts as long as the process. Sessions of earlier processes and of other replicas end by time alone.
struct DeviceSessions: Sendable {
    /// Where a session was begun.
    struct Origin: Hashable, Sendable {
        /// The device; nil for a client that doesn't say.
        let device: String?
        /// The client's address, without a port.
        let address: String

        init(device: String?, address: String) {
            // A longer text is no device's id, and isn't kept.
            self.device = device.flatMap { $0.isEmpty || $0.utf8.count > Self.longestDevice ? nil : $0 }
            self.address = address
        }

        private static let longestDevice = 200
    }

    private struct Entry {
        let origin: Origin
        /// Grows from session to session.
        let number: Int
        /// Whether the client has called a method since it connected.
        var isUsed = false
        var isLoggedIn = false
    }

    private let limits: (device: Int, address: Int, total: Int)
    private var entries: [String: Entry] = [:]
    private var tokensByDevice: [String: [String]] = [:]
    private var tokensByAddress: [String: [String]] = [:]
    private var number = 0

    /// - Parameters:
    ///   - device: the most sessions of one device.
    ///   - address: the most sessions from one address in which nobody is logged in.
    ///   - total: the most sessions that are remembered.
    init(device: Int, address: Int, total: Int = 100_000) {
        limits = (device, address, total)
    }

    /// How many sessions are remembered.
    var count: Int { entries.count }

    /// The token of the session that a device has from the same address; nil without one. A session in which somebody is logged
    /// in isn't given away: the device's id is no secret.
    func token(for origin: Origin) -> String? {
        guard let device = origin.device else { return nil }
        return tokensByDevice[device]?.last { entries[$0]?.origin == origin && entries[$0]?.isLoggedIn == false }
    }

    /// Takes in a session that has begun.
    ///
    /// - Returns: the tokens of the sessions that must end for it.
    mutating func add(_ token: String, _ origin: Origin) -> [String] {
        if entries.count >= limits.total { forgetOldest() }
        number += 1
        entries[token] = Entry(origin: origin, number: number)
        tokensByAddress[origin.address, default: []].append(token)
        if let device = origin.device { tokensByDevice[device, default: []].append(token) }
        var ended: [String] = []
        if let device = origin.device, let tokens = tokensByDevice[device], tokens.count > limits.device,
            let oldest = dispensable(among: tokens.dropLast())
        {
            ended.append(oldest)
            remove(oldest)
        }
        if let tokens = tokensByAddress[origin.address], tokens.count > limits.address,
            let oldest = dispensable(among: tokens.dropLast())
        {
            ended.append(oldest)
            remove(oldest)
        }
        return ended
    }

    /// Notes that a method was called in a session.
    mutating func note(_ token: String, isLoggedIn: Bool) {
        guard let entry = entries[token], !entry.isUsed || entry.isLoggedIn != isLoggedIn else { return }
        entries[token]?.isUsed = true
        entries[token]?.isLoggedIn = isLoggedIn
        guard entry.isLoggedIn != isLoggedIn else { return }
        // Those of a user count for the device only.
        if isLoggedIn {
            removeFromAddress(token, entry.origin)
        } else {
            tokensByAddress[entry.origin.address, default: []].append(token)
        }
    }

    /// Forgets a session.
    mutating func remove(_ token: String) {
        guard let entry = entries.removeValue(forKey: token) else { return }
        removeFromAddress(token, entry.origin)
        guard let device = entry.origin.device else { return }
        tokensByDevice[device]?.removeAll { $0 == token }
        if tokensByDevice[device]?.isEmpty == true { tokensByDevice[device] = nil }
    }

    private mutating func removeFromAddress(_ token: String, _ origin: Origin) {
        tokensByAddress[origin.address]?.removeAll { $0 == token }
        if tokensByAddress[origin.address]?.isEmpty == true { tokensByAddress[origin.address] = nil }
    }

    /// The session that is missed least: one without a call, or else one that nobody is logged in to, or else the oldest.
    private func dispensable(among tokens: ArraySlice<String>) -> String? {
        tokens.first { entries[$0]?.isUsed == false } ?? tokens.first { entries[$0]?.isLoggedIn == false }
            ?? tokens.first
    }

    /// Forgets the older half, so that the next ones have room without a search.
    private mutating func forgetOldest() {
        let oldest = entries.sorted { $0.value.number < $1.value.number }.prefix((entries.count + 1) / 2)
        for (token, _) in oldest { remove(token) }
    }
}
