import Backlot

/// The responses to requests for windows, kept while the feed doesn't change.
///
/// It has two parts, so that strangers who request one window after another don't push out the windows in frequent use. A response
/// starts in the smaller part, and moves to the larger one with its second request. Each part drops its least recently used
/// responses.
final class ResponseCache: Sendable {
    /// The values that determine a response, besides the content of the feed.
    struct Key: Hashable {
        /// The number of the app's edition.
        let edition: Int
        let feed: String
        let language: String
        let isOlder: Bool
        /// The ids that the client has sent; nil for ids that it hasn't sent, or that don't affect the response.
        let lowest, highest, older: Int?
        /// The app's address.
        let base: String
        /// Calculated only once, because the cache hashes a key repeatedly.
        private let hash: Int

        init(
            edition: Int,
            feed: String,
            language: String,
            isOlder: Bool,
            parameters: ClientParameters = ClientParameters(QueryParameters()),
            base: String
        ) {
            self.edition = edition
            self.feed = feed
            self.language = language
            self.isOlder = isOlder
            self.base = base
            lowest = parameters.lowest
            highest = isOlder ? nil : parameters.highest
            older = isOlder ? nil : parameters.older
            var hasher = Hasher()
            for number in [edition, lowest ?? 0, highest ?? 0, older ?? 0, isOlder ? 1 : 0] { hasher.combine(number) }
            for text in [feed, language, base] { hasher.combine(text) }
            hash = hasher.finalize()
        }

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }

    /// The responses for one key, and the time for which they are valid.
    struct Slot: Sendable {
        /// The revision of the feed before the window was read.
        let revision: Int
        /// The time at which the window was read.
        let start: Int
        /// The first second at which the window may differ.
        let end: Int
        /// The response for each device if they differ; otherwise one for all.
        private(set) var responses: [(device: Device, response: FlokiResponse)]
        private let isByDevice: Bool

        init(_ response: FlokiResponse, for device: Device, isByDevice: Bool, revision: Int, start: Int, end: Int) {
            self.revision = revision
            self.start = start
            self.end = end
            self.isByDevice = isByDevice
            responses = [(device, response)]
        }

        func response(for device: Device) -> FlokiResponse? {
            isByDevice ? responses.first { $0.device == device }?.response : responses.first?.response
        }

        /// Adds another slot's responses for other devices, if its window is equally recent.
        func merging(_ other: Slot) -> Slot {
            guard isByDevice, other.isByDevice, revision == other.revision, end == other.end else { return self }
            var merged = self
            merged.responses += other.responses.filter { other in !responses.contains { $0.device == other.device } }
            return merged
        }
    }

    private let table: Locked<ResponseTable>
    /// Whether the cache keeps any responses.
    let isOn: Bool

    /// - Parameter limit: the maximum number of bytes of all responses; 0 keeps no responses.
    init(limit: Int) {
        table = Locked(ResponseTable(limit: max(0, limit)))
        isOn = limit > 0
    }

    /// A response that is still valid.
    func response(for key: Key, _ device: Device, revision: Int, now: Int) -> FlokiResponse? {
        table.withLock { table in
            guard let slot = table.slot(for: key), slot.revision == revision, now >= slot.start, now < slot.end else {
                return nil
            }
            return slot.response(for: device)
        }
    }

    func add(_ slot: Slot, for key: Key) { table.withLock { $0.add(slot, for: key) } }

    /// The number of bytes kept.
    var size: Int { table.withLock { $0.size } }
}

extension ResponseCache.Key {
    /// The approximate size of some responses with this key, in bytes.
    fileprivate func size(with slot: ResponseCache.Slot) -> Int {
        slot.responses.reduce(base.utf8.count + 512) { $0 + $1.response.bytes.count }
    }
}

/// Responses in two parts of bounded size.
struct ResponseTable {
    private var young: ResponseAges
    private var kept: ResponseAges
    /// The latest revision of each feed with responses in the cache.
    private var revisions: [String: Int] = [:]
    /// The second of the last search for outdated responses.
    private var swept = Int.min

    init(limit: Int) {
        young = ResponseAges(limit: limit / 4)
        kept = ResponseAges(limit: limit - limit / 4)
    }

    var size: Int { young.size + kept.size }

    mutating func slot(for key: ResponseCache.Key) -> ResponseCache.Slot? {
        if let slot = kept.slot(for: key) { return slot }
        guard let slot = young.remove(key) else { return nil }
        kept.add(slot, for: key)
        return slot
    }

