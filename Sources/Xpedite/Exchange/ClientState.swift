import Backlot
import BacklotJSON

/// What the client of a session has been sent and keeps.
///
/// Sessions live for years, so it is bounded: what was sent longest ago is forgotten.
struct ClientState: Codable, Sendable, Equatable {
    /// The most pictures that are remembered. An image that names an older one is taken for a mistake.
    static let maximumImages = 1000
    /// The most navigations that are remembered. With one more, all go out whole again.
    static let maximumNavigations = 200

    /// The fingerprints of the navigations that went out whole, by their ids.
    var navigations: [String: UInt64] = [:]
    /// The pictures that were preloaded, the last one at the end.
    private(set) var images: [String] = []
    /// The version of the app at that time: the client drops its cache when it changes.
    var version: Int

    /// What a client has that has been sent nothing.
    init(version: Int) { self.version = version }

    /// Forgets what belongs to an older version; pictures stay.
    mutating func adopt(version: Int) {
        guard version != self.version else { return }
        self.version = version
        navigations = [:]
    }

    /// Notes a navigation that goes out whole.
    mutating func note(navigation id: String, _ mark: UInt64) {
        if navigations[id] == nil, navigations.count >= Self.maximumNavigations { navigations = [:] }
        navigations[id] = mark
    }

    /// Notes pictures that are preloaded.
    mutating func note(images ids: [String]) {
        let new = Set(ids)
        guard !new.isSubset(of: images) else { return }
        images.removeAll { new.contains($0) }
        images += ids.enumerated().filter { ids.firstIndex(of: $0.element) == $0.offset }.map(\.element)
        images.removeFirst(max(0, images.count - Self.maximumImages))
    }

    /// Forgets all pictures.
    mutating func removeImages() { images = [] }

    /// Adds what another request has sent meanwhile.
    mutating func merge(_ other: ClientState) {
        adopt(version: other.version)
        for (id, mark) in other.navigations { note(navigation: id, mark) }
        note(images: other.images)
    }
}

/// Where it is kept in the session.
enum ClientStateKey: SessionKey {
    static let name = "xpedite.client"
    typealias Value = ClientState
}

/// A number that two different navigations hardly ever share (FNV-1a, 64 bits).
func fingerprint(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
}
