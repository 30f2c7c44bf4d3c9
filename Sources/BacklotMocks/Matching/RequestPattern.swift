public import Backlot

/// The requests that a stub matches, in WireMock's terms.
public struct RequestPattern: Sendable {
    /// The parts of a request that may have several values under one name.
    enum Part: String, Sendable {
        case header, cookie
        case query = "query parameter"
        case pathParameter = "path parameter"
        case form = "form parameter"
    }

    /// The parts of a request that have one value.
    enum Fact: Sendable {
        case variable(String)
        case body, scheme, host, port, clientIp
    }

    /// A condition besides method and URL.
    enum Condition: Sendable {
        case values(Part, String, MultiValuePattern)
        case fact(Fact, ContentPattern)
        case multipart(MultipartPattern)
        /// A method that isn't one of these.
        case otherMethod([HTTPRequest.Method])
    }

    /// The methods; empty for any.
    public internal(set) var methods: [HTTPRequest.Method] = []
    var url = URLPattern.any
    /// The path, or its template; nil if the pattern takes any path, or a regular expression.
    package var path: PathPattern? { url.path }
    var conditions: [Condition] = []

    /// A pattern that every request matches.
    public init() {}

    /// Whether a request meets every condition. It is cheaper than ``match(_:)``.
    public func matches(_ request: MockRequest) -> Bool {
        var budget = MatchBudget(request)
        return matches(request, &budget)
    }

    package func matches(_ request: MockRequest, _ budget: inout MatchBudget) -> Bool {
        guard methods.isEmpty || methods.contains(request.method), url.matches(request, &budget) else { return false }
        return meetsConditions(request, &budget)
    }

    /// Whether a request with a matching method and URL meets all other conditions.
    func meetsConditions(_ request: MockRequest, _ budget: inout MatchBudget) -> Bool {
        conditions.allSatisfy { $0.isMet(by: request, url, &budget) }
    }

    /// Compares a request with the pattern, and returns the differences.
    public func match(_ request: MockRequest) -> Match {
        var budget = MatchBudget(request)
        return match(request, &budget)
    }

    func match(_ request: MockRequest, _ budget: inout MatchBudget) -> Match {
        var failures: [Match.Failure] = []
        // With these weights, a request for the same path is nearer than one with the same headers.
        var distance = 0.0
        if !methods.isEmpty, !methods.contains(request.method) {
            let expected = methods.map(\.rawValue).alternatives
            failures.append(.init(subject: "method", expected: expected, actual: request.method.rawValue))
            distance += 3
        }
        var giveUps = budget.giveUps
        if !url.matches(request, &budget) {
            failures.append(url.failure(for: request).givenUp(budget.giveUps > giveUps))
            distance += 10 * url.distance(from: request)
        }
        for condition in conditions {
            giveUps = budget.giveUps
            guard !condition.isMet(by: request, url, &budget) else { continue }
            failures.append(condition.failure(for: request, url).givenUp(budget.giveUps > giveUps))
            distance += condition.distance(from: request, url, &budget)
        }
        return Match(failures: failures, distance: distance / Double(13 + conditions.count))
    }
}

extension RequestPattern.Condition {
    func isMet(by request: MockRequest, _ url: URLPattern, _ budget: inout MatchBudget) -> Bool {
        switch self {
        case .values(let part, let name, let pattern): pattern.matches(request.values(of: part, name, url), &budget)
        case .fact(let fact, let pattern): pattern.matches(request.value(of: fact), &budget)
        case .multipart(let pattern): pattern.matches(request, &budget)
        case .otherMethod(let methods): !methods.contains(request.method)
        }
    }

    /// The distance of a request that doesn't meet it, from 0 to 1.
    fileprivate func distance(from request: MockRequest, _ url: URLPattern, _ budget: inout MatchBudget) -> Double {
        switch self {
        case .values(let part, let name, let pattern):
            pattern.distance(from: request.values(of: part, name, url), &budget)
        case .fact(let fact, let pattern): pattern.distance(from: request.value(of: fact), &budget)
        case .multipart, .otherMethod: 1
        }
    }

    fileprivate func failure(for request: MockRequest, _ url: URLPattern) -> Match.Failure {
        switch self {
        case .values(let part, let name, let pattern):
            let values = request.values(of: part, name, url)
            let actual = values.isEmpty ? nil : values.map(\.shown).joined(separator: ", ")
            return .init(subject: "\(part.rawValue) \(name)", expected: "\(pattern)", actual: actual)
        case .fact(.variable(let name), let pattern):
            let actual = request.value(of: .variable(name)).shown
            return .init(subject: "variable \(name)", expected: "\(pattern)", actual: actual)
        case .fact(let fact, let pattern):
            return .init(subject: "\(fact)", expected: "\(pattern)", actual: request.value(of: fact).shown)
        case .multipart(let pattern):
            let actual = request.parts.map { "a form of \($0.count) parts" } ?? "no form of parts"
            return .init(subject: "parts", expected: "\(pattern)", actual: actual)
        case .otherMethod(let methods):
            let expected = "anything but \(methods.map(\.rawValue).alternatives)"
            return .init(subject: "method", expected: expected, actual: request.method.rawValue)
        }
    }
}

extension MockRequest {
    fileprivate func value(of fact: RequestPattern.Fact) -> Subject {
        switch fact {
        case .variable(let name): variables[name].map(Subject.json) ?? .absent
        case .body: .body(self)
        case .scheme: .text(scheme)
        case .host: .text(host)
        case .port: .text("\(port)")
        case .clientIp: .text(clientAddress.host)
        }
    }

