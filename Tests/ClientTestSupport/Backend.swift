package import Backlot
package import BacklotClients

/// A backend for one test: pages and answers by their paths, and what it was asked for.
package final class Backend: Sendable {
    /// A request as it came.
    package struct Received: Sendable, Equatable, CustomStringConvertible {
        package let method: String
        package let target: String
        package let body: String

        package var description: String { "\(method) \(target)\(body.isEmpty ? "" : " \(body)")" }
    }

    private struct State {
        var responses: [String: @Sendable (Request) async throws -> Response] = [:]
        var received: [Received] = []
        var headers: [HTTPFields] = []
    }

    private let state = Locked(State())

    /// A backend that answers nothing yet.
    package init() {}

    /// A backend with one page, whose widgets stand in a form.
    package init(_ path: String, title: String = "A Page", more: String = "", _ widgets: String...) {
        page(path, Self.form(title: title, more: more, widgets))
    }

    /// What it was asked for: `POST /save {"a":"b"}`.
    package var log: [String] { state.withLock { $0.received.map(\.description) } }

    /// The header fields of each request.
    package var headers: [HTTPFields] { state.withLock { $0.headers } }

    /// Forgets what it was asked for.
    package func clearLog() { state.withLock { ($0.received, $0.headers) = ([], []) } }

    /// Answers a path, whatever the method.
    package func on(_ path: String, _ response: @escaping @Sendable (Request) async throws -> Response) {
        state.withLock { $0.responses[path] = response }
    }

    /// Answers a path with a page; the text is what stands between `{"page":` and `}`.
    package func page(_ path: String, _ json: String) {
        on(path) { _ in .page(json) }
    }

    /// Answers a path with a page whose widgets stand in a form.
    package func form(_ path: String, title: String = "A Page", more: String = "", _ widgets: String...) {
        page(path, Self.form(title: title, more: more, widgets))
    }

    package static func form(title: String = "A Page", more: String = "", _ widgets: [String]) -> String {
        let list = widgets.joined(separator: ",")
        return
            #"{"typ":"nav_page","title":"\#(title)"\#(more.isEmpty ? "" : ",\(more)"),"widget":{"typ":"scroll","widget":{"typ":"form","widgets":[\#(list)]}}}"#
    }

    /// A button with actions as JSON.
    package static func button(_ text: String, _ actions: String...) -> String {
        #"{"typ":"form_button","text":"\#(text)","actions":[\#(actions.joined(separator: ","))]}"#
    }

    /// Answers a path with a status and a text.
    package func status(_ path: String, _ status: HTTPResponse.Status, _ text: String = "") {
        on(path) { _ in text.isEmpty ? Response(status: status) : .text(text, status: status) }
    }

    private func respond(to request: Request) async throws -> Response {
        let body = String(decoding: try await request.body.collect(), as: UTF8.self)
        let response = state.withLock { state in
            state.received.append(Received(method: request.method.rawValue, target: request.target, body: body))
            var headers = HTTPFields()
            for (name, value) in request.headers {
                if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
            }
            state.headers.append(headers)
            return state.responses[request.path]
        }
        guard let response else { return .text("nothing is at \(request.path)", status: .notFound) }
        return try await response(request)
    }

    /// What answers.
    package var handler: FunctionHandler { FunctionHandler { try await self.respond(to: $0) } }

    /// A client of it, in process.
    package func client(
        at basePath: String = "/",
        as version: ClientVersion? = nil,
        _ configure: (inout ApplinClientConfiguration) -> Void = { _ in }
    ) throws -> ApplinClient {
        var configuration = ApplinClientConfiguration()
        configure(&configuration)
        return try ApplinClient(
            FunctionHandler { try await self.respond(to: $0) },
            at: basePath,
            client: version,
            configuration: configuration
        )
    }

    /// A client that was launched.
    package func launched(
        at basePath: String = "/",
        _ configure: (inout ApplinClientConfiguration) -> Void = { _ in }
    ) async throws -> ApplinClient {
        let app = try client(at: basePath, configure)
        try await app.launch()
        clearLog()
        return app
    }
}

extension Backend {
    /// The action that leads from `/` to `/next`.
    package static let push = #"{"typ":"push","page":"/next"}"#

    /// A backend whose first page leads to `/next`.
    package static func leading(by action: String = push) -> Backend {
        let backend = Backend()
        backend.form("/", Backend.button("Go", action))
        backend.form("/next", #"{"typ":"text","text":"There"}"#)
        return backend
    }
}

extension Response {
    /// The answer with more header fields.
    package func adding(_ fields: HTTPFields) -> Response {
        var response = self
        for field in fields { response.headers.append(field) }
        return response
    }

    /// A page, from the text between `{"page":` and `}`.
    package static func page(_ json: String) -> Response {
        Response(
            headers: [.contentType: "application/vnd.applin_response"],
            body: .bytes(Array(#"{"page":\#(json)}"#.utf8))
        )
    }
}

/// The problem of a step that can't be done; nil for one that can.
package func stepProblem(_ step: () async throws -> Void) async -> String? {
    do {
        try await step()
        return nil
    } catch {
        return (error as? StepError)?.problem ?? "\(error)"
    }
}

/// The rules that a backend breaks in a step; nil for a step in which it breaks none.
package func brokenRules(_ step: () async throws -> Void) async -> [String]? {
    do {
        try await step()
        return nil
    } catch {
        return (error as? BackendError)?.findings.map(\.rule) ?? ["\(error)"]
    }
}
