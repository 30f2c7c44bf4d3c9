/// Cuts a path that begins with a slash into segments, and takes the percent-encoding off each, once: an encoded slash
/// separates nothing.
package enum PathSegments {
    /// The segments as routes see them: `/a/` has two, the second of them empty. nil where one isn't UTF-8 or holds a NUL.
    package static func of(_ path: String) -> [String]? {
        split(path) { PercentDecoding.decode($0) }
    }

    /// The segments as mocks see them: a slash at the end doesn't count, and what can't be decoded stays in some form.
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
    /// Hands the segments of the path on to those who look at it next.
    func with(segments: [String]) -> Request {
        var request = self
        request.attributes[PathSegmentsAttribute.self] = segments
        return request
    }

    /// The segments of the path as mocks see them, below a prefix without a slash at its end. They are split here only if
    /// no router has done so.
    package func mockSegments(below prefix: String) -> [String] {
        let segments =
            attributes[PathSegmentsAttribute.self].map(PathSegments.withoutSlashAtEnd) ?? PathSegments.ofMock(path)
        guard !prefix.isEmpty else { return segments }
        return Array(segments.dropFirst(prefix.utf8.count { $0 == UInt8(ascii: "/") }))
    }
}
