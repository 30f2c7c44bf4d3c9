public import A2UI
public import Backlot

/// Settings of a mounted A2UI app.
public struct A2UIConfiguration: Sendable {
    /// The catalogs of the app's surfaces. A surface has the first one that the client has too, in the surface's version.
    public var catalogs: [Catalog] = [.basic1_0, .basic0_9]
    /// The version for clients that name none.
    public var version = ProtocolVersion.v0_9
    /// The bounds of what clients may hold.
    public var limits = A2UILimits()
    /// The name of the cookie that identifies clients. The header field `A2UI-Client` does so too.
    public var cookie = "a2ui"
    /// The longest silence of a stream: then it sends an empty comment. A response of lines or events begins after this time at the latest.
    public var heartbeat = Duration.seconds(15)

    /// The default settings.
    public init() {}
}

extension Routes {
    /// Mounts an A2UI app: surfaces, and the actions on them.
    ///
    /// ```swift
    /// router.a2ui("/assistant/") { app in
    ///     let counter = app.surface("counter") { _ in Counter() } tree: { m in
    ///         column { text("\(m.count)"); button("More", more.event()) }
    ///     }
    ///     counter.on(more) { _, turn in turn.model.count += 1 }
    /// }
    /// ```
    /// A2UI has no binding to HTTP; this is the one of Backlot:
    /// * `GET /assistant/surfaces/counter` opens the surface anew, and returns the messages that make it.
    /// * `POST /assistant/actions` takes a message of the client, a list, or `{"messages": …, "metadata": …}`, and returns the messages
    ///   of the server.
    /// * `GET /assistant/` is a stream of events: first all open surfaces, unless `Last-Event-ID` is the latest one, then all messages for
    ///   the client. While it is open, responses to actions are empty, so that the order of messages is clear. The client sends its
    ///   `Last-Event-ID` with its actions too, so that changes on their way aren't lost.
    ///
    /// Responses are a JSON list (`application/a2ui+json`), lines (`application/jsonl`) or events (`text/event-stream`), by `Accept`.
    /// The first response sets a cookie and the header field `A2UI-Client`; the client sends one of them back. Once a user is logged in, the
    /// client is theirs: for other users, and after a log-out, its surfaces don't exist. The response to a log-out sets a new client.
    ///
    /// - Parameters:
    ///   - path: the path of the base URL; it begins and ends with a slash.
    ///   - sessions: the store of `request.session`, by a cookie for the base URL; nil for an app without sessions.
    ///   - sessionConfiguration: settings of sessions, such as their lifetime.
    ///   - configuration: settings such as catalogs, versions and bounds.
    ///   - register: declares the surfaces.
    public func a2ui(
        _ path: String = "/assistant/",
        sessions: (any SessionStore)? = nil,
        sessionConfiguration: SessionConfiguration = SessionConfiguration(),
        configuration: A2UIConfiguration = A2UIConfiguration(),
        file: String = #fileID,
        line: Int = #line,
        _ register: (A2UIApp) -> Void
    ) {
        let source = CodeLocation(file: file, line: line)
        guard path.hasPrefix("/"), path.hasSuffix("/") else {
            let fix = "a path that begins and ends with a slash, as in /assistant/"
            return report("'\(path)' can't be the path of a base URL: write \(fix)", source)
        }
        guard (try? SetCookie(configuration.cookie, "", path: path, isSecure: false)) != nil else {
            return report(
                "the cookie '\(configuration.cookie)' has a wrong name: write letters, digits, - and _",
                source
            )
        }
        let base = RouteGroup(parent: self, prefix: path, middlewares: []).basePath
        let middleware = sessions.map { SessionMiddleware(path: base, store: $0, configuration: sessionConfiguration) }
        let group = RouteGroup(parent: self, prefix: path, middlewares: middleware.map { [$0] } ?? [])
        let server = A2UIServer(configuration)
        let app = A2UIApp(server) { report($0, $1) }
        register(app)
        let binding = HTTPBinding(
            server: server,
            basePath: base,
            trustedProxies: sessionConfiguration.trustedProxies
        )
        for (method, path, respond) in binding.routes + app.routes {
            let handler = FunctionHandler(HTTPBinding.reporting(respond))
            group.add(Backlot.Route(method, path, handler: handler, source: source))
        }
        announce(server, base, middleware)
    }

