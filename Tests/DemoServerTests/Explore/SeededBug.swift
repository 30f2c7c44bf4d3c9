import Backlot
import Testing

@testable import demo_server

/// A mistake that a copy of the demo makes, for exploring it: the demo's app for today's clients, with one answer spoiled.
struct SeededBug: Sendable, CustomTestStringConvertible {
    typealias Spoiling = @Sendable (Visit, any Handler) async throws -> Response

    /// A request below the app's base URL.
    struct Visit: Sendable {
        let request: Request
        let path: String
        let variables: JSONObject

        var isPost: Bool { request.method == .post }
        var cookie: String { request.headers[.cookie] ?? "" }
        func text(_ name: String) -> String { variables[name]?.string ?? "" }
    }

    /// What is wrong, in a few words.
    let name: String
    /// The rules of which one must find it.
    let rules: Set<String>
    /// Where it is found.
    let page: String
    /// Makes what spoils the answers; what it remembers begins anew each time.
    let make: @Sendable () -> Spoiling

    var testDescription: String { name }

    /// The demo with the mistake.
    func router() -> Router {
        let router = Router()
        let spoil = make()
        let mount = DemoMount.objects.path
        router.use { request, next in
            guard request.path.hasPrefix(mount), request.method != .put else {
                let visit = Visit(request: request, path: "/" + request.path.dropFirst(mount.count), variables: [:])
                return try await spoil(visit, next)
            }
            var request = request
            let body = try await request.body.collect()
            request.body = RequestBody(body)
            let variables = (try? JSONValue(parsing: body))?.object ?? [:]
            let path = "/" + request.path.dropFirst(mount.count)
            return try await spoil(Visit(request: request, path: path, variables: variables), next)
        }
        DemoCatalogue.register(on: router)
        return router
    }

    // MARK: Kinds

    /// A request is answered with something else.
    static func response(
        _ name: String,
        _ path: String,
        _ rules: Set<String> = ["server-error"],
        with response: Response = .text("Oops.", status: .internalServerError),
        when isMeant: @escaping @Sendable (Visit) -> Bool
    ) -> SeededBug {
        SeededBug(name: name, rules: rules, page: path) {
            { visit, next in
                visit.path == path && isMeant(visit) ? response : try await next(visit.request)
            }
        }
    }

    /// Something in a page is replaced.
    static func edit(
        _ name: String,
        _ path: String,
        _ rules: Set<String>,
        at page: String? = nil,
        _ old: String,
        _ new: String,
        when isMeant: @escaping @Sendable (Visit) -> Bool = { _ in true }
    ) -> SeededBug {
        SeededBug(name: name, rules: rules, page: page ?? path) {
            { visit, next in
                var response = try await next(visit.request)
                if visit.path == path, isMeant(visit) { response.edit { $0.replacing(old, with: new) } }
                return response
            }
        }
    }

    /// The text of a refusal is replaced.
    static func refusal(
        _ name: String,
        _ path: String,
        _ rules: Set<String> = ["developer-text"],
        text: String
    ) -> SeededBug {
        SeededBug(name: name, rules: rules, page: path) {
            { visit, next in
                guard visit.path == path else { return try await next(visit.request) }
                let refusal = Response.text(text, status: .unprocessableContent)
                do {
                    let response = try await next(visit.request)
                    return response.status == .unprocessableContent ? refusal : response
                } catch let error as any HTTPError where error.status == .unprocessableContent {
                    return refusal
                }
            }
        }
    }
}

extension Response {
    /// Changes the text of a body that is there.
    mutating func edit(_ change: (String) -> String) {
        guard case .bytes(let bytes) = body else { return }
        body = .bytes(Array(change(String(decoding: bytes, as: UTF8.self)).utf8))
    }

    /// Puts a widget before all others of a page.
    mutating func insert(_ widget: String) {
        edit { text in
            guard let range = text.firstRange(of: #""widgets":["#) else { return text }
            return text[..<range.upperBound] + widget + "," + text[range.upperBound...]
        }
    }
}

/// A number for each name, from 1 on.
struct Tally: Sendable {
    private let counts = Locked([String: Int]())

    func next(_ name: String) -> Int {
        counts.withLock { counts in
            counts[name, default: 0] += 1
            return counts[name] ?? 0
        }
    }
}
