/// A path with parameters: `/users/{id}`.
struct PathTemplate: Sendable, Equatable {
    enum Segment: Sendable, Equatable {
        case literal(String)
        case parameter(String)
    }

    let text: String
    let segments: [Segment]

    /// - Parameter text: the path, not percent-encoded, such as `/users/{id}`.
    /// - Returns: nil when a parameter isn't a whole segment, or two parameters share a name.
    init?(_ text: String) {
        guard text.hasPrefix("/") else { return nil }
        self.text = text
        var segments: [Segment] = []
        for part in PathSegments.of(text) {
            guard part.contains(where: { $0 == "{" || $0 == "}" }) else {
                segments.append(.literal(part))
                continue
            }
            let name = part.dropFirst().dropLast()
            guard part.first == "{", part.last == "}", part.count > 2,
                !name.contains(where: { $0 == "{" || $0 == "}" }),
                !segments.contains(.parameter(String(name)))
            else { return nil }
            segments.append(.parameter(String(name)))
        }
        self.segments = segments
    }

    init(segments: [Segment]) {
        self.segments = segments
        text =
            "/"
            + segments.map {
                if case .parameter(let name) = $0 {
                    "{\(name)}"
                } else if case .literal(let text) = $0 {
                    text
                } else {
                    ""
                }
            }.joined(separator: "/")
    }

    var hasParameters: Bool { names.isEmpty == false }

    var names: [String] {
        segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    /// The parameters' values; nil for other paths.
    func values(in path: [String]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (part, segment) in zip(path, segments) {
            switch segment {
            case .literal(let text): guard part == text else { return nil }
            case .parameter(let name):
                guard !part.isEmpty else { return nil }
                values[name] = part
            }
        }
        return values
    }
}
