/// The path of a route, cut into segments: `/users/{id}`, `/files/{path...}`.
struct PathPattern: Equatable, Sendable {
    enum Segment: Equatable, Sendable {
        /// Matches itself.
        case literal(String)
        /// Matches any one segment that is not empty, and gives it a name.
        case parameter(String)
        /// Matches all that is left, at least one segment, and gives it a name.
        case rest(String)
    }

    /// Why a path can't be a route's.
    struct Mistake: Error, Equatable {
        let text: String
    }

    let segments: [Segment]

    init(_ path: String) throws(Mistake) {
        guard path.hasPrefix("/") else { throw Mistake(text: "a path begins with /") }
        guard !path.contains(where: { $0 == "?" || $0 == "#" || $0 == "%" }) else {
            throw Mistake(text: "a path is written without ?, # and percent-encoding")
        }
        var segments: [Segment] = []
        var names: Set<String> = []
        for text in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            if case .rest = segments.last { throw Mistake(text: "{name...} is the last segment of a path") }
            let segment = try Self.segment(text)
            if case .parameter(let name) = segment, !names.insert(name).inserted {
                throw Mistake(text: "two parameters are named \(name)")
            }
            if case .rest(let name) = segment, !names.insert(name).inserted {
                throw Mistake(text: "two parameters are named \(name)")
            }
            segments.append(segment)
        }
        self.segments = segments
    }

    private static func segment(_ text: Substring) throws(Mistake) -> Segment {
        guard text.contains(where: { $0 == "{" || $0 == "}" }) else { return .literal(String(text)) }
        guard text.hasPrefix("{"), text.hasSuffix("}") else {
            throw Mistake(text: "a parameter takes up a whole segment, as in /users/{id}")
        }
        var name = text.dropFirst().dropLast()
        let isRest = name.hasSuffix("...")
        if isRest { name = name.dropLast(3) }
        guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
            throw Mistake(text: "a parameter's name is letters, digits and _")
        }
        return isRest ? .rest(String(name)) : .parameter(String(name))
    }

    /// The names of the parameters, in order.
    var names: [String] {
        segments.compactMap {
            switch $0 {
            case .literal: nil
            case .parameter(let name), .rest(let name): name
            }
        }
    }
}
