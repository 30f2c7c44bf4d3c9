package import A2UI
import Backlot
import Logging

/// A declared surface without the type of its model.
final class DeclaredSurface: Sendable {
    typealias ActionHandler = @Sendable (ClientMessage.Action, A2UIExchange) async throws -> Void

    let name: String
    let sendsDataModel: Bool
    let model: @Sendable (Request) async throws -> JSONValue
    private let tree: @Sendable (JSONValue) throws -> Element
    /// Whether the tree is the same for all models.
    private let isFixed: Bool
    private let fixed = Locked<[String: [JSONObject]]>([:])
    let handlers = Locked<[String: ActionHandler]>([:])
    /// Whether the index has the surface.
    let isListed = Locked(true)
    /// The versions and catalogs that a tree has been checked for.
    private let checked = Locked<Set<String>>([])

    init(
        name: String,
        sendsDataModel: Bool,
        isFixed: Bool,
        model: @escaping @Sendable (Request) async throws -> JSONValue,
        tree: @escaping @Sendable (JSONValue) throws -> Element
    ) {
        (self.name, self.sendsDataModel, self.isFixed) = (name, sendsDataModel, isFixed)
        (self.model, self.tree) = (model, tree)
    }

    /// The components for a model.
    ///
    /// - Throws: an error for mistakes in the tree: wrong paths, actions without a handler, and in the first tree for each version
    ///   and catalog, what the catalog refuses.
    func components(_ model: JSONValue, _ version: ProtocolVersion, _ catalog: Catalog) throws -> [JSONObject] {
        let key = "\(version.rawValue) \(catalog.id)"
        if isFixed, let components = fixed.withLock({ $0[key] }) { return components }
        let writer = ElementWriter(try tree(model), version: version, model: model)
        var mistakes = writer.mistakes
        let names = handlers.withLock { Set($0.keys) }
        for event in writer.events.subtracting(names).sorted() {
            mistakes.append("the action \(event.quoted) has no handler; write .on(…)")
        }
        if mistakes.isEmpty, checked.withLock({ $0.insert(key).inserted }) {
            var processor = Processor(catalogs: [catalog.id: catalog], strictness: .strict)
            var creation = ServerMessage.Creation(catalogID: catalog.id)
            creation.components = writer.components
            let update = ServerMessage(version, .updateComponents(name, writer.components)).json
            let errors = processor.apply([
                ServerMessage(version, .createSurface(name, .init(catalogID: catalog.id))).json, update,
            ])
            mistakes += errors.map { "\($0)" }
            if !errors.isEmpty { checked.withLock { _ = $0.remove(key) } }
        }
        guard mistakes.isEmpty else { throw SurfaceError(surface: name, mistakes: mistakes) }
        if isFixed { fixed.withLock { $0[key] = writer.components } }
        return writer.components
    }
}

/// Mistakes in the tree of a surface. The client gets 500, and the log describes them.
struct SurfaceError: Error, CustomStringConvertible {
    let surface: String
    let mistakes: [String]

    var description: String {
        "the surface '\(surface)' has mistakes:\n" + mistakes.map { "  \($0)" }.joined(separator: "\n")
    }
}

/// The surfaces of an app and its clients, for every way that messages come.
package final class A2UIServer: Sendable {
    typealias AgentFunction = @Sendable (JSONObject, Request) async throws -> JSONValue

    let clients: ClientTable
    let configuration: A2UIConfiguration
    let functions = Locked<[String: AgentFunction]>([:])
    let logger: Logger
    private let surfaces = Locked<[String: DeclaredSurface]>([:])

    init(_ configuration: A2UIConfiguration, logger: Logger = Logger(label: "backlot.a2ui")) {
        (self.configuration, self.logger) = (configuration, logger)
        clients = ClientTable(configuration.limits)
    }

    /// false for a name that is there already.
    func add(_ surface: DeclaredSurface) -> Bool {
        surfaces.withLock { surfaces in
            guard surfaces[surface.name] == nil else { return false }
            surfaces[surface.name] = surface
            return true
        }
    }

    /// The names in the index.
    var names: [String] {
        surfaces.withLock { $0.values.map { $0 } }.filter { $0.isListed.withLock(\.self) }.map(\.name).sorted()
    }

    func surface(_ name: String) throws(A2UIError) -> DeclaredSurface {
        if let surface = surfaces.withLock({ $0[name] }) { return surface }
        throw A2UIError(.state, "unknown_surface", "There is no surface \(name.quoted).\(Self.advice(name, names))")
    }

    static func advice(_ name: String, _ known: [String]) -> String {
        Suggestion.nearest(to: name, among: known).map { " Do you mean \($0)?" } ?? ""
    }

    func catalog(_ id: String) -> Catalog {
        configuration.catalogs.first { $0.id == id } ?? .basic0_9
    }

    /// Changes the model of a client's surface, and with it the tree.
    func change(
        _ client: Client,
        _ id: String,
        isPushed: Bool,
        since last: Int? = nil,
        _ writes: (JSONValue) throws -> [Difference.Write]
    ) throws -> [ServerMessage] {
        try clients.change(client, isPushed: isPushed, since: last) { state in
            guard let open = state[id] else { return [] }
            let surface = try surface(open.name)
            return try state.change(id, try writes(open.model)) {
                try surface.components($0, open.version, catalog(open.catalogID))
            }
        }
    }
}