    mutating func add(_ slot: ResponseCache.Slot, for key: ResponseCache.Key) {
        revisions[key.feed] = max(slot.revision, revisions[key.feed] ?? 0)
        sweep(slot.start)
        if let former = kept.remove(key) {
            kept.add(slot.merging(former), for: key)
        } else {
            young.add(young.remove(key).map(slot.merging) ?? slot, for: key)
        }
    }

    /// Drops responses that are outdated because their feed has changed or their time has ended. Looks at all responses, at most
    /// once per second.
    private mutating func sweep(_ now: Int) {
        guard now != swept else { return }
        swept = now
        let isRight = { [revisions] (key: ResponseCache.Key, slot: ResponseCache.Slot) in
            slot.revision == revisions[key.feed] && slot.end > now
        }
        young.keep(where: isRight)
        kept.keep(where: isRight)
    }
}

/// Responses of two ages. When the newer ones fill half of the space, they replace the older ones. A requested response becomes a
/// newer one.
private struct ResponseAges {
    private var newer: [ResponseCache.Key: ResponseCache.Slot] = [:]
    private var older: [ResponseCache.Key: ResponseCache.Slot] = [:]
    private var newerSize = 0
    private var olderSize = 0
    private let half: Int

    init(limit: Int) { half = limit / 2 }

    var size: Int { newerSize + olderSize }

    mutating func slot(for key: ResponseCache.Key) -> ResponseCache.Slot? {
        if let slot = newer[key] { return slot }
        guard let slot = remove(key) else { return nil }
        add(slot, for: key)
        return slot
    }

    @discardableResult
    mutating func remove(_ key: ResponseCache.Key) -> ResponseCache.Slot? {
        if let slot = newer.removeValue(forKey: key) {
            newerSize -= key.size(with: slot)
            return slot
        }
        guard let slot = older.removeValue(forKey: key) else { return nil }
        olderSize -= key.size(with: slot)
        return slot
    }

    mutating func keep(where isRight: (ResponseCache.Key, ResponseCache.Slot) -> Bool) {
        for (key, slot) in newer where !isRight(key, slot) { remove(key) }
        for (key, slot) in older where !isRight(key, slot) { remove(key) }
    }

    /// Adds responses for a new key.
    mutating func add(_ slot: ResponseCache.Slot, for key: ResponseCache.Key) {
        let size = key.size(with: slot)
        guard size <= half else { return }
        if newerSize + size > half {
            older = newer
            olderSize = newerSize
            newer = [:]
            newerSize = 0
        }
        newer[key] = slot
        newerSize += size
    }
}

/// Parsed requests for a feed's windows. Clients repeat them, and parsing their parameters takes longer than finding the response.
///
/// Keeps only requests with responses in memory. The hash of a request's target determines its slot, and there are few slots.
final class KnownRequests: Sendable {
    final class Known: Sendable {
        fileprivate let target: String
        fileprivate let host: String
        fileprivate let scheme: String
        let key: ResponseCache.Key
        let device: Device

        fileprivate init(target: String, host: String, scheme: String, key: ResponseCache.Key, device: Device) {
            self.target = target
            self.host = host
            self.scheme = scheme
            self.key = key
            self.device = device
        }
    }

    private static let places = 256
    private static let longestTarget = 200

    private let known = Locked([Known?](repeating: nil, count: places))
    /// Whether the response is the same for each name and scheme of the server.
    private let hasFixedAddress: Bool

    init(_ address: AppAddress) {
        if case .fixed = address { hasFixedAddress = true } else { hasFixedAddress = false }
    }

    /// - Parameter edition: the number of the app's edition.
    func find(_ request: Request, edition: Int) -> Known? {
        let target = request.target
        guard target.utf8.count <= Self.longestTarget else { return nil }
        guard let found = known.withLock({ $0[Self.place(of: target)] }), found.key.edition == edition,
            found.target == target, hasFixedAddress || isSame(found, request)
        else { return nil }
        return found
    }

    private func isSame(_ found: Known, _ request: Request) -> Bool {
        found.scheme == request.scheme && found.host == AppAddress.host(of: request)
    }

    func add(_ request: Request, _ key: ResponseCache.Key, _ device: Device) {
        let target = request.target
        // Without a language code, the response depends on more than these values.
        let code = request.parameters["language"]?.utf8.first
        guard target.utf8.count <= Self.longestTarget, let code, code != UInt8(ascii: "&") else { return }
        let host = hasFixedAddress ? "" : AppAddress.host(of: request) ?? ""
        let added = Known(target: target, host: host, scheme: request.scheme, key: key, device: device)
        known.withLock { $0[Self.place(of: target)] = added }
    }

    private static func place(of target: String) -> Int { Int(UInt(bitPattern: target.hashValue) % UInt(places)) }
}
