/// The number of connections from each network (`SocketAddress.network`).
final class AddressCounts: Sendable {
    private let limit: Int
    private let counts = Locked<[UInt64: Int]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// How many addresses are counted now.
    var addressCount: Int { counts.withLock(\.count) }

    /// Counts one more from an address.
    ///
    /// - Returns: false, with nothing counted, when there are too many.
    func add(_ address: SocketAddress) -> Bool {
        let key = address.network
        return counts.withLock { counts in
            guard counts[key, default: 0] < limit else { return false }
            counts[key, default: 0] += 1
            return true
        }
    }

    /// Counts one less from an address.
    func remove(_ address: SocketAddress) {
        let key = address.network
        counts.withLock { counts in
            guard let count = counts[key] else { return }
            counts[key] = count > 1 ? count - 1 : nil
        }
    }

    /// Counts one more from an address for as long as the ticket lives; nil when there are too many.
    func ticket(for address: SocketAddress) -> AddressTicket? {
        add(address) ? AddressTicket(counts: self, address: address) : nil
    }
}

extension SocketAddress {
    /// What tells clients apart: an IPv4 address, or the first 64 bits of an IPv6 address.
    package var clientKey: [UInt8] { Array(octets.prefix(8)) }
}

/// A request through a proxy that counts for its client's address until this is gone.
final class AddressTicket: Sendable {
    private let counts: AddressCounts
    private let address: SocketAddress

    fileprivate init(counts: AddressCounts, address: SocketAddress) {
        self.counts = counts
        self.address = address
    }

    deinit {
        counts.remove(address)
    }
}