/// The messages of one request, and those that go back.
package final class A2UIExchange: Sendable {
    let server: A2UIServer
    let request: Request
    /// The versions, catalogs and models that the client has sent.
    let metadata: ClientMetadata
    /// The session in which the request's user is logged in; it can be read after the response has begun, too.
    private let session: Session?
    private let current: Locked<Client>
    private let waiting = Locked<[ServerMessage]>([])
    private let write = Locked<(@Sendable ([ServerMessage]) async throws -> Void)?>(nil)

    init(
        _ server: A2UIServer,
        _ client: Client,
        _ request: Request,
        _ metadata: ClientMetadata,
        session: Session? = nil
    ) {
        (self.server, self.session, current) = (server, session, Locked(client))
        (self.request, self.metadata) = (request, metadata)
    }

    /// The client of the request. After the work has logged its user out, a new one.
    var client: Client { current.withLock(\.self) }

    /// Does the work of the exchange.
    ///
    /// - Parameter write: sends messages at once; nil for a response that goes out whole.
    /// - Returns: the messages that haven't gone out. After an error, they precede those of the client's next exchange.
    package func run(
        write: (@Sendable ([ServerMessage]) async throws -> Void)? = nil,
        _ work: (A2UIExchange) async throws -> Void
    ) async throws -> [ServerMessage] {
        self.write.withLock { $0 = write }
        do {
            try await work(self)
            try change { _ in [] }
            return take()
        } catch {
            let lost = take()
            _ = try server.clients.change(client, isPushed: true) { state in
                if !lost.isEmpty { state.keep(lost, isMissed: true) }
                return []
            }
            throw error
        }
    }

    private func take() -> [ServerMessage] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    /// The last revision that the client got from a stream.
    private var lastRevision: Int? { request.lastEventID.flatMap { Int($0) } }

    /// Gives the client to a user whom the work has logged in, before it gets what is theirs. After a log-out, and for another user, the
    /// client ends with its surfaces, and a new one takes its place.
    func admitUser() {
        let former = client
        guard former.binding == .http, let session, !former.admit(session.user) else { return }
        let new = server.clients.newClient(of: .http)
        _ = new.admit(session.user)
        _ = try? server.clients.change(new, isPushed: true) { state in
            state.follow(former.state)
            return []
        }
        let isFirst = current.withLock { current in
            guard current === former else { return false }
            current = new
            return true
        }
        guard isFirst else { return server.clients.end(new) }
        let deletions = former.state.surfaces.map { ServerMessage($0.version, .deleteSurface($0.id)) }
        server.clients.end(former)
        waiting.withLock { $0 += deletions }
    }

    /// Changes what the client has open.
    func change(_ body: (inout ClientState) throws -> [ServerMessage]) throws {
        admitUser()
        let messages = try server.clients.change(client, isPushed: false, since: lastRevision, body)
        waiting.withLock { $0 += messages }
    }

    /// Changes the model of a surface, and with it the tree.
    ///
    /// - Parameters:
    ///   - writes: the changes of a handler.
    ///   - base: the model that they were made for. Others may have changed it since.
    /// - Returns: the base with the changes.
    func change(_ id: String, _ writes: [Difference.Write], of base: DataModel) throws -> DataModel {
        admitUser()
        var new = base
        for write in writes { try new.set(write.value, at: write.path) }
        let messages = try server.change(client, id, isPushed: false, since: lastRevision) { current in
            current == base.value ? writes : Difference.writes(from: base.value, to: new.value, over: current)
        }
        waiting.withLock { $0 += messages }
        return new
    }

    /// Calls a function of the client.
    ///
    /// - Parameter handlerName: the handler of the response.
    func call(_ function: String, _ arguments: JSONObject, on id: String, _ handlerName: String) throws {
        admitUser()
        guard let open = client.state[id] else { return }
        guard try server.surface(open.name).handlers.withLock({ $0[handlerName] != nil }) else {
            let mistake = "the response of the function \(function.quoted) has no handler; write .on(…)"
            throw SurfaceError(surface: open.name, mistakes: [mistake])
        }
        guard open.version.isOne else {
            let text =
                "The surface \(id.quoted) speaks A2UI \(open.version.rawValue). Servers can call functions of clients only since 1.0."
            throw A2UIError(.validation, "version_mismatch", text)
        }
        guard client.binding != .agUI else {
            throw A2UIError(.state, "unavailable", "AG-UI carries no calls of functions.")
        }
        try change { state in
            let call = RemoteCall(
                id: RendererCallID(surfaceID: id, function: function, number: state.countCall()).text,
                surfaceID: id,
                function: function,
                catalogID: open.catalogID,
                arguments: arguments
            )
            return [ServerMessage(open.version, .callRendererFunction(call))]
        }
    }

    /// Sends the waiting messages. Without any, it lets a reader of the client's stream on this event loop run.
    func flush() async throws {
        guard let write = write.withLock({ $0 }) else { return await Task.yield() }
        let messages = take()
        guard !messages.isEmpty else { return await Task.yield() }
        do {
            try await write(messages)
        } catch {
            waiting.withLock { $0 = messages }
            throw error
        }
    }

    /// Opens a surface by its name, with a new model.
    package func visit(_ name: String) async throws {
        let surface = try server.surface(name)
        try open(surface, id: name, try await surface.model(request))
    }

    func open(_ surface: DeclaredSurface, id: String, _ model: JSONValue) throws {
        let known = metadata.namesCatalogs ? nil : client.choice
        let (version, catalog) = try known ?? metadata.choice(for: server.configuration)
        let open = ClientState.Open(
            id: id,
            name: surface.name,
            version: version,
            catalogID: catalog.id,
            sendsDataModel: surface.sendsDataModel,
            model: model,
            tree: try surface.components(model, version, catalog)
        )
        try change { $0.open(open) }
    }

    /// Takes over the client's models, and checks that all messages have a handler.
    package func check(_ messages: [ClientMessage]) throws {
        try metadata.update(client, in: server.clients, at: lastRevision)
        let state = client.state
        for (index, message) in messages.enumerated() {
            var surface: String?
            do throws(A2UIError) {
                guard let action = try message.handledAction() else { continue }
                surface = action.surfaceID
                _ = try handler(of: action, message.version, state)
            } catch {
                throw error.at(messages.count > 1 ? "/messages/\(index)" : "").on(surface)
            }
        }
    }

    /// Handles the messages of the client, one after the other.
    package func handle(_ messages: [ClientMessage]) async throws {
        for message in messages {
            if case .error(let error) = message.content {
                let place = error.surfaceID.map { " on \($0.excerpt.quoted)" } ?? ""
                server.logger.warning(
                    "a client reports \(error.code.excerpt)\(place), \(error.path ?? ""): \(error.message.excerpt)"
                )
            }
            if let action = try message.handledAction() {
                try await handler(of: action, message.version, client.state)(action, self)
            } else if case .callAgentFunction(let call) = message.content {
                let response = await respond(to: call)
                waiting.withLock { $0.append(ServerMessage(message.version, .agentFunctionResponse(response))) }
            }
        }
    }

    private func handler(
        of action: ClientMessage.Action,
        _ version: ProtocolVersion,
        _ state: ClientState
    ) throws(A2UIError) -> DeclaredSurface.ActionHandler {
        guard let open = state[action.surfaceID] else {
            let near = A2UIServer.advice(action.surfaceID, state.surfaces.map(\.id))
            throw A2UIError(
                .state,
                "unknown_surface",
                "The surface \(action.surfaceID.quoted) isn't open for this client; open it anew.\(near)",
                at: "/action/surfaceId"
            )
        }
        guard open.version.isCompatible(with: version) else {
            let text = "The surface \(open.id.quoted) speaks \(open.version.rawValue), the message \(version.rawValue)."
            throw A2UIError(.validation, "version_mismatch", text, at: "/version")
        }
        let handlers = try server.surface(open.name).handlers.withLock { $0 }
        guard let handler = handlers[action.name] else {
            let near = A2UIServer.advice(action.name, handlers.keys.sorted())
            let text = "The surface \(open.id.quoted) has no action \(action.name.quoted).\(near)"
            throw A2UIError(.state, "unknown_action", text, at: "/action/name")
        }
        return handler
    }

    private func respond(to call: RemoteCall) async -> FunctionResponse {
        func failure(_ code: String, _ text: String) -> FunctionResponse {
            FunctionResponse(callID: call.id, outcome: .failure(FunctionResponse.Failure(code: code, message: text)))
        }
        let functions = server.functions.withLock { $0 }
        guard let function = functions[call.function] else {
            let near = A2UIServer.advice(call.function, functions.keys.sorted())
            return failure("UNKNOWN_FUNCTION", "The server has no function \(call.function.quoted).\(near)")
        }
        do {
            return FunctionResponse(callID: call.id, outcome: .success(try await function(call.arguments, request)))
        } catch let error as A2UIError {
            return failure("INVALID_FUNCTION_CALL", error.message)
        } catch let error as any HTTPError {
            return failure("EXECUTION_ERROR", error.reason)
        } catch {
            server.logger.error("the function \(call.function.excerpt) has failed: \(error)")
            return failure("INTERNAL_ERROR", "the log of the server says why")
        }
    }
}

