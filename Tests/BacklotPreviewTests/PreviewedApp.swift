import Applin
import Backlot
import BacklotPreview

enum CartKey: SessionKey {
    static let name = "cart"
    typealias Value = [String]
}

/// An app with preview, asked in process.
struct PreviewedApp {
    static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]

    let handler: any Handler
    let preview: Preview?

    init(_ access: LocalAccess? = LocalAccess(host: "127.0.0.1")) throws {
        let router = Router()
        router.get("/plain") { _ in .text("plain") }
        router.applin("/", sessions: MemorySessionStore()) { app in
            app.page("/") { _ in navPage("Home") { text("Hello!") } }
            app.page("/notes/{id}", samples: ["/notes/1"]) { _ in navPage("Note") { text("A note.") } }
            app.page("/who") { request in navPage(try await request.session.user ?? "nobody") { text("You.") } }
            app.rpc("/fill") { request in try await request.session.set(CartKey.self, to: ["a", "b"]) }
        }
        try self.init(router, access)
    }

    /// The apps of a router, with preview.
    init(_ router: Router, _ access: LocalAccess? = LocalAccess(host: "127.0.0.1")) throws {
        preview = access.map { router.preview($0) }
        handler = router.handler()
        try handler.prepare()
    }

    /// The answer to a request, as a server would give it.
    func ask(
        _ method: HTTPRequest.Method = .get,
        _ target: String,
        _ headers: HTTPFields = [:],
        body: String = ""
    ) async throws -> Response {
        let request = try Request(method, target, headers: headers, body: Array(body.utf8))
        do {
            return try await handler(request)
        } catch let error as any HTTPError {
            return Response(error)
        }
    }

    /// The token that stands in the shell.
    func token() async throws -> String {
        let html = try await ask(.get, "/", Self.browser).text
        guard let start = html.firstRange(of: "token&quot;:&quot;")?.upperBound else { return "" }
        return String(html[start...].prefix { $0 != "&" })
    }

    /// The answer to a call of the shell.
    func call(
        _ path: String,
        _ body: JSONValue? = nil,
        cookie: String? = nil
    ) async throws -> Response {
        var headers: HTTPFields = [:]
        if let name = HTTPField.Name("Backlot-Preview") { headers[name] = try await token() }
        if let cookie { headers[.cookie] = cookie }
        let bytes = body.map { String(decoding: $0.bytes, as: UTF8.self) }
        return try await ask(bytes == nil ? .get : .post, path, headers, body: bytes ?? "")
    }
}

extension Response {
    /// The body as a text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The body.
    var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }
}