    /// Tells preview and checks of the app. Checks open each surface as clients of each version do.
    private func announce(_ server: A2UIServer, _ base: String, _ middleware: SessionMiddleware?) {
        let inspector = A2UIInspector(catalogs: server.configuration.catalogs)
        let clients = [ProtocolVersion.v0_9, .v1_0].compactMap { version -> PageClient? in
            let own = server.configuration.catalogs.filter { $0.version.isCompatible(with: version) }
            guard !own.isEmpty else { return nil }
            let catalogs = Dictionary(own.map { ($0.id, $0) }) { first, _ in first }
            let metadata = Processor(catalogs: catalogs).capabilities(version)
            var headers: HTTPFields = [:]
            if let field = HTTPBinding.metadataField {
                headers[field] = "\(JSONValue.object(["a2uiClientCapabilities": metadata]))"
            }
            return PageClient(title: "of A2UI \(version.rawValue)", headers: headers, inspector: inspector)
        }
        for name in server.names {
            var page = CheckablePage(basePath: base, path: "surfaces/\(name)", samples: [], inspector: inspector)
            page.clients = clients
            add(page)
        }
        add(
            MountedApp(
                .a2ui,
                basePath: base,
                inspector: inspector,
                sessions: middleware.map { AppSessions($0) },
                openPages: { server.names.map { "\(base)surfaces/\($0)" } },
                hasPage: { path in server.names.contains { path == "\(base)surfaces/\($0)" } }
            )
        )
    }
}

/// Messages in requests and responses of HTTP.
struct HTTPBinding: Sendable {
    let server: A2UIServer
    let basePath: String
    /// The proxies that may say whether a request came over TLS.
    let trustedProxies: [AddressRange]

    typealias Respond = @Sendable (Request) async throws -> Response

    typealias Route = (method: HTTPRequest.Method, path: String, respond: Respond)

    var routes: [Route] {
        [(.get, "/", stream), (.get, "/surfaces/{name}", visit), (.post, "/actions", actions)]
    }

    /// Errors as `application/problem+json`, those of the protocol with code and path.
    static func reporting(_ respond: @escaping Respond) -> Respond {
        { request in
            do {
                return try await respond(request)
            } catch {
                guard let details = ProblemDetails(of: error) else { throw error }
                return details.response
            }
        }
    }

    /// The client of a request, whether it is new, and the session; nil in an app without sessions, which has no users. Only a visit makes one that is kept.
    private func client(of request: Request) async throws -> (client: Client, isNew: Bool, session: Session?) {
        let ids =
            (Self.field.map { request.headers[values: $0] } ?? [])
            + request.cookies(named: server.configuration.cookie)
        let session = try await (try? request.readySession)?.value
        let user = session?.user
        let known = ids.lazy.prefix(10).compactMap { server.clients.client($0, of: .http) }.first { $0.admit(user) }
        if let known { return (known, false, session) }
        guard request.method == .get || request.method == .head else { return (Client("", of: .http), false, session) }
        let new = server.clients.newClient(of: .http)
        _ = new.admit(user)
        return (new, true, session)
    }

    private static let field = HTTPField.Name("A2UI-Client")
    static let metadataField = HTTPField.Name("A2UI-Metadata")

