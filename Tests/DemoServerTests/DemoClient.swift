import Backlot
import Testing

@testable import demo_server

/// A client of one mount, in process: it keeps cookies as real ones do, and takes pages for plain JSON.
final class DemoClient {
    /// An answer as it goes over the wire.
    struct Answer {
        let status: Int
        let headers: HTTPFields
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    let mount: DemoMount
    private let handler: any Handler
    private(set) var cookies: [String: String] = [:]

    init(_ mount: DemoMount, _ handler: any Handler) {
        self.mount = mount
        self.handler = handler
    }

    /// A client of a server of its own.
    convenience init(_ mount: DemoMount, stores: DemoStores = DemoStores()) {
        self.init(mount, DemoClient.server(stores))
    }

    /// A server, for several clients.
    static func server(_ stores: DemoStores = DemoStores()) -> any Handler {
        let router = Router()
        DemoCatalogue.register(on: router, stores: stores)
        return router.handler()
    }

    /// Asks for something below the base URL.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) async throws -> Answer {
        try await send(method, fromRoot: mount.url(path), headers: headers, body: body)
    }

    /// Asks for something by its path from the host's root, as for pictures.
    func send(
        _ method: HTTPRequest.Method,
        fromRoot target: String,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) async throws -> Answer {
        var headers = headers
        if !cookies.isEmpty { headers[.cookie] = cookies.map { "\($0)=\($1)" }.joined(separator: "; ") }
        let request = try Request(method, target, headers: headers, body: body)
        let response = await answer(to: request)
        take(response.headers[values: .setCookie])
        let body: [UInt8] = if case .bytes(let bytes) = response.body { bytes } else { [] }
        return Answer(status: response.status.code, headers: response.headers, body: body)
    }

    /// What the server makes of errors.
    private func answer(to request: Request) async -> Response {
        do {
            return try await handler.handle(request)
        } catch let error as any HTTPError {
            var response = Response.text(error.reason, status: error.status)
            response.headers.append(contentsOf: error.headers)
            return response
        } catch {
            return .text("\(error)", status: .internalServerError)
        }
    }

    /// Calls an rpc, or refreshes a page, with variables.
    func post(_ path: String, _ variables: JSONObject = [:]) async throws -> Answer {
        try await send(
            .post,
            path,
            headers: [.accept: "application/vnd.applin_response", .contentType: "application/json"],
            body: JSONValue.object(variables).bytes
        )
    }

    /// A page, loaded; with variables, refreshed.
    func page(_ path: String, _ variables: JSONObject? = nil) async throws -> PageJSON {
        let accept: HTTPFields = [.accept: "application/vnd.applin_response"]
        let answer =
            if let variables { try await post(path, variables) } else { try await send(.get, path, headers: accept) }
        guard answer.status == 200, answer.headers[.contentType] == "application/vnd.applin_response" else {
            throw NoPage(path: path, status: answer.status, text: answer.text)
        }
        return PageJSON(value: try JSONValue(parsing: answer.body), dialect: mount.dialect)
    }

    /// Logs in on the page for that.
    func logIn(_ name: String = "ann") async throws {
        let answer = try await post("/log_in/submit", ["log_in_name": .string(name), "log_in_password": "secret"])
        guard answer.status == 200 else {
            throw NoPage(path: "/log_in/submit", status: answer.status, text: answer.text)
        }
    }

    /// What the action `logout` does.
    func forgetSession() { cookies["session"] = nil }

    private func take(_ fields: [String]) {
        for field in fields {
            let parts = field.split(separator: ";").map { $0.drop { $0 == " " } }
            guard let cookie = parts.first, let equals = cookie.firstIndex(of: "=") else { continue }
            let name = String(cookie[..<equals])
            let isOver = parts.contains { $0.lowercased() == "max-age=0" }
            cookies[name] = isOver ? nil : String(cookie[cookie.index(after: equals)...])
        }
    }

    /// An answer where a page was expected.
    struct NoPage: Error {
        let path: String
        let status: Int
        let text: String
    }
}

extension DemoMount: CustomTestStringConvertible {
    /// The path, which names a test's case.
    public var testDescription: String { path }
}
