internal import Backlot
internal import BacklotClients

/// The paths that an exploration never requests, with everything below them.
///
/// `/pay` covers `/pay` and `/pay/now`, but not `/payments`; `/notes/{id}/delete` covers that path of every note; `/pay*` also
/// covers `/payments`. Case, percent-encoding and text after a `;` don't matter.
struct ForbiddenPaths: Sendable {
    private let patterns: [[String]]

    /// - Parameter paths: the paths; each begins with a slash and has no query.
    init(_ paths: [String]) throws(ExploreOptionError) {
        for path in paths {
            guard path.hasPrefix("/") else {
                throw .forbidden(
                    path,
                    problem: "it begins with no slash: write a path below the app's URL, such as /pay"
                )
            }
            guard !path.contains(where: { "?#".contains($0) }) else {
                throw .forbidden(
                    path,
                    problem: "it has a query: write the path alone, which is forbidden with every query"
                )
            }
            guard path.utf8.count <= 1000 else { throw .forbidden(path, problem: "it has more than 1000 bytes") }
        }
        patterns = paths.map(Self.segments)
    }

    /// Whether a path below the app's URL is forbidden.
    func cover(_ path: String) -> Bool {
        guard !patterns.isEmpty else { return false }
        let segments = Self.segments(path)
        return patterns.contains { pattern in
            pattern.count <= segments.count && zip(pattern, segments).allSatisfy(Self.matches)
        }
    }

    private static func matches(_ pattern: String, _ segment: String) -> Bool {
        if pattern.hasPrefix("{"), pattern.hasSuffix("}") { return true }
        if pattern.hasSuffix("*") { return segment.hasPrefix(pattern.dropLast()) }
        return pattern == segment
    }

    private static func segments(_ path: String) -> [String] {
        path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
            .map { PercentDecoding.repair($0.utf8.span).lowercased().prefix { $0 != ";" } }
            .filter { !$0.isEmpty }
            .map(String.init)
    }
}
