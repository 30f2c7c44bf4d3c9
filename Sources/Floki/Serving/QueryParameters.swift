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

    /// The parameters of a request, and what its path is without them.
    ///
    /// - Parameter tail: the last segment of the path.
    static func split(_ tail: String, _ request: Request) -> (rest: String, parameters: QueryParameters) {
        let end = tail.firstIndex(of: "&") ?? tail.endIndex
        return (String(tail[..<end]), QueryParameters(tail[end...], (request.query ?? "")[...]))
    }

    /// The first value under a name; nil where there is none, or one that isn't UTF-8.
    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// Whether there is a parameter of that name.
    func contains(_ name: String) -> Bool { pairs.contains { $0.name == name } }

    private static func decode(_ text: Substring) -> String? {
        PercentDecoding.decode(text.replacing("+", with: " ")[...])
    }

    static func == (left: QueryParameters, right: QueryParameters) -> Bool {
        left.pairs.elementsEqual(right.pairs) { $0.name == $1.name && $0.value == $1.value }
    }
}
