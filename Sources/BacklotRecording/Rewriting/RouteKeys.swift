import Backlot
package import BacklotMocks

/// The routes of mocks at one time, to find the route of a path.
package struct RouteKeys: Sendable {
    private let templates: [PathPattern]
    private let literals: Set<[String]>

    package init(_ mocks: MockBackend) {
        var templates: [PathPattern] = []
        var literals: Set<[String]> = []
        for stub in mocks.stubs.all {
            guard let path = stub.request.path else { continue }
            if path.hasParameters {
                if !templates.contains(path) { templates.append(path) }
            } else {
                literals.insert(path.segments.map { if case .literal(let text) = $0 { text } else { "" } })
            }
        }
        self.templates = templates
        self.literals = literals
    }

    /// The route of a path, with `*` in place of values such as those of parameters. The query is ignored.
    package func route(_ target: String) -> String {
        let path = String(target.prefix { $0 != "?" && $0 != "#" })
        guard path.hasPrefix("/") else { return path }
        var segments = PathSegments.ofMock(path)
        // A route with exactly this path takes precedence over one with parameters.
        if !literals.contains(segments), let template = templates.first(where: { $0.matches(segments) }) {
            for (index, segment) in template.segments.enumerated() where segment.name != nil { segments[index] = "*" }
        }
        return "/" + segments.map { $0.looksLikeID ? "*" : $0 }.joined(separator: "/")
    }
}
