import Backlot
import BacklotJSON

/// The parts of earlier answers that the client of a session keeps.
///
/// Sessions live for years, so the state is bounded: the oldest parts are forgotten.
struct ClientState: Codable, Sendable, Equatable {
    /// The most pictures that are remembered. An image that names an older one counts as a mistake.
    static let maximumImages = 1000
    /// The most navigations that are remembered. After one more, all go out whole again.
    static let maximumNavigations = 200

    /// The fingerprints of the navigations that went out whole, by their ids.
    var navigations: [String: UInt64] = [:]
    /// The pictures that were preloaded, the newest at the end.
    private(set) var images: [String] = []
    /// The version of the app at that time: the client drops its cache when it changes.
    var version: Int

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

    /// Adds the answers to another request of the same client.
    mutating func merge(_ other: ClientState) {
        adopt(version: other.version)
        for (id, mark) in other.navigations { note(navigation: id, mark) }
        note(images: other.images)
    }
}

/// The place of the state in the session.
enum ClientStateKey: SessionKey {
    static let name = "xpedite.client"
    typealias Value = ClientState
}

/// Finds the token in what can be read of a packet, so that the answer has it even where the packet is cut short or isn't JSON.
enum PacketToken {
    private static let key = Array(#""token""#.utf8)

    /// The text of the first member `token` at the top level; nil without one.
    static func find(in bytes: [UInt8]) -> String? {
        var depth = 0
        var position = skipBlanks(from: 0, in: bytes)
        guard position < bytes.count, bytes[position] == UInt8(ascii: "{") else { return nil }
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                guard let end = endOfString(at: position, in: bytes) else { return nil }
                let isToken = depth == 1 && bytes[position..<end].elementsEqual(key)
                position = end
                guard isToken, let start = value(after: end, in: bytes) else { continue }
                guard bytes[start] == UInt8(ascii: "\""), let valueEnd = endOfString(at: start, in: bytes) else {
                    return nil
                }
                return (try? JSONValue(parsing: Array(bytes[start..<valueEnd])))?.string
            default: break
            }
            position += 1
        }
        return nil
    }

    /// The place after the string that begins at a place; nil for one without an end.
    private static func endOfString(at start: Int, in bytes: [UInt8]) -> Int? {
        var position = start + 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): return position + 1
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        return nil
    }

    /// The place of the value after a colon; nil where no colon follows, or nothing after it.
    private static func value(after end: Int, in bytes: [UInt8]) -> Int? {
        let colon = skipBlanks(from: end, in: bytes)
        guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return nil }
        let start = skipBlanks(from: colon + 1, in: bytes)
        return start < bytes.count ? start : nil
    }

    private static func skipBlanks(from start: Int, in bytes: [UInt8]) -> Int {
        var position = start
        while position < bytes.count, bytes[position].isJSONSpace { position += 1 }
        return position
    }
}
