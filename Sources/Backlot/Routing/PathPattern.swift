/// The path of a route, split into segments: `/users/{id}`, `/files/{path...}`.
package struct PathPattern: Equatable, Sendable {
    package enum Segment: Equatable, Sendable {
        /// Matches itself.
        case literal(String)
        /// Matches any segment that isn't empty, and gives it a name.
        case parameter(String)
        /// Matches the rest of the path, at least one segment, and gives it a name.
        case rest(String)
    }

    /// The syntax of a pattern.
    package enum Form: Sendable {
        /// A compiled route's: not percent-encoded, so that a path has one spelling. A slash at the end counts.
        case route
        /// A mock's, as WireMock reads it: percent-encoded, without `{name...}`. A slash at the end doesn't count.
        case mock
    }

    /// The error for a path that can't be a route's.
    package struct ParsingError: Error, Equatable {
        package let text: String
    }

    /// The pattern as text.
    package let text: String
    package let segments: [Segment]
    package let hasParameters: Bool

    /// Reads a pattern.
    package init(_ text: String, as form: Form = .route) throws(ParsingError) {
        guard text.hasPrefix("/") else { throw ParsingError(text: "a path begins with /") }
        let parts: [String]
        switch form {
        case .route:
            guard !text.contains(where: { $0 == "?" || $0 == "#" || $0 == "%" }) else {
                throw ParsingError(text: "a path is written without ?, # and percent-encoding")
            }
            parts = PathSegments.of(text) ?? []
        case .mock: parts = PathSegments.ofMock(text)
        }
        var segments: [Segment] = []
        for part in parts {
            if case .rest = segments.last { throw ParsingError(text: "{name...} is the last segment of a path") }
            let segment = try Segment(part, as: form)
            if let name = segment.name, segments.contains(where: { $0.name == name }) {
                throw ParsingError(text: "two parameters are named \(name)")
            }
            segments.append(segment)
        }
        self.init(text: text, segments: segments)
    }

    /// Creates a pattern of segments.
    package init(_ segments: [Segment]) {
        self.init(text: "/" + segments.map(\.text).joined(separator: "/"), segments: segments)
    }

    private init(text: String, segments: [Segment]) {
        self.text = text
        self.segments = segments
        hasParameters = segments.contains { $0.name != nil }
    }
}

extension PathPattern.Segment {
    fileprivate init(_ part: String, as form: PathPattern.Form) throws(PathPattern.ParsingError) {
        guard part.contains(where: { $0 == "{" || $0 == "}" }) else {
            if form == .route, let other = Self.otherSpelling(of: part) { throw other }
            self = .literal(part)
            return
        }
        guard part.count >= 2, part.hasPrefix("{"), part.hasSuffix("}") else {
            throw .init(text: "a parameter takes up a whole segment, as in /users/{id}")
        }
        let inner = part.dropFirst().dropLast()
        let isRest = form == .route && inner.hasSuffix("...")
        let name = isRest ? inner.dropLast(3) : inner
        guard !name.isEmpty, name.allSatisfy({ form.allowsInName($0) }) else {
            throw .init(text: "a parameter's name is letters, digits and _")
        }
        self = isRest ? .rest(String(name)) : .parameter(String(name))
    }

    /// The syntax of other frameworks for parameters: `:id`, `*` and `**`.
    private static func otherSpelling(of part: String) -> PathPattern.ParsingError? {
        if part.hasPrefix(":"), part.count > 1 {
            return .init(text: "write {\(part.dropFirst())} for a parameter, not \(part)")
        }
        guard part.hasPrefix("*") else { return nil }
        return .init(text: "write {id} for one segment, or {rest...} for the rest of the path, not \(part)")
    }

    /// The segment's name; nil for a literal.
    package var name: String? {
        switch self {
        case .literal: nil
        case .parameter(let name), .rest(let name): name
        }
    }

    fileprivate var text: String {
        switch self {
        case .literal(let text): text
        case .parameter(let name): "{\(name)}"
        case .rest(let name): "{\(name)...}"
        }
    }
}

extension PathPattern.Form {
    fileprivate func allowsInName(_ character: Character) -> Bool {
        switch self {
        case .route: character.isLetter || character.isNumber || character == "_"
        case .mock: character != "{" && character != "}"
        }
    }
}

/// Splits a path that begins with a slash into segments, and then decodes each segment once. An encoded slash doesn't separate
/// segments.
package enum PathSegments {
    /// The segments for routes: `/a/` has two, with an empty second one. nil if a segment isn't UTF-8 or holds a NUL.
    package static func of(_ path: String) -> [String]? {
        split(path) { PercentDecoding.decode($0) }
    }

    /// The segments for mocks: a slash at the end doesn't count, and malformed parts are kept in some form.
    package static func ofMock(_ path: String) -> [String] {
        withoutSlashAtEnd(split(path) { PercentDecoding.repair($0) } ?? [])
    }

    fileprivate static func withoutSlashAtEnd(_ segments: [String]) -> [String] {
        segments.last == "" ? segments.dropLast() : segments
    }

    private static func split(_ path: String, _ decode: (Span<UInt8>) -> String?) -> [String]? {
        let bytes = path.utf8.span
        var segments: [String] = []
        segments.reserveCapacity(4)
        var start = min(1, bytes.count)
        while true {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "/") { end += 1 }
            guard let segment = decode(bytes.extracting(start..<end)) else { return nil }
            segments.append(segment)
            if end == bytes.count { return segments }
            start = end + 1
        }
    }
}

private enum PathSegmentsAttribute: RequestAttribute {
    typealias Value = [String]
}

extension Request {
    /// The same request with the segments of its path, so that later routers need not split it again.
    func with(segments: [String]) -> Request {
        var request = self
        request.attributes[PathSegmentsAttribute.self] = segments
        return request
    }

    /// The segments of the path for mocks, below a prefix without a slash at its end. It splits the path only if no router has done
    /// so.
    package func mockSegments(below prefix: String) -> [String] {
        let segments =
            attributes[PathSegmentsAttribute.self].map(PathSegments.withoutSlashAtEnd) ?? PathSegments.ofMock(path)
        guard !prefix.isEmpty else { return segments }
        return Array(segments.dropFirst(prefix.utf8.count { $0 == UInt8(ascii: "/") }))
    }
}
