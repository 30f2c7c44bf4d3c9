import A2UI
import Backlot

extension A2UIApp {
    /// Serves the surfaces to clients of MCP too, by its Streamable HTTP transport at a path below the app's.
    ///
    /// Each surface of the index is a resource `a2ui://NAME`, and a tool that opens it. The tool `a2ui_action` takes actions,
    /// `a2ui_function_response` takes the value or the error of a client's function, in 1.0, and `a2ui_error` takes errors that the
    /// client has found. Results hold the messages of the server in an embedded resource, which is for the user and not for the model.
    /// Updates that the server starts come with the next result.
    ///
    /// A client says in `initialize`, or in `_meta` of a call, which versions and catalogs it has (`a2ui.clientCapabilities`); the
    /// values of its surfaces come in `_meta` (`a2ui.clientDataModel`).
    ///
    /// - Parameters:
    ///   - path: the path of the calls, for POST.
    ///   - name: the server's name, for its clients.
    ///   - origins: the origins with pages that may call, such as `https://app.example.com`. Pages of the server's own origin may call
    ///     anyway if it is https, or a local name such as `localhost`.
    public func mcp(_ path: String = "/mcp", name: String, origins: Set<String> = []) {
        let binding = MCPBinding(server: server, name: name, origins: origins)
        add(.post, path) { try await binding.respond(to: $0) }
    }
}

/// Surfaces as tools and resources of MCP.
///
/// Source: the Model Context Protocol, Lifecycle, Transports, Tools, Resources; the guide A2UI over MCP.
struct MCPBinding: Sendable {
    let server: A2UIServer
    let name: String
    let origins: Set<String>

    /// The revisions of MCP, newest first.
    private static let revisions = ["2025-11-25", "2025-06-18", "2025-03-26"]
    private static let mediaType: JSONValue = "application/a2ui+json"
    private static let scheme = "a2ui://"
    private static let sessionField = HTTPField.Name("Mcp-Session-Id")
    private static let revisionField = HTTPField.Name("MCP-Protocol-Version")

    func respond(to request: Request) async throws -> Response {
        // By DNS rebinding, another site's page sends JSON under its own name, which isn't local and has no certificate here.
        if let origin = request.headers[.origin], !origins.contains(origin),
            !request.isFromOwnPage(origin) || !(request.isSecure || request.hasLocalHost)
        {
            throw StatusError(.forbidden, "pages of \(origin.excerpt) may not call")
        }
        guard let call = JSONRPCCall(try await server.json(of: request)) else {
            return Response(json: JSONRPCCall.notACall, status: .badRequest)
        }
        if call.method == "initialize" { return initialize(call) }
        if let revision = Self.revisionField.flatMap({ request.headers[$0] }), !Self.revisions.contains(revision) {
            throw StatusError(
                .badRequest,
                "MCP \(revision.excerpt) isn't spoken, but \(Self.revisions.joined(separator: ", "))"
            )
        }
        guard let id = Self.sessionField.flatMap({ request.headers[$0] }) else {
            throw StatusError(.badRequest, "send the Mcp-Session-Id that the response to initialize has")
        }
        guard let client = server.clients.client(id, of: .mcp) else {
            throw StatusError(.notFound, "the session has ended; call initialize anew")
        }
        guard call.id != nil else { return Response(status: .accepted) }
        do {
            return Response(json: try await result(of: call, client, request))
        } catch {
            return Response(json: try call.failure(error))
        }
    }

    private func initialize(_ call: JSONRPCCall) -> Response {
        let choice: (ProtocolVersion, Catalog)?
        do throws(A2UIError) {
            let metadata = try Self.metadata(call.parameters["capabilities"], server.configuration)
            choice = metadata.namesCatalogs ? try metadata.choice(for: server.configuration) : nil
        } catch {
            return Response(json: call.failure(.invalidParameters, error.message, ProblemDetails(of: error)))
        }
        let client = server.clients.newClient(of: .mcp)
        client.choose(choice)
        let wanted = call.parameters["protocolVersion"]?.string ?? ""
        let revision = Self.revisions.first { $0 == wanted } ?? Self.revisions[0]
        var response = Response(
            json: call.result([
                "protocolVersion": .string(revision), "capabilities": ["tools": [:], "resources": [:]],
                "serverInfo": ["name": .string(name), "version": "1"],
            ])
        )
        if let field = Self.sessionField { response.headers[field] = client.id }
        return response
    }

