import Backlot
import BacklotJSON

/// What the client of a session has been sent and keeps.
struct ClientState: Codable, Sendable, Equatable {
    /// The fingerprints of the navigations that went out whole, by their ids.
    var navigations: [String: UInt64] = [:]
    /// The pictures that were preloaded.
    var images: Set<String> = []
    /// The version of the app at that time: the client drops its cache when it changes.
    var version: Int

    /// Adds what another request has sent meanwhile.
    mutating func merge(_ other: ClientState) {
        if version != other.version { navigations = [:] }
        version = other.version
        navigations.merge(other.navigations) { _, new in new }
        images.formUnion(other.images)
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
