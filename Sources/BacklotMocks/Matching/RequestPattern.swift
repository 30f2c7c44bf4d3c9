package import Backlot
import BacklotJSON
public import HTTPTypes

/// The requests that a stub answers, in WireMock's terms.
public struct RequestPattern: Sendable {
    /// The parts of a request that may have several values under one name.
    enum Part: String, Sendable {
        case header, cookie
        case query = "query parameter"
        case pathParameter = "path parameter"
        case form = "form parameter"
    }

    /// The parts of a request that have one value.
    enum Fact: String, Sendable {
        case scheme, host, port, clientIp
    }

    /// A condition besides method and URL.
    enum Condition: Sendable {
        case values(Part, String, MultiValuePattern)
        case variable(String, ContentPattern)
        case body(ContentPattern)
        case fact(Fact, ContentPattern)
        case multipart(MultipartPattern)
        /// A method that is none of these.
        case otherMethod([HTTPRequest.Method])
    }

    /// The methods; empty for any.
    public internal(set) var methods: [HTTPRequest.Method] = []
    var url = URLPattern.any
    /// The path, or its template; nil where any, or a regular expression, is asked for.
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

    /// Whether a request whose method and URL match meets all other conditions.
    func meetsConditions(_ request: MockRequest, _ budget: inout MatchBudget) -> Bool {
        conditions.allSatisfy { $0.isMet(by: request, url, &budget) }
    }

    /// Compares a request with the pattern, and says what is different.
    public func match(_ request: MockRequest) -> Match {
        var budget = MatchBudget(request)
        return match(request, &budget)
    }

    func match(_ request: MockRequest, _ budget: inout MatchBudget) -> Match {
        var failures: [Match.Failure] = []
        // The weights are such that a request for the same path is nearer than one with the same headers.
        var distance = 0.0
        var weight = 13.0
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
            weight += 1
            giveUps = budget.giveUps
            guard !condition.isMet(by: request, url, &budget) else { continue }
            failures.append(condition.failure(for: request, url).givenUp(budget.giveUps > giveUps))
            distance += condition.distance(from: request, url, &budget)
        }
        return Match(failures: failures, distance: failures.isEmpty ? 0 : distance / weight)
    }
}

extension RequestPattern.Condition {
    func isMet(by request: MockRequest, _ url: URLPattern, _ budget: inout MatchBudget) -> Bool {
        switch self {
        case .values(let part, let name, let pattern): pattern.matches(request.values(of: part, name, url), &budget)
        case .variable(let name, let pattern): pattern.matches(request.variable(name), &budget)
        case .body(let pattern): pattern.matches(.body(request), &budget)
        case .fact(let fact, let pattern): pattern.matches(.text(request.value(of: fact)), &budget)
        case .multipart(let pattern): pattern.matches(request, &budget)
        case .otherMethod(let methods): !methods.contains(request.method)
        }
    }

    /// The distance of a request that doesn't meet it, from 0 to 1.
    func distance(from request: MockRequest, _ url: URLPattern, _ budget: inout MatchBudget) -> Double {
        switch self {
        case .values(let part, let name, let pattern):
            pattern.distance(from: request.values(of: part, name, url), &budget)
        case .variable(let name, let pattern): pattern.distance(from: request.variable(name), &budget)
        case .body(let pattern): pattern.distance(from: .body(request), &budget)
        case .fact(let fact, let pattern): pattern.distance(from: .text(request.value(of: fact)), &budget)
        case .multipart, .otherMethod: 1
        }
    }

    func failure(for request: MockRequest, _ url: URLPattern) -> Match.Failure {
        switch self {
        case .values(let part, let name, let pattern):
            let values = request.values(of: part, name, url)
            let actual = values.isEmpty ? nil : values.map(\.shown).joined(separator: ", ")
            return .init(subject: "\(part.rawValue) \(name)", expected: pattern.expected, actual: actual)
        case .variable(let name, let pattern):
            return .init(subject: "variable \(name)", expected: "\(pattern)", actual: request.variable(name).shown)
        case .body(let pattern):
            return .init(subject: "body", expected: "\(pattern)", actual: Subject.body(request).shown)
        case .fact(let fact, let pattern):
            return .init(subject: fact.rawValue, expected: "\(pattern)", actual: request.value(of: fact).shown)
        case .multipart(let pattern):
            let actual = request.parts.map { "a form of \($0.count) parts" } ?? "no form of parts"
            return .init(subject: "parts", expected: pattern.description, actual: actual)
        case .otherMethod(let methods):
            let expected = "anything but \(methods.map(\.rawValue).alternatives)"
            return .init(subject: "method", expected: expected, actual: request.method.rawValue)
        }
    }
}

extension MockRequest {
    fileprivate func value(of fact: RequestPattern.Fact) -> String {
        switch fact {
        case .scheme: scheme
        case .host: host
        case .port: "\(port)"
        case .clientIp: remoteAddress.host
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

    fileprivate func variable(_ name: String) -> Subject {
        variables[name].map(Subject.json) ?? .absent
    }
}

/// The result of comparing a request with a pattern.
public struct Match: Sendable, Equatable {
    /// A condition that the request doesn't meet.
    public struct Failure: Sendable, Equatable, CustomStringConvertible {
        /// The part of the request: `method`, `header Accept`, `variable agree`.
        public var subject: String
        /// What the pattern asks for.
        public var expected: String
        /// The request's value; nil where it is missing.
        public var actual: String?
        /// Whether the comparison was given up, because it takes too many steps: that counts as a difference.
        public var isGivenUp = false

        /// `header Accept: equal to "a" is expected, but it is "b"`.
        public var description: String {
            let text = "\(subject): \(expected) is expected, but \(actual.map { "it is \($0)" } ?? "there is none")"
            return isGivenUp ? text + "; comparing them takes too many steps and was given up" : text
        }

        func givenUp(_ isGivenUp: Bool) -> Failure {
            var failure = self
            failure.isGivenUp = isGivenUp
            return failure
        }
    }

    /// The conditions that failed, in the order of the pattern.
    public var failures: [Failure]
    /// How far the request is from the pattern: 0 for a match, at most 1.
    public var distance: Double

    /// Whether the request meets every condition.
    public var isMatch: Bool { failures.isEmpty }
}

extension String {
    /// The text in quotes, cut when it is long.
    package var shown: String { "\"\(excerpt(upTo: 80))\"" }
}
