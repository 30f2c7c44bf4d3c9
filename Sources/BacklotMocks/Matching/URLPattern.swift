import Backlot

/// The URLs that a stub answers.
enum URLPattern: Sendable {
    /// Anything.
    case any
    /// Path and query, percent-encoded as they are sent.
    case url(String)
    /// Path and query must match a regular expression.
    case urlMatching(Pattern)
    /// The path; the query doesn't count.
    case path(String)
    /// The path must match a regular expression.
    case pathMatching(Pattern)
    /// The path has parameters.
    case template(PathPattern)

    /// The key of WireMock's form, and the text under it.
    var key: (name: String, value: String)? {
        switch self {
        case .any: nil
        case .url(let url): ("url", url)
        case .urlMatching(let pattern): ("urlPattern", pattern.source)
        case .path(let path): ("urlPath", path)
        case .pathMatching(let pattern): ("urlPathPattern", pattern.source)
        case .template(let template): ("urlPathTemplate", template.text)
        }
    }

    /// Whether a request's URL matches.
    func matches(_ request: MockRequest, _ budget: inout MatchBudget) -> Bool {
        switch self {
        case .any: true
        case .url(let url): request.url == url
        case .urlMatching(let pattern): budget.match(pattern, whole: request.url) == .matches
        case .path(let path): request.path == path || request.pathSegments == PathSegments.ofMock(path)
        case .pathMatching(let pattern): budget.match(pattern, whole: request.path) == .matches
        case .template(let template): template.matches(request.pathSegments)
        }
    }

    /// The paths that may match; nil where that takes a comparison with each path.
    var path: PathPattern? {
        switch self {
        case .any, .urlMatching, .pathMatching: nil
        case .url(let url): PathPattern(PathSegments.ofMock(String(url.prefix { $0 != "?" })).map { .literal($0) })
        case .path(let path): PathPattern(PathSegments.ofMock(path).map { .literal($0) })
        case .template(let template): template
        }
    }

    /// The values of the path's parameters; the URL matches the request's.
    func parameters(of request: MockRequest) -> PathParameters {
        guard case .template(let template) = self else { return .none }
        return PathParameters(template, in: request.pathSegments)
    }

    /// The distance of a request's URL that doesn't match, from 0 to 1.
    func distance(from request: MockRequest) -> Double {
        switch self {
        case .any: return 0
        case .url(let url): return EditDistance.share(url, request.url)
        case .path(let path): return EditDistance.share(path, request.path)
        case .urlMatching(let pattern): return EditDistance.share(pattern.source, request.url)
        case .pathMatching(let pattern): return EditDistance.share(pattern.source, request.path)
        case .template(let template):
            let segments = request.pathSegments
            guard segments.count == template.segments.count else {
                return EditDistance.share(template.text, request.path)
            }
            let filled = zip(template.segments, segments).map { segment, sent in
                if case .literal(let text) = segment { text } else { sent }
            }
            return EditDistance.share("/" + filled.joined(separator: "/"), request.path)
        }
    }

    func failure(for request: MockRequest) -> Match.Failure {
        let (expected, actual): (String, String) =
            switch self {
            case .any: ("any", request.url)
            case .url(let url): (url.shown, request.url)
            case .urlMatching(let pattern): ("a match of \(pattern.source.shown)", request.url)
            case .path(let path): (path.shown, request.path)
            case .pathMatching(let pattern): ("a match of \(pattern.source.shown)", request.path)
            case .template(let template): (template.text.shown, request.path)
            }
        return Match.Failure(subject: "url", expected: expected, actual: actual.shown)
    }
}
