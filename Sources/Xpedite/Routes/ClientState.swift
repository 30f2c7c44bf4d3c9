import Backlot

/// The parts of earlier responses that the client of a session keeps.
///
/// Sessions live for years, so the state is bounded: it forgets the oldest parts.
struct ClientState: Codable, Sendable, Equatable {
    /// The maximum number of pictures that are remembered. An image that refers to an older one counts as a mistake.
    static let maximumImages = 1000
    /// The maximum number of navigations that are remembered. After one more, all are sent completely again.
    static let maximumNavigations = 200

    /// The fingerprints of the navigations that were sent completely, by id.
    var navigations: [String: UInt64] = [:]
    /// The pictures that were preloaded, the newest at the end.
    private(set) var images: [String] = []
    /// The version of the app at the last response: clients drop their cache when it changes.
    var version: Int

    /// Forgets the parts of an older version; pictures stay.
    mutating func adopt(version: Int) {
        guard version != self.version else { return }
        self.version = version
        navigations = [:]
    }

    /// Notes a navigation that is sent completely.
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

    /// Adds the state from the responses to another request of the same client.
    mutating func merge(_ other: ClientState) {
        adopt(version: other.version)
        for (id, mark) in other.navigations { note(navigation: id, mark) }
        note(images: other.images)
    }
}

/// The key of the state in the session.
enum ClientStateKey: SessionKey {
    static let name = "xpedite.client"
    typealias Value = ClientState
}