    private func metadata(
        of request: Request,
        _ json: JSONValue? = nil,
        _ version: ProtocolVersion? = nil
    ) throws -> ClientMetadata {
        var json = json
        if json == nil, let text = Self.metadataField.flatMap({ request.headers[$0] }) {
            guard let read = try? JSONValue(parsing: text) else {
                throw A2UIError(
                    .validation,
                    "invalid_value",
                    "The header field A2UI-Metadata isn't JSON.",
                    at: "/metadata"
                )
            }
            json = read
        }
        let named = request.queryValue("version")
        guard let chosen = version ?? named.map({ ProtocolVersion(loosely: $0) }) ?? server.configuration.version else {
            throw A2UIError(
                .validation,
                "invalid_value",
                "The version \((named ?? "").quoted) is unknown.",
                at: "/version"
            )
        }
        return try ClientMetadata(json, version: chosen)
    }

    private func visit(_ request: Request) async throws -> Response {
        let metadata = try metadata(of: request)
        let name = try request.parameter("name")
        _ = try server.surface(name)
        return try await respond(to: request, metadata, []) { try await $0.visit(name) }
    }

    private func actions(_ request: Request) async throws -> Response {
        let document = try await server.json(of: request)
        let list = document.array ?? document["messages"]?.array
        let messages = try server.messages(CollectionOfOne(list.map { (.array($0), "/messages") } ?? (document, "")))
        let metadata = try metadata(
            of: request,
            document.array == nil ? document["metadata"] : nil,
            messages.first?.version
        )
        return try await respond(to: request, metadata, messages) { try await $0.handle(messages) }
    }

    /// The messages of an exchange as a list, or as a stream that sends them as they come.
    private func respond(
        to request: Request,
        _ metadata: ClientMetadata,
        _ messages: [ClientMessage],
        _ work: @escaping @Sendable (A2UIExchange) async throws -> Void
    ) async throws -> Response {
        let (client, isNew, session) = try await client(of: request)
        let exchange = A2UIExchange(server, client, request, metadata, session: session)
        try exchange.check(messages)
        var response: Response
        switch MessageForm(request) {
        case .list:
            let messages = JSONValue.array(try await exchange.run(work).map(\.json))
            response = Response(headers: [.contentType: MessageForm.list.mediaType], body: .bytes(messages.bytes))
        case .lines:
            let streamed = try await StreamedWork(exchange, work)
            response = Response(
                headers: [.contentType: MessageForm.lines.mediaType],
                body: .stream { writer in
                    @Sendable func write(_ messages: [ServerMessage]) async throws {
                        try await writer.write(messages.map { "\($0.json)\n" }.joined())
                    }
                    do {
                        try await write(try await streamed.finish(write))
                    } catch {
                        guard let details = ProblemDetails(of: error) else { throw error }
                        try await writer.write("\(JSONValue.object(["error": details.json]))\n")
                    }
                }
            )
        case .events:
            let streamed = try await StreamedWork(exchange, work)
            response = Response.events(heartbeat: server.configuration.heartbeat) { events in
                @Sendable func write(_ messages: [ServerMessage]) async throws {
                    for message in messages { try await events.send("\(message.json)") }
                }
                do {
                    try await write(try await streamed.finish(write))
                } catch {
                    guard let details = ProblemDetails(of: error) else { throw error }
                    try await events.send("\(details.json)", type: "error")
                }
            }
        }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        let current = exchange.client
        if isNew || current !== client { introduce(current, request, &response) }
        return response
    }

    private func introduce(_ client: Client, _ request: Request, _ response: inout Response) {
        if let field = Self.field { response.headers[field] = client.id }
        let cookie = try? SetCookie(
            server.configuration.cookie,
            client.id,
            path: basePath,
            isSecure: request.isSecure(trusting: trustedProxies)
        )
        if let cookie { response.setCookie(cookie) }
    }

