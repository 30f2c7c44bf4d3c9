import Backlot
import Logging

/// A stub that a request nearly matched.
public struct NearMiss: Sendable {
    /// The stub.
    public let stub: Stub
    /// The conditions that failed.
    public let match: Match
}

extension NearMiss: CustomStringConvertible {
    /// `GET /users/{id} (users/[id].get.json:1)`, and below it the conditions that failed.
    public var description: String {
        let failures = match.failures.map { "\n    \($0)" }.joined()
        return "\(stub.title) (\(stub.source))\(failures)"
    }
}

extension Stub {
    /// The method and path, for messages.
    public var title: String {
        let methods =
            request.methods.isEmpty
            ? "ANY" : request.methods.filter { $0 != .head }.map(\.rawValue).joined(separator: ", ")
        let title = "\(methods) \(request.url.key?.value ?? "any path")"
        return name.map { "\(title) \"\($0)\"" } ?? title
    }
}

extension MockBackend {
    /// The stubs that a request nearly matched, the nearest first.
    public func nearMisses(of request: MockRequest, limit: Int = 3) -> [NearMiss] {
        var budget = MatchBudget(request)
        defer { givenUpLog.note(budget, request.title) }
        return nearMisses(of: request, limit: limit, &budget)
    }

    func nearMisses(of request: MockRequest, limit: Int, _ budget: inout MatchBudget) -> [NearMiss] {
        // Comparing texts is expensive: only the stubs with the nearest paths are compared in full.
        let near = stubs.entries
            .map { (stub: $0.stub, distance: $0.stub.request.url.roughDistance(from: request.path)) }
            .sorted { $0.distance < $1.distance }
            .prefix(50)
        let misses = near.map { NearMiss(stub: $0.stub, match: mismatch($0.stub, request, &budget)) }
        return Array(
            misses.filter { !$0.match.isMatch }.sorted { $0.match.distance < $1.match.distance }.prefix(limit)
        )
    }

    /// The differences between a request and a stub, including its scenario's state.
    private func mismatch(_ stub: Stub, _ request: MockRequest, _ budget: inout MatchBudget) -> Match {
        let scope = scope(of: request, by: stateKey(of: stub.source))
        budget.now = clocks.areSet ? clocks.time(of: scope) : nil
        var match = stub.request.match(request, &budget)
        var failures = self.failures(of: stub, request, scope, &budget)
        if let scenario = stub.scenario, let required = scenario.requiredState {
            let current = scenarios.state(of: scenario.name, in: scope)
            if current != required {
                let subject = "scenario \(scenario.name)"
                failures.insert(.init(subject: subject, expected: required.shown, actual: current.shown), at: 0)
            }
        }
        match.failures += failures
        if !failures.isEmpty { match.distance = max(match.distance, 0.02) }
        return match
    }
}

extension URLPattern {
    /// The approximate distance of a path, calculated cheaply: the share of segments that differ.
    fileprivate func roughDistance(from path: String) -> Double {
        let own: [Substring]
        switch self {
        case .any: return 0.5
        case .urlMatching, .pathMatching: return 0.4
        case .url(let text), .path(let text): own = text.prefix { $0 != "?" }.split(separator: "/")
        case .template(let template): own = template.text.split(separator: "/")
        }
        let sent = path.split(separator: "/")
        let same = zip(own, sent).reduce(0.0) { sum, pair in
            let (left, right) = pair
            if left == right || left.first == "{" { return sum + 1 }
            let prefix = zip(left.utf8, right.utf8).prefix { $0 == $1 }.count
            let suffix = zip(left.utf8.reversed(), right.utf8.reversed()).prefix { $0 == $1 }.count
            let (shorter, longer) = (min(left.utf8.count, right.utf8.count), max(left.utf8.count, right.utf8.count))
            return sum + 0.9 * Double(min(prefix + suffix, shorter)) / Double(longer)
        }
        return 1 - same / Double(max(own.count, sent.count, 1))
    }
}

/// Reports why no stub has matched, if nothing else has responded either.
struct NearestRoutes: Fallback {
    let backend: MockBackend

    func respond(to request: Request) throws -> Ready<Response?> {
        guard backend.covers(request.path) else { return .ready(nil) }
        return .pending { try await response(to: request) }
    }

    private func response(to request: Request) async throws -> Response {
        var body: [UInt8] = []
        do {
            body = try await request.collectSharedBody(upTo: backend.configuration.bodyLimit)
        } catch RequestError.bodyTooLarge {
            // The missing route is more important.
        }
        let mockRequest = MockRequest(request, body: body, below: backend.prefix)
        var report = MismatchReport(
            request: mockRequest,
            target: request.target,
            // Comparing with many stubs takes time, and other connections mustn't wait for it.
            nearMisses: try await Blocking.compute { [backend] in
                // The nearest three routes, each with its nearest response.
                var titles: Set<String> = []
                let misses = backend.nearMisses(of: mockRequest, limit: 20)
                return Array(misses.filter { titles.insert($0.stub.title).inserted }.prefix(3))
            },
            broken: backend.broken.isEmpty ? [] : backend.broken.problems(about: mockRequest)
        )
        backend.logger.notice("\(report)")
        report.isRedacted = backend.administrators.withLock { $0.first }?.admitsCommand(request) != true
        let response = Response.text("\(report)\n", status: .notFound).naming(report.broken)
        let scope = backend.scope(of: mockRequest, by: backend.stateKey(of: .runTime))
        backend.configuration.observer?.responded(
            MockExchange(request: mockRequest, stub: nil, response: response, scope: scope)
        )
        return response
    }
}

/// The reasons why a request has matched no stub.
struct MismatchReport: CustomStringConvertible {
    let request: MockRequest
    let target: String
    let nearMisses: [NearMiss]
    /// The mistakes in files that may concern the request.
    var broken: [MockFileError] = []
    /// Whether it is for clients without access to the stubs: it then leaves out secrets that the stubs expect.
    var isRedacted = true

    var description: String {
        let files = broken.prefix(3).map { "\nA file is broken and can't answer: \($0)" }.joined()
        let head = "No mock answers \(request.method) \(target).\(files)"
        guard !nearMisses.isEmpty else { return "\(head) There are no mocks at all." }
        return "\(head)\(broken.isEmpty ? " " : "\n")The nearest:\n"
            + nearMisses.map { "  \(isRedacted ? $0.redacted : $0.description)" }.joined(separator: "\n")
    }
}

extension NearMiss {
    private static let names = SecretNames()

    /// The same as `description`, with `(redacted)` instead of possible secrets.
    fileprivate var redacted: String {
        let title = Self.mayHoldSecret(stub.title) ? String(stub.title.prefix { $0 != "?" }) : stub.title
        let failures = match.failures.map { failure in
            var failure = failure
            let isCookie = failure.subject.hasPrefix("\(RequestPattern.Part.cookie.rawValue) ")
            if isCookie || Self.mayHoldSecret("\(failure.subject) \(failure.expected)") {
                failure.expected = JournalRedaction.mark
                failure.actual = failure.actual.map { _ in JournalRedaction.mark }
            }
            return "\n    \(failure)"
        }
        return "\(title) (\(stub.source))\(failures.joined())"
    }

    /// Whether a text names a secret, such as `Authorization`, `Cookie` or `$.password`, or contains a possible secret.
    private static func mayHoldSecret(_ text: String) -> Bool {
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_" }
        return words.contains { $0.lowercased() == "cookie" || names.kind(of: String($0)) != nil }
            || SecretShapes.found(in: text).contains { $0.kind != SecretShapes.mail }
    }
}