    private func result(of call: JSONRPCCall, _ client: Client, _ request: Request) async throws -> JSONValue {
        switch call.method {
        case "ping": return call.result([:])
        case "tools/list": return call.result(["tools": .array(tools)])
        case "resources/list":
            return call.result(["resources": .array(server.names.map { Self.resource($0, ["name": .string($0)]) })])
        case "resources/templates/list": return call.result(["resourceTemplates": []])
        case "resources/read":
            let uri = call.parameters["uri"]?.string ?? ""
            guard let surface = server.names.first(where: { Self.scheme + $0 == uri }) else {
                return call.failure(.notFound, "There is no resource \(uri.excerpt.quoted); resources/list names them.")
            }
            let messages = try await messages(call, client, request) { try await $0.visit(surface) }
            return call.result(["contents": [Self.resource(surface, ["text": .string("\(JSONValue.array(messages))")])]]
            )
        case "tools/call":
            let tool = call.parameters["name"]?.string ?? ""
            let known = server.names + Self.clientTools.map(\.name)
            guard known.contains(tool) else {
                let near = A2UIServer.advice(tool, known)
                return call.failure(.invalidParameters, "There is no tool \(tool.excerpt.quoted).\(near)")
            }
            do {
                return call.result(try await use(tool, call, client, request))
            } catch {
                // The caller, usually a model, can correct its arguments.
                guard let details = ProblemDetails(of: error), details.status != .internalServerError else {
                    throw error
                }
                return call.result(["content": [Self.text(details.reason)], "isError": true])
            }
        default: return call.failure(.methodNotFound, "\(call.method.excerpt.quoted) isn't available.")
        }
    }

    /// The tools that clients call for the user, with the members of the message that they send. Clients leave out what isn't declared.
    private static let clientTools = [
        (
            name: "a2ui_action", key: "action", text: "Carries out what the user has done on a surface.",
            required: ["name", "surfaceId", "sourceComponentId", "timestamp", "context"], optional: [String]()
        ),
        (
            name: "a2ui_function_response", key: "rendererFunctionResponse",
            text: "Takes the value of a function that the server has called, or its error.",
            required: ["functionCallId"], optional: ["value", "error"]
        ),
        (
            name: "a2ui_error", key: "error", text: "Takes an error that the client found in a message.",
            required: ["code", "message"], optional: ["surfaceId", "path", "functionCallId"]
        ),
    ]

    /// The schemas of members that aren't strings.
    private static let schemas: [String: JSONValue] = [
        "context": ["type": "object"], "error": ["type": "object"], "value": [:],
    ]

    private var tools: [JSONValue] {
        let opening = server.names.map { name -> JSONValue in
            [
                "name": .string(name), "description": .string("Shows the surface \(name) to the user."),
                "inputSchema": ["type": "object"],
            ]
        }
        return opening
            + Self.clientTools.map { tool in
                let types = (tool.required + tool.optional).map { ($0, Self.schemas[$0] ?? ["type": "string"]) }
                return [
                    "name": .string(tool.name), "description": .string(tool.text),
                    "inputSchema": [
                        "type": "object", "properties": .object(types.reduce(into: [:]) { $0[$1.0] = $1.1 }),
                        "required": .array(tool.required.map(JSONValue.string)),
                    ],
                ]
            }
    }

    private func use(
        _ tool: String,
        _ call: JSONRPCCall,
        _ client: Client,
        _ request: Request
    ) async throws -> JSONValue {
        let arguments = call.parameters["arguments"] ?? [:]
        let (surface, sent): (String, [JSONValue])
        if let kind = Self.clientTools.first(where: { $0.name == tool })?.key {
            let message = try server.message(kind, arguments, of: client, at: "/params/arguments")
            surface = try message.handledAction()?.surfaceID ?? arguments["surfaceId"]?.string ?? ""
            sent = try await messages(call, client, request, [message]) { try await $0.handle([message]) }
        } else {
            surface = tool
            sent = try await messages(call, client, request) { try await $0.visit(tool) }
        }
        guard !sent.isEmpty else { return ["content": [Self.text("Nothing changes on the surface.")]] }
        let resource = Self.resource(surface, ["text": .string("\(JSONValue.array(sent))")])
        return [
            "content": [
                Self.text("The user sees the surface \(surface)."),
                ["type": "resource", "resource": resource, "annotations": ["audience": ["user"]]],
            ]
        ]
    }

    /// The messages of an exchange.
    private func messages(
        _ call: JSONRPCCall,
        _ client: Client,
        _ request: Request,
        _ received: [ClientMessage] = [],
        _ work: (A2UIExchange) async throws -> Void
    ) async throws -> [JSONValue] {
        let metadata = try Self.metadata(call.parameters["_meta"], server.configuration)
        let exchange = A2UIExchange(server, client, request, metadata)
        try exchange.check(received)
        return try await exchange.run(work).map(\.json)
    }

    /// The member `a2ui` of capabilities or of `_meta`, in the names of A2UI.
    private static func metadata(
        _ json: JSONValue?,
        _ configuration: A2UIConfiguration
    ) throws(A2UIError) -> ClientMetadata {
        let metadata = (json?["a2ui"]?.object?.members ?? []).map { member in
            ("a2ui\(member.key.prefix(1).uppercased())\(member.key.dropFirst())", member.value)
        }
        return try ClientMetadata(.object(JSONObject(pairs: metadata)), version: configuration.version)
    }

    private static func resource(_ surface: String, _ members: JSONObject) -> JSONValue {
        let resource: JSONObject = ["uri": .string(scheme + surface), "mimeType": mediaType]
        return .object(members.members.reduce(into: resource) { $0[$1.key] = $1.value })
    }

    private static func text(_ text: String) -> JSONValue { ["type": "text", "text": .string(text)] }
}
