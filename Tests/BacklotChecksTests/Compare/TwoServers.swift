import Applin
import Backlot
import BacklotChecks
import BacklotTesting
import ClientTestSupport

/// Two apps in this process, at `http://a/` and `http://b/`.
struct TwoServers: ClientTransport {
    private let a: InProcessTransport
    private let b: InProcessTransport

    init(_ a: ComparedApp, _ b: ComparedApp) throws {
        self.a = try InProcessTransport(FunctionHandler { try await a.respond(to: $0) })
        self.b = try InProcessTransport(FunctionHandler { try await b.respond(to: $0) })
    }

    func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse {
        var inner = request
        inner.url = try HTTPURL("http://localhost\(request.url.target)")
        switch request.url.host {
        case "a": return try await a.response(to: inner, limits: limits)
        case "b": return try await b.response(to: inner, limits: limits)
        default: throw .notConnected("there is nothing at \(request.url.host)")
        }
    }

    func diff(
        as appProtocol: AppProtocol = .applin,
        at path: String = "",
        _ configure: (inout ComparisonOptions) -> Void = { _ in }
    ) async throws -> ComparisonReport {
        var options = ComparisonOptions()
        configure(&options)
        return try await Comparison(
            "http://a/\(path)",
            "http://b/\(path)",
            as: appProtocol,
            transport: self,
            options: options
        )
        .report()
    }
}

/// An app with texts as responses, so that a test can change each of them.
struct ComparedApp: Sendable {
    typealias Responder = @Sendable (Request, String) async throws -> Response

    private var responses: [String: Responder] = [:]

    /// An app that responds to paths with texts.
    init(_ texts: [String: String] = [:], type: String = "application/json") {
        for (path, text) in texts { on(path) { _, _ in Self.response(text, type) } }
    }

    static func response(_ text: String, _ type: String = "application/vnd.applin_response") -> Response {
        Response(headers: [.contentType: type], body: .bytes(Array(text.utf8)))
    }

    /// Responds to a path; `response` gets the request's body, too.
    mutating func on(_ path: String, _ response: @escaping Responder) { responses[path] = response }

    /// Responds to a path with a page. `json` is the text between `{"page":` and `}`.
    mutating func page(_ path: String, _ json: String) {
        on(path) { _, _ in .page(json) }
    }

    /// Responds to a path with 404.
    mutating func remove(_ path: String) { responses[path] = nil }

    /// Replaces a text in a response.
    mutating func replace(_ path: String, _ old: String, _ new: String) {
        guard let result = responses[path] else { return }
        on(path) { request, body in
            var response = try await result(request, body)
            guard case .bytes(let bytes) = response.body else { return response }
            let text = String(decoding: bytes, as: UTF8.self)
            precondition(text.contains(old), "\(path) has no \(old)")
            response.body = .bytes(Array(text.replacing(old, with: new).utf8))
            return response
        }
    }

    /// Changes a response.
    mutating func change(_ path: String, _ change: @escaping @Sendable (inout Response) -> Void) {
        guard let result = responses[path] else { return }
        on(path) { request, body in
            var response = try await result(request, body)
            change(&response)
            return response
        }
    }

    func respond(to request: Request) async throws -> Response {
        let body = String(decoding: try await request.body.collect(), as: UTF8.self)
        guard let response = responses[request.path] else {
            return .text("nothing is at \(request.path)", status: .notFound)
        }
        return try await response(request, body)
    }

    func with(_ change: (inout ComparedApp) -> Void) -> ComparedApp {
        var app = self
        change(&app)
        return app
    }
}

extension ComparisonReport {
    /// Class, page and rule of each difference.
    var found: [String] { differences.map { "\($0.kind) \($0.finding.path.page) \($0.finding.rule)" } }
}

/// Counts calls.
final class Counter: Sendable {
    private let count: Locked<Int>

    init(_ start: Int = 0) { count = Locked(start) }

    /// The number of the call, from 1.
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