    fileprivate func values(of part: RequestPattern.Part, _ name: String, _ url: URLPattern) -> [String] {
        switch part {
        case .header: return headerValues(name)
        case .cookie: return cookies.filter { $0.name == name }.map(\.value)
        case .form: return formParameters.filter { $0.name == name }.map(\.value)
        case .query: return queryParameters.filter { $0.name == name }.map(\.value)
        case .pathParameter:
            guard case .template(let template) = url, template.matches(pathSegments) else { return [] }
            return url.parameters(of: self)[name].map { [$0] } ?? []
        }
    }
}

/// A condition on all values of one name, such as those of a header field that is repeated or missing.
struct MultiValuePattern: Sendable, CustomStringConvertible {
    private enum Count {
        /// At least one value matches, or the pattern accepts a missing value.
        case any
        /// Exactly these values, in any order.
        case exactly
        /// These values, and perhaps others.
        case atLeast
    }

    let patterns: [ContentPattern]
    private let count: Count

    init(_ pattern: ContentPattern) {
        self.init([pattern], .any)
    }

    private init(_ patterns: [ContentPattern], _ count: Count) {
        (self.patterns, self.count) = (patterns, count)
    }

    init(_ field: LocatedValue, _ reading: inout MockReader) throws(StubError) {
        guard let key = ["hasExactly", "includes"].first(where: { field[$0] != nil }), let list = field[key] else {
            self.init(try ContentPattern(field, &reading))
            return
        }
        try reading.refuse(field, but: [key])
        self.init(try list.matchers(&reading), key == "includes" ? .atLeast : .exactly)
    }

    func matches(_ values: [String], _ budget: inout MatchBudget) -> Bool {
        if count == .any, values.isEmpty { return patterns[0].matches(.absent, &budget) }
        guard count != .exactly || values.count == patterns.count else { return false }
        // A value may serve several matchers, as in WireMock.
        return patterns.allSatisfy { pattern in values.contains { pattern.matches(.text($0), &budget) } }
    }

    /// The distance of values that don't match, from 0 to 1.
    func distance(from values: [String], _ budget: inout MatchBudget) -> Double {
        guard count == .any else { return 1 }
        return values.map { patterns[0].distance(from: .text($0), &budget) }.min() ?? 1
    }

    var description: String {
        (count == .exactly ? "exactly " : "") + patterns.map(\.description).joined(separator: " and ")
    }
}

/// The URLs that a stub matches.
enum URLPattern: Sendable {
    /// Anything.
    case any
    /// Path and query, percent-encoded as sent.
    case url(String)
    /// Path and query must match a regular expression.
    case urlMatching(PCRERegex)
    /// The path; the query doesn't count.
    case path(String)
    /// The path must match a regular expression.
    case pathMatching(PCRERegex)
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
        case .url(let url): request.url == url || request.sentURL == url
        case .urlMatching(let pattern):
            budget.match(pattern, whole: request.url) == .matches
                || request.sentURL.map { budget.match(pattern, whole: $0) == .matches } ?? false
        case .path(let path): request.path == path || request.pathSegments == PathSegments.ofMock(path)
        case .pathMatching(let pattern):
            budget.match(pattern, whole: request.path) == .matches
                || request.sentURL.map { budget.match(pattern, whole: String($0.prefix { $0 != "?" })) == .matches }
                    ?? false
        case .template(let template): template.matches(request.pathSegments)
        }
    }

    /// The paths that may match; nil if each path must be compared.
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

    /// The part of a request that it is compared with.
    private func sent(_ request: MockRequest) -> String {
        key?.name.hasPrefix("urlPath") == true ? request.path : request.url
    }

    /// The distance of a request's URL that doesn't match, from 0 to 1.
    func distance(from request: MockRequest) -> Double {
        guard var expected = key?.value else { return 0 }
        if case .template(let template) = self, template.segments.count == request.pathSegments.count {
            let filled = zip(template.segments, request.pathSegments).map { segment, sent in
                if case .literal(let text) = segment { text } else { sent }
            }
            expected = "/" + filled.joined(separator: "/")
        }
        return EditDistance.share(expected, sent(request))
    }

    func failure(for request: MockRequest) -> Match.Failure {
        let isPattern = key?.name.hasSuffix("Pattern") == true
        let expected = key.map { isPattern ? "a match of \($0.value.shown)" : $0.value.shown } ?? "any"
        return Match.Failure(subject: "url", expected: expected, actual: sent(request).shown)
    }
}

/// The result of comparing a request with a pattern.
public struct Match: Sendable, Equatable {
    /// A condition that the request doesn't meet.
    public struct Failure: Sendable, Equatable, CustomStringConvertible {
        /// The part of the request: `method`, `header Accept`, `variable agree`.
        public var subject: String
        /// The value that the pattern expects.
        public var expected: String
        /// The request's value; nil if it is missing.
        public var actual: String?
        /// Whether the comparison was aborted, because it takes too many steps; that counts as a difference.
        public var isGivenUp = false

        /// `header Accept: equal to "a" is expected, but it is "b"`.
        public var description: String {
            let text = "\(subject): \(expected) is expected, but \(actual.map { "it is \($0)" } ?? "there is none")"
            return isGivenUp ? text + "; comparing them takes too many steps and was given up" : text
        }

        fileprivate func givenUp(_ isGivenUp: Bool) -> Failure {
            var failure = self
            failure.isGivenUp = isGivenUp
            return failure
        }
    }

    /// The conditions that failed, in the order of the pattern.
    public var failures: [Failure]
    /// The distance of the request from the pattern: 0 for a match, at most 1.
    public var distance: Double

    /// Whether the request meets every condition.
    public var isMatch: Bool { failures.isEmpty }
}

extension String {
    /// The text in quotes, shortened if it is long.
    package var shown: String { "\"\(excerpt(upTo: 80))\"" }
}
