import Backlot
import BacklotTesting
import Testing

@testable import demo_server

/// Sends the demo what no client would, and looks at pages as plain JSON: for what a person can't do or see.
final class DemoClient {
    /// An answer as it goes over the wire.
    struct Response {
        let status: Int
        let headers: HTTPFields
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    let mount: DemoMount
    private let transport: Result<any ClientTransport, any Error>
    private let root: String
    private var cookies: CookieJar

    private init(
        _ mount: DemoMount,
        _ transport: Result<any ClientTransport, any Error>,
        _ root: String = InProcessTransport.root,
        _ cookies: CookieJar = CookieJar()
    ) {
        self.mount = mount
        self.transport = transport
        self.root = root
        self.cookies = cookies
    }

    /// A client of a server in this process.
    convenience init(_ mount: DemoMount, _ handler: any Handler) {
        self.init(mount, Result { try InProcessTransport(handler) })
    }

    /// A client of a server of its own.
    convenience init(_ mount: DemoMount, stores: DemoStores = DemoStores()) {
        self.init(mount, DemoClient.server(stores))
    }

    /// A client of the same server as an app's, with the app's cookies.
    convenience init(_ mount: DemoMount, _ app: ApplinClient) {
        let session = app.httpSession
        self.init(mount, .success(session.transport), "http://\(app.baseURL.authority)/", session.cookies)
    }

    /// A server, for several clients.
    static func server(_ stores: DemoStores = DemoStores()) -> any Handler {
        let router = Router.demo(stores)
        return router.handler()
    }

    /// The value of a cookie that goes to the mount's base URL; nil where there is none.
    func cookie(_ name: String) throws -> String? {
        cookies.value(of: name, for: try HTTPURL(root).resolving(mount.path))
    }

    /// Asks for something below the base URL.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) async throws -> Response {
        try await send(method, fromRoot: mount.url(path), headers: headers, body: body)
    }

    /// Asks for something by its path from the host's root, as for pictures. Redirects are not followed.
    func send(
        _ method: HTTPRequest.Method,
        fromRoot target: String,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) async throws -> Response {
        let url = try HTTPURL(root).resolving(target)
        var request = ClientRequest(method, url, headers: headers, body: body)
        if let sent = cookies.header(for: url, now: 0) { request.headers[.cookie] = sent }
        let response = try await transport.get().response(to: request, limits: ClientLimits())
        cookies.take(response.headers[values: .setCookie], from: url, now: 0)
        return Response(status: response.status.code, headers: response.headers, body: response.body)
    }

    /// Calls an rpc, or refreshes a page, with variables.
    func post(_ path: String, _ variables: JSONObject = [:]) async throws -> Response {
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
        let response =
            if let variables { try await post(path, variables) } else { try await send(.get, path, headers: accept) }
        guard response.status == 200, response.headers[.contentType] == "application/vnd.applin_response" else {
            throw NoPage(path: path, status: response.status, text: response.text)
        }
        return PageJSON(value: try JSONValue(parsing: response.body), dialect: mount.dialect)
    }

    /// Logs in on the page for that.
    func logIn(_ name: String = "ann") async throws {
        let response = try await post("/log_in/submit", ["log_in_name": .string(name), "log_in_password": "secret"])
        guard response.status == 200 else {
            throw NoPage(path: "/log_in/submit", status: response.status, text: response.text)
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

extension Router {
    /// A router with all that the demo serves.
    static func demo(_ stores: DemoStores = DemoStores()) -> Router {
        let router = Router()
        DemoCatalogue.register(on: router, stores: stores)
        return router
    }
}