    /// The stream of what the server starts.
    private func stream(_ request: Request) async throws -> Response {
        guard MessageForm(request) == .events else {
            return Response(json: ["surfaces": .array(server.names.map { .string("\(basePath)surfaces/\($0)") })])
        }
        let (client, isNew, session) = try await client(of: request)
        guard let updates = client.listen(since: request.lastEventID.flatMap { Int($0) }, as: session?.user) else {
            return try await stream(request)
        }
        var response = Response.events(heartbeat: server.configuration.heartbeat) { events in
            for await (messages, revision) in updates {
                for (index, message) in messages.enumerated() {
                    // Only after the last message of a change is the client at its revision.
                    let id = index == messages.count - 1 ? "\(revision)" : ""
                    try await events.send("\(message.json)", id: id)
                }
            }
        }
        if isNew { introduce(client, request, &response) }
        return response
    }
}

extension A2UIServer {
    /// The JSON of a request's body, within the bounds.
    ///
    /// - Throws: 415 for another media type, which keeps pages of other sites from sending it; 400; 413.
    func json(of request: Request) async throws -> JSONValue {
        // By code points, because a combining mark would hide the semicolon.
        let essence = (request.headers[.contentType] ?? "").unicodeScalars.prefix { $0 != ";" }
        let type = Substring(essence).trimmed.lowercased()
        let isSuffixed = type.hasPrefix("application/") && type.hasSuffix("+json")
        // The last one is that of SDKs for 0.9.
        guard isSuffixed || ["application/json", "application/json+a2ui"].contains(type) else {
            throw StatusError(.unsupportedMediaType, "send application/a2ui+json")
        }
        var request = request
        request.body.limit = configuration.limits.body
        return try await request.json()
    }

    /// Reads the content of a client's message. Its version is that of the surface, which the id of a call names too.
    ///
    /// - Parameter path: the pointer of the place, for errors.
    func message(
        _ key: String,
        _ content: JSONValue,
        of client: Client,
        at path: String
    ) throws(A2UIError) -> ClientMessage {
        let called = content["functionCallId"]?.string.flatMap { RendererCallID($0) }
        let open = client.state[content["surfaceId"]?.string ?? called?.surfaceID ?? ""]
        let version = open?.version ?? client.choice?.0 ?? configuration.version
        return try messages([(["version": .string(version.rawValue), key: content] as JSONValue, path)])[0]
    }

    /// Reads messages of a client. Each document is one, or a list of some, and has its pointer for errors.
    ///
    /// An empty list counts as one, too. Nothing is made of more documents and elements than a request may have.
    func messages(_ documents: some Sequence<(json: JSONValue, path: String)>) throws(A2UIError) -> [ClientMessage] {
        let limit = configuration.limits.messages
        var messages: [ClientMessage] = []
        var left = limit
        for (json, path) in documents {
            let list = json.array
            left -= max(1, list?.count ?? 1)
            guard left >= 0 else {
                throw A2UIError(.recursion, "too_large", "A request has at most \(limit) messages.", at: "/messages")
            }
            for (index, json) in (list ?? [json]).enumerated() {
                do throws(A2UIError) {
                    messages.append(try ClientMessage(json))
                } catch {
                    throw error.at(list == nil ? path : "\(path)/\(index)")
                }
            }
        }
        return messages
    }
}

extension ProblemDetails {
    /// An error with its status; with code and path if it is one of the protocol. nil for an unexpected error.
    init?(of error: any Error) {
        guard let error = error as? A2UIError else {
            guard let error = error as? any HTTPError else { return nil }
            self.init(error)
            return
        }
        let status: HTTPResponse.Status =
            switch error.code {
            case "unknown_surface", "unknown_action", "unknown_call": .notFound
            case "too_large", "model_too_large": .contentTooLarge
            case "too_many_surfaces": .tooManyRequests
            default: .badRequest
            }
        var members: JSONObject = ["code": .string(error.code), "path": .string(error.path)]
        members["surfaceId"] = error.surfaceID.map(JSONValue.string)
        self.init(status, error.message, members: members)
    }
}
