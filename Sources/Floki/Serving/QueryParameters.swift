import Backlot

/// The parameters of a URL: from its query, and from the path, to which clients append them without a question mark
/// (`/gossips&o=797`).
struct QueryParameters: Sendable {
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
        return (String(tail[..<end]), QueryParameters(tail[end...], (request.rawQuery ?? "")[...]))
    }

    /// The first value with a name; nil if it is absent or not UTF-8.
    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// Whether a parameter has this name.
    func contains(_ name: String) -> Bool { pairs.contains { $0.name == name } }

    private static func decode(_ text: Substring) -> String? {
        PercentDecoding.decode(text.replacing("+", with: " ")[...])
    }
}

/// The values that a client sends about itself in a request.
///
/// Source: Floki server protocols, Communication of parameters to the server.
struct ClientParameters: Sendable, Equatable {
    /// `d`: the device.
    var device = Device.other
    /// `l`: the lowest id that the client shows.
    var lowest: Int?
    /// `h`: the highest id that it shows.
    var highest: Int?
    /// `o`: the id of an entry; the client requests the entries after it.
    var older: Int?

    /// Reads the parameters of a query; for a repeated parameter, the first.
    init(_ query: QueryParameters) {
        device = query["d"].flatMap { Int($0) }.flatMap(Device.init) ?? .other
        lowest = Self.positive(query["l"], upTo: Self.endOfIDs)
        highest = Self.positive(query["h"], upTo: Self.endOfIDs)
        older = Self.positive(query["o"], upTo: Int(EntryTraits.highestSortID) + 1)
    }

    /// The number after the highest id; it stands for all higher numbers.
    private static let endOfIDs = Int(Int32.max) + 1

    /// Ignores values that aren't positive integers.
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
    /// An older iPhone or iPod, 320 × 480 pixels. Requests with another `d`, or without one, count as one of these.
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

/// Chooses the language of a response.
struct LanguageChoice: Sendable {
    /// The codes of the languages, the master first.
    let codes: [String]

    /// The language of a request's path.
    ///
    /// - Parameter code: the code that clients append. If it is missing, as in iOS's requests for nested web pages, this takes the
    ///   first language that the request accepts, otherwise the master.
    /// - Throws: `StatusError` with 404 for a language that the app lacks.
    func language(_ code: String, _ request: Request) throws -> String {
        if codes.contains(code) { return code }
        guard code.isEmpty else {
            throw StatusError(
                .notFound,
                "there is no language '\(code.excerpt)' here, only \(codes.joined(separator: ", "))"
            )
        }
        return request.headers[.acceptLanguage].flatMap(accepted) ?? codes.first ?? ""
    }

    /// The first language with the highest weight in an Accept-Language field (RFC 9110, section 12.5.4).
    private func accepted(_ field: String) -> String? {
        var best: (code: String, weight: Double)?
        for range in field.split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let tag = parts.first, let code = codes.first(where: { tag == $0 || tag.hasPrefix("\($0)-") }) else {
                continue
            }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if weight > (best?.weight ?? 0) { best = (code, weight) }
        }
        return best?.code
    }
}