/// The metadata beside the messages of a client: its versions and catalogs, and the models of its surfaces.
///
/// Source: the A2UI specification, Client metadata.
package struct ClientMetadata: Sendable {
    /// The catalogs by the versions that the client speaks; empty if it doesn't say.
    private var catalogs: [ProtocolVersion: [String]] = [:]
    private var models = JSONObject()
    /// The version of the client's messages, or the one that it asks for.
    private var version: ProtocolVersion?

    /// Reads metadata.
    ///
    /// - Throws: a validation error with the pointer of the wrong part.
    init(_ json: JSONValue?, version: ProtocolVersion?) throws(A2UIError) {
        self.version = version
        guard let json, json != .null else { return }
        for side in ["Client", "Renderer"] {
            if let value = json["a2ui\(side)Capabilities"] {
                for member in value.object?.members ?? [] {
                    let list = member.value["supportedCatalogIds"]?.array
                    guard let ids = list?.prefix(1001).map(\.string), ids.count <= 1000, !ids.contains(nil) else {
                        throw A2UIError(
                            .validation,
                            "type_mismatch",
                            "supportedCatalogIds must be a list of at most 1000 ids.",
                            at: "/metadata/a2ui\(side)Capabilities/\(member.key)/supportedCatalogIds"
                        )
                    }
                    // Versions that this server doesn't know may come along.
                    if let version = ProtocolVersion(loosely: member.key) { catalogs[version] = ids.compactMap { $0 } }
                }
            }
            if let value = json["a2ui\(side)DataModel"] {
                let path = "/metadata/a2ui\(side)DataModel/surfaces"
                guard let surfaces = value["surfaces"]?.object, surfaces.members.allSatisfy({ $0.value.object != nil })
                else {
                    throw A2UIError(
                        .validation,
                        "type_mismatch",
                        "surfaces must hold an object for each surface.",
                        at: path
                    )
                }
                models = surfaces
            }
        }
    }

    /// Whether the client says which catalogs it has.
    var namesCatalogs: Bool { !catalogs.isEmpty }

    /// The version and the catalog of new surfaces: the newest that both sides have.
    ///
    /// - Throws: a catalog error without a common catalog.
    func choice(for configuration: A2UIConfiguration) throws(A2UIError) -> (ProtocolVersion, Catalog) {
        let versions = catalogs.isEmpty ? [version ?? configuration.version] : ProtocolVersion.allCases.reversed()
        for version in versions where catalogs.isEmpty || catalogs[version] != nil {
            let known = catalogs[version]
            for catalog in configuration.catalogs where catalog.version.isCompatible(with: version) {
                let ids = [catalog.id] + Catalog.basics.filter { $0.value.id == catalog.id }.map(\.key)
                if known.map({ !Set($0).isDisjoint(with: ids) }) ?? true { return (version, catalog) }
            }
        }
        let ids = configuration.catalogs.map(\.id).joined(separator: ", ")
        let text = "The client must support one of the app's catalogs: \(ids)."
        throw A2UIError(.catalog, "no_catalog", text, at: "/metadata")
    }

    /// Takes over the models that the client has sent.
    fileprivate func update(_ client: Client, in clients: ClientTable, at revision: Int?) throws {
        guard models.count > 0 else { return }
        try clients.check(models)
        _ = try clients.change(client, isPushed: true) { state in
            for member in models.members where state[member.key]?.sendsDataModel == true {
                state.received(member.value.withoutNullMembers, of: member.key, at: revision)
            }
            return []
        }
    }
}
