import A2UI
import Backlot

extension A2UIApp {
    /// Serves the surfaces to clients of A2A too, by JSON-RPC at a path below the app's.
    ///
    /// `message/send` and `message/stream` take data parts with messages of the client; each may hold one message or a list. A message
    /// without them opens the first surface. The response has a data part for each message of the server. The context's id stands for
    /// the client. The agent's card is at `.well-known/agent-card.json`, below the path.
    ///
    /// - Parameters:
    ///   - path: the path of the calls, for POST.
    ///   - start: the first surface.
    ///   - name: the agent's name, for its card.
    ///   - description: the agent's purpose, for its card.
    public func a2a<Model>(
        _ path: String = "/a2a",
        start: SurfaceDeclaration<Model>,
        name: String,
        description: String
    ) {
        let binding = A2ABinding(server: server, start: start.name)
        add(.post, path) { try await binding.call($0) }
        add(.get, "\(path)/.well-known/agent-card.json") { request in
            Response(json: binding.card(name, description, path: request.path))
        }
    }
}

/// Data parts of A2A.
///
/// Source: the A2A protocol, JSON-RPC; the A2UI extension of A2A.
struct A2ABinding: Sendable {
    private static let mediaType: JSONValue = "application/a2ui+json"
    private static let extensions = HTTPField.Name("X-A2A-Extensions")

    let server: A2UIServer
    let start: String

    /// The extension for each version of the app's catalogs.
    private var extensions: [(uri: String, catalogs: [JSONValue])] {
        [("v0.9.1", false), ("v1.0", true)].compactMap { version, isOne in
            let ids = server.configuration.catalogs.filter { $0.version.isOne == isOne }.map { JSONValue.string($0.id) }
            return ids.isEmpty ? nil : ("https://a2ui.org/a2a-extension/a2ui/\(version)", ids)
        }
    }

    func card(_ name: String, _ description: String, path: String) -> JSONValue {
        let extensions = extensions.map { uri, ids -> JSONValue in
            ["uri": .string(uri), "params": ["supportedCatalogIds": .array(ids), "acceptsInlineCatalogs": false]]
        }
        return [
            "protocolVersion": "0.3.0", "name": .string(name), "description": .string(description), "version": "1",
            "url": .string(String(path.dropLast("/.well-known/agent-card.json".count))),
            "preferredTransport": "JSONRPC", "defaultInputModes": [Self.mediaType, "text/plain"],
            "defaultOutputModes": [Self.mediaType], "skills": [],
            "capabilities": ["streaming": true, "extensions": .array(extensions)],
        ]
    }

    func call(_ request: Request) async throws -> Response {
        guard let call = JSONRPCCall(try await server.json(of: request)) else {
            return Response(json: JSONRPCCall.notACall)
        }
        guard ["message/send", "message/stream"].contains(call.method) else {
            let text = "\(call.method.quoted) isn't available; call message/send or message/stream"
            return Response(json: call.failure(.methodNotFound, text))
        }
        let result: JSONValue
        do {
            result = call.result(try await message(for: call.parameters["message"], request))
        } catch {
            result = try call.failure(error)
        }
        var response =
            call.method == "message/send" ? Response(json: result) : .events { try await $0.send("\(result)") }
        let wanted = (Self.extensions.flatMap { request.headers[$0] } ?? "").split(separator: ",")
        let known = extensions.map(\.uri).filter { uri in wanted.contains { $0.drop { $0 == " " } == uri } }
        if let field = Self.extensions, !known.isEmpty { response.headers[field] = known.joined(separator: ", ") }
        return response
    }

    /// The agent's message for one of the user's.
    private func message(for message: JSONValue?, _ request: Request) async throws -> JSONValue {
        let received = message?["parts"]?.array ?? []
        let messages = try server.messages(
            received.enumerated().lazy.compactMap { index, part in
                part["data"].map { ($0, "/params/message/parts/\(index)/data") }
            }
        )
        let metadata = try ClientMetadata(
            message?["metadata"],
            version: messages.first?.version ?? server.configuration.version
        )
        let client =
            message?["contextId"]?.string.flatMap { server.clients.client($0, of: .a2a) }
            ?? server.clients.newClient(of: .a2a)
        let exchange = A2UIExchange(server, client, request, metadata)
        try exchange.check(messages)
        let sent = try await exchange.run { [start] exchange in
            if messages.isEmpty { try await exchange.visit(start) } else { try await exchange.handle(messages) }
        }
        let parts = sent.map { message -> JSONValue in
            ["kind": "data", "data": message.json, "metadata": ["mimeType": Self.mediaType]]
        }
        return [
            "kind": "message", "role": "agent", "messageId": .string("\(client.id)-\(client.state.revision)"),
            "contextId": .string(client.id), "parts": .array(parts),
        ]
    }
}
