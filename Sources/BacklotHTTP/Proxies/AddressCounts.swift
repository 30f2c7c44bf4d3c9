/// How many connections there are from each address. IPv6 addresses count by their first 64 bits, which is what one
/// client commonly has to itself (RFC 6177).
final class AddressCounts: Sendable {
    private let limit: Int
    private let counts = Locked<[[UInt8]: Int]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts one more from an address for as long as the ticket lives; nil when there are too many.
    func ticket(for address: SocketAddress) -> AddressTicket? {
        let key = Array(address.octets.prefix(8))
        let isCounted = counts.withLock { counts in
            guard counts[key, default: 0] < limit else { return false }
            counts[key, default: 0] += 1
            return true
        }
        return isCounted ? AddressTicket(counts: self, key: key) : nil
    }

    fileprivate func remove(_ key: [UInt8]) {
        counts.withLock { counts in
            guard let count = counts[key] else { return }
            counts[key] = count > 1 ? count - 1 : nil
        }
    }

    /// How many addresses are counted now.
    var addressCount: Int { counts.withLock(\.count) }
}

/// One connection, or one request through a proxy, that counts for its client's address until this is gone.
final class AddressTicket: Sendable {
    private let counts: AddressCounts
    private let key: [UInt8]

    fileprivate init(counts: AddressCounts, key: [UInt8]) {
        self.counts = counts
        self.key = key
    }

    deinit {
        counts.remove(key)
    }
}
