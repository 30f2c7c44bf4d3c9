import Backlot

/// The parameters of a URL: those of its query, and those that clients append to a path without a question mark
/// (`/gossips&o=797`).
struct QueryParameters: Sendable, Equatable {
    private var pairs: [(name: String, value: String?)] = []

    init(_ texts: Substring...) {
        for text in texts {
            for pair in text.split(separator: "&") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let name = Self.decode(parts[0]) else { continue }
                pairs.append((name, parts.count > 1 ? Self.decode(parts[1]) : ""))
            }
        }
    }

    /// The parameters of a request, and its path without them.
    ///
    /// - Parameter tail: the last segment of the path.
    static func split(_ tail: String, _ request: Request) -> (rest: String, parameters: QueryParameters) {
        let end = tail.firstIndex(of: "&") ?? tail.endIndex
        return (String(tail[..<end]), QueryParameters(tail[end...], (request.query ?? "")[...]))
    }

    /// The first value with a name; nil without one, or if it isn't UTF-8.
    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// Whether a parameter has this name.
    func contains(_ name: String) -> Bool { pairs.contains { $0.name == name } }

    private static func decode(_ text: Substring) -> String? {
        PercentDecoding.decode(text.replacing("+", with: " ")[...])
    }

    static func == (left: QueryParameters, right: QueryParameters) -> Bool {
        left.pairs.elementsEqual(right.pairs) { $0.name == $1.name && $0.value == $1.value }
    }
}

/// What a client says about itself in a request.
///
/// Source: Floki server protocols, Communication of parameters to the server.
struct ClientParameters: Sendable, Equatable {
    /// `d`: the device.
    var device = Device.other
    /// `l`: the lowest id that the client shows.
    var lowest: Int?
    /// `h`: the highest id that it shows.
    var highest: Int?
    /// `o`: the id after which older entries are asked for.
    var older: Int?

    /// Reads the parameters of a query; of a repeated one, the first.
    init(_ query: QueryParameters) {
        device = query["d"].flatMap { Int($0) }.flatMap(Device.init) ?? .other
        lowest = Self.positive(query["l"], upTo: Self.endOfIDs)
        highest = Self.positive(query["h"], upTo: Self.endOfIDs)
        older = Self.positive(query["o"], upTo: Int(EntryTraits.highestSortID) + 1)
    }

    /// The number after the highest id: all that are above mean the same.
    private static let endOfIDs = Int(Int32.max) + 1

    /// Everything but a positive whole number counts as absent.
    private static func positive(_ text: String?, upTo limit: Int) -> Int? {
        text.flatMap { Int($0) }.flatMap { $0 > 0 ? min($0, limit) : nil }
    }
}

/// The kind of device that sends a request, by the parameter `d`.
///
/// Source: Floki server protocols, Communication of parameters to the server.
public enum Device: Int, Sendable, CaseIterable {
    /// An iPad, 768 × 1024 pixels.
    case iPad = 1
    /// An iPhone 4, 640 × 960 pixels.
    case iPhone4 = 2
    /// An older iPhone or iPod, 320 × 480 pixels. Requests with another `d`, or without one, count as such.
    case other = 0

    /// The index of its URL among the alternatives of a ``Link``.
    var alternative: Int {
        switch self {
        case .iPad: 0
        case .iPhone4: 1
        case .other: 2
        }
    }
}
