import Backlot
import BacklotChecks
import BacklotTesting

/// A backend for one test: pages and answers by their paths, and what it was asked for.
final class Backend: Sendable {
    /// A request as it came.
    struct Received: Sendable, Equatable, CustomStringConvertible {
        let method: String
        let target: String
        let body: String

        var description: String { "\(method) \(target)\(body.isEmpty ? "" : " \(body)")" }
    }

    private struct State {
        var answers: [String: @Sendable (Request) async throws -> Response] = [:]
        var received: [Received] = []
        var headers: [HTTPFields] = []
    }

    private let state = Locked(State())

    /// What it was asked for: `POST /save {"a":"b"}`.
    var log: [String] { state.withLock { $0.received.map(\.description) } }

    /// The header fields of each request.
    var headers: [HTTPFields] { state.withLock { $0.headers } }

    /// Forgets what it was asked for.
    func clearLog() { state.withLock { ($0.received, $0.headers) = ([], []) } }

    /// Answers a path, whatever the method.
    func on(_ path: String, _ answer: @escaping @Sendable (Request) async throws -> Response) {
        state.withLock { $0.answers[path] = answer }
    }

    /// Answers a path with a page; the text is what stands between `{"page":` and `}`.
    func page(_ path: String, _ json: String) {
        on(path) { _ in .page(json) }
    }

    /// Answers a path with a page whose widgets stand in a form.
    func form(_ path: String, title: String = "A Page", more: String = "", _ widgets: String...) {
        page(path, Self.form(title: title, more: more, widgets))
    }

    static func form(title: String = "A Page", more: String = "", _ widgets: [String]) -> String {
        let list = widgets.joined(separator: ",")
        return
            #"{"typ":"nav_page","title":"\#(title)"\#(more.isEmpty ? "" : ",\(more)"),"widget":{"typ":"scroll","widget":{"typ":"form","widgets":[\#(list)]}}}"#
    }

    /// A button with actions as JSON.
    static func button(_ text: String, _ actions: String...) -> String {
        #"{"typ":"form_button","text":"\#(text)","actions":[\#(actions.joined(separator: ","))]}"#
    }

    /// Answers a path with a status and a text.
    func status(_ path: String, _ status: HTTPResponse.Status, _ text: String = "") {
        on(path) { _ in text.isEmpty ? Response(status: status) : .text(text, status: status) }
    }

    private func answer(_ request: Request) async throws -> Response {
        let body = String(decoding: try await request.body.collect(), as: UTF8.self)
        let answer = state.withLock { state in
            state.received.append(Received(method: request.method.rawValue, target: request.target, body: body))
            var headers = HTTPFields()
            for (name, value) in request.headers {
                if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
            }
            state.headers.append(headers)
            return state.answers[request.path]
        }
        guard let answer else { return .text("nothing is at \(request.path)", status: .notFound) }
        return try await answer(request)
    }

    /// What answers.
    private var handler: FunctionHandler { FunctionHandler { try await self.answer($0) } }

    /// What comes of a crawl of it, in process.
    func crawl(
        at basePath: String = "/",
        _ configure: (inout CrawlOptions) -> Void = { _ in }
    ) async throws -> CrawlReport {
        var options = CrawlOptions()
        options.slow = .seconds(60)
        configure(&options)
        let url = String(InProcessTransport.root.dropLast()) + basePath
        return try await Crawl(url, transport: InProcessTransport(handler), options: options).report()
    }

    /// A client of it, in process.
    func client(
        at basePath: String = "/",
        as version: ClientVersion? = nil,
        _ configure: (inout ApplinClientConfiguration) -> Void = { _ in }
    ) throws -> ApplinClient {
        var configuration = ApplinClientConfiguration()
        configure(&configuration)
        return try ApplinClient(
            FunctionHandler { try await self.answer($0) },
            at: basePath,
            client: version,
            configuration: configuration
        )
    }

    /// A client that was launched.
    func launched(
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
    static let push = #"{"typ":"push","page":"/next"}"#

    /// A backend whose first page leads to `/next`.
    static func leading(by action: String = push) -> Backend {
        let backend = Backend()
        backend.form("/", Backend.button("Go", action))
        backend.form("/next", #"{"typ":"text","text":"There"}"#)
        return backend
    }
}

extension CrawlReport {
    /// The page and the rule of each finding.
    var pageRules: [String] { findings.map { "\($0.path.page) \($0.rule)" } }
}

extension Response {
    /// The answer with more header fields.
    func adding(_ fields: HTTPFields) -> Response {
        var response = self
        for field in fields { response.headers.append(field) }
        return response
    }

    /// A page, from the text between `{"page":` and `}`.
    static func page(_ json: String) -> Response {
        Response(
            headers: [.contentType: "application/vnd.applin_response"],
            body: .bytes(Array(#"{"page":\#(json)}"#.utf8))
        )
    }
}
