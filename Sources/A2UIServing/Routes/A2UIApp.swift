public import A2UI
public import Backlot
import Logging

/// An app that is being mounted. You declare its surfaces, and the functions that clients may call.
public final class A2UIApp {
    let server: A2UIServer
    /// Further routes, below the app's path.
    private(set) var routes: [HTTPBinding.Route] = []
    private let report: (String, CodeLocation) -> Void

    init(_ server: A2UIServer, report: @escaping (String, CodeLocation) -> Void) {
        (self.server, self.report) = (server, report)
    }

    /// Declares a surface with a tree that depends on the model.
    ///
    /// ```swift
    /// let booking = app.surface("booking") { _ in Booking() } tree: { m, booking in
    ///     column {
    ///         textField("Name", value: m.name).check(.required(m.name), "Please give a name.")
    ///         if booking.isFull { text("We are full.") }
    ///     }
    /// }
    /// booking.on(take) { slot, turn in turn.model.slots = try await slots.take(slot.id) }
    /// ```
    /// - Parameters:
    ///   - name: the last part of the address. It is the surface's id too.
    ///   - sendsDataModel: whether clients add their model to what they send. Otherwise handlers don't see the user's input.
    ///   - model: makes the model when a client opens the surface. Values that are nil are missing in the client's model.
    ///   - tree: makes the components from paths, and from the current model. It is called again after each change.
    @discardableResult
    public func surface<Model: Codable & Sendable>(
        _ name: String,
        sendsDataModel: Bool = true,
        file: String = #fileID,
        line: Int = #line,
        model: @escaping @Sendable (Request) async throws -> Model,
        @TreeBuilder tree: @escaping @Sendable (Dynamic<Model>, Model) throws -> Element
    ) -> SurfaceDeclaration<Model> {
        declare(name, sendsDataModel, isFixed: false, model, tree, CodeLocation(file: file, line: line))
    }

    /// Declares a surface with a tree that is the same for all models.
    @discardableResult
    public func surface<Model: Codable & Sendable>(
        _ name: String,
        sendsDataModel: Bool = true,
        file: String = #fileID,
        line: Int = #line,
        model: @escaping @Sendable (Request) async throws -> Model,
        @TreeBuilder tree: @escaping @Sendable (Dynamic<Model>) throws -> Element
    ) -> SurfaceDeclaration<Model> {
        declare(
            name,
            sendsDataModel,
            isFixed: true,
            model,
            { m, _ in try tree(m) },
            CodeLocation(file: file, line: line)
        )
    }

    private func declare<Model: Codable & Sendable>(
        _ name: String,
        _ sendsDataModel: Bool,
        isFixed: Bool,
        _ model: @escaping @Sendable (Request) async throws -> Model,
        _ tree: @escaping @Sendable (Dynamic<Model>, Model) throws -> Element,
        _ source: CodeLocation
    ) -> SurfaceDeclaration<Model> {
        let surface = DeclaredSurface(name: name, sendsDataModel: sendsDataModel, isFixed: isFixed) { request in
            try Model.json(of: try await model(request))
        } tree: { json in
            try tree(Dynamic(term: .path(ModelPath())), try Model.read(json))
        }
        if !name.isIdentifier {
            report("'\(name)' can't be the name of a surface: write letters, digits and _", source)
        } else if !server.add(surface) {
            report("the surface '\(name)' is declared twice", source)
        }
        return SurfaceDeclaration(name: name, surface: surface, server: server)
    }

    func add(_ method: HTTPRequest.Method, _ path: String, _ respond: @escaping HTTPBinding.Respond) {
        routes.append((method, path, respond))
    }

    /// Adds a function that clients of 1.0 may call. Its catalog declares it with the callers `agentOnly` or `rendererOrAgent`.
    public func function<Arguments: Decodable & SendableMetatype, Value: Encodable & SendableMetatype>(
        _ name: String,
        _ body: @escaping @Sendable (Arguments, Request) async throws -> Value
    ) {
        server.functions.withLock {
            $0[name] = { arguments, request in
                let arguments = try Arguments.read(.object(arguments), at: "/callAgentFunction/callFunction/args")
                return try JSONValue(encoding: try await body(arguments, request))
            }
        }
    }
}

/// A declared surface: the place of its handlers, and of updates that the server starts.
///
/// A declaration doesn't keep its app in memory. After the app's router has been freed, its methods do nothing.
public struct SurfaceDeclaration<Model: Codable & Sendable>: Sendable {
    let name: String
    // Weak: a surface holds its handlers, and handlers that open or update surfaces hold declarations.
    weak let surface: DeclaredSurface?
    weak let server: A2UIServer?

    /// Leaves the surface out of the index, for one that only actions open. Checks and headless clients don't open it by its name.
    @discardableResult
    public func unlisted() -> SurfaceDeclaration {
        surface?.isListed.withLock { $0 = false }
        return self
    }

    /// Sets the handler of an action. The changes to the turn's model go out when it returns.
    ///
    /// - Parameter handler: gets the action's context and the turn. Its `UserError` and other `HTTPError` become the response, and
    ///   nothing changes then.
    public func on<Context>(
        _ action: SurfaceAction<Context>,
        _ handler: @escaping @Sendable (Context, inout Turn<Model>) async throws -> Void
    ) {
        surface?.handlers.withLock {
            $0[action.name] = { action, exchange in
                let context = try Context.read(.object(action.context), at: "/action/context")
                var turn = try Turn<Model>(action, exchange)
                try await handler(context, &turn)
                try turn.commit()
            }
        }
    }

    /// Sets the handler of the responses to calls of a client's function, which ``Turn/call(_:_:)`` makes.
    ///
    /// - Parameter handler: gets the value or the client's error, and the turn. Its action has the function's name.
    public func on<Arguments, Value>(
        _ function: RendererFunction<Arguments, Value>,
        _ handler: @escaping @Sendable (Result<Value, FunctionResponse.Failure>, inout Turn<Model>) async throws -> Void
    ) {
        surface?.handlers.withLock {
            $0[function.handlerName] = { action, exchange in
                let outcome: Result<Value, FunctionResponse.Failure>
                if let error = action.context["error"] {
                    let (code, message) = (error["code"]?.string ?? "", error["message"]?.string ?? "")
                    outcome = .failure(FunctionResponse.Failure(code: code, message: message))
                } else {
                    let path = "/rendererFunctionResponse"
                    guard let value = try [String: Value].read(.object(action.context), at: path)["value"] else {
                        throw A2UIError(.validation, "missing_field", "The call must have a value, not null.", at: path)
                    }
                    outcome = .success(value)
                }
                var turn = try Turn<Model>(action, exchange)
                try await handler(outcome, &turn)
                try turn.commit()
            }
        }
    }

    /// Sets the handler of an action that reads and writes single values, for models with hundreds of values.
    ///
    /// ```swift
    /// booking.on(take) { slot, m, values in
    ///     let first = m.slots[0].id
    ///     if try values.value(first) == slot.id { try values.set(m.isFull, to: true) }
    /// }
    /// ```
    /// - Parameter handler: gets the action's context, the path of the whole model, and the values. Its errors are handled as in a turn.
    public func on<Context>(
        _ action: SurfaceAction<Context>,
        _ handler: @escaping @Sendable (Context, Dynamic<Model>, inout ModelValues<Model>) async throws -> Void
    ) {
        surface?.handlers.withLock {
            $0[action.name] = { action, exchange in
                let context = try Context.read(.object(action.context), at: "/action/context")
                var values = ModelValues<Model>(action, exchange)
                try await handler(context, Dynamic(term: .path(ModelPath())), &values)
                try values.commit()
            }
        }
    }

    /// Changes the model of every client that has the surface open. Clients with a stream get the difference at once, others when
    /// they next restore the surface.
    ///
    /// The time grows with the number of clients and the size of their models: with many, call it within `Blocking.run`, so that no event
    /// loop waits.
    ///
    /// - Throws: the errors of `change` and of the tree. The clients before have their changes then. A client is left out if its values
    ///   don't fit the model, or if they are too large for the change. The log has a warning then.
    public func update(_ change: @Sendable (inout Model) throws -> Void) throws {
        guard let server else { return }
        for client in server.clients.clients(with: name) {
            for open in client.state.surfaces where open.name == name {
                do {
                    _ = try server.change(client, open.id, isPushed: true) { json in
                        // A client's own values may not fit. That is its fault alone.
                        var model = try Model.read(json, at: "/")
                        let former = try Model.json(of: model)
                        try change(&model)
                        return Difference.writes(from: former, to: try Model.json(of: model))
                    }
                } catch let error as A2UIError {
                    server.logger.warning("an update of \(name.quoted) leaves out a client: \(error.message)")
                }
            }
        }
    }
}

/// The work on one action of a client.
public struct Turn<Model: Codable & Sendable>: Sendable {
    /// The model as the client has it. Changes go to the client. Values that others change meanwhile stay, except those that the
    /// turn changes too. A list counts as one value.
    public var model: Model
    /// The request with the action.
    public var request: Request { exchange.request }
    /// The action as the client sent it.
    public let action: ClientMessage.Action
    /// The binding and the id of the client, which nobody else knows. Keep by it what only this client may use: its model can claim
    /// anything.
    public var clientID: String { exchange.client.fullID }
    private var former: JSONValue
    /// The former model in the client's own form: a number may be a text there.
    private var base: DataModel
    private let exchange: A2UIExchange

    fileprivate init(_ action: ClientMessage.Action, _ exchange: A2UIExchange) throws {
        let json = exchange.client.state[action.surfaceID]?.model ?? [:]
        model = try Model.read(json, at: "/metadata/a2uiClientDataModel/surfaces/\(action.surfaceID)")
        (former, base) = (try Model.json(of: model), DataModel(json))
        (self.action, self.exchange) = (action, exchange)
    }

    fileprivate mutating func commit() throws {
        let current = try Model.json(of: model)
        let writes = Difference.writes(from: former, to: current)
        former = current
        base = try exchange.change(action.surfaceID, writes, of: base)
    }

    /// Sends the changes so far, if the client accepts lines or events. Otherwise they go out with the rest.
    ///
    /// The response begins then, or after one ``A2UIConfiguration/heartbeat`` without it: change the session before.
    public mutating func send() async throws {
        try commit()
        try await exchange.flush()
    }

    /// Calls a function of the client, with the surface's model. The response comes later, to the function's handler, which
    /// `on(_:_:)` of ``SurfaceDeclaration`` sets.
    ///
    /// - Throws: an error of the protocol if the surface speaks a version before 1.0, or if the client speaks AG-UI, which has no
    ///   calls. An error if the function has no handler; the log describes it. The errors of encoding.
    public func call<Arguments, Value>(_ function: RendererFunction<Arguments, Value>, _ arguments: Arguments) throws {
        let arguments = try JSONValue(encoding: arguments).withoutNullMembers.object ?? [:]
        try exchange.call(function.name, arguments, on: action.surfaceID, function.handlerName)
    }

    /// Opens another surface.
    ///
    /// - Parameter id: the surface's id, for several surfaces of one declaration; by default its name.
    public func open<Other>(_ other: SurfaceDeclaration<Other>, id: String? = nil, _ model: Other) throws {
        let json = try Other.json(of: model)
        try exchange.open(exchange.server.surface(other.name), id: id ?? other.name, json)
    }

    /// Closes a surface; by default, the action's own.
    public func close(_ id: String? = nil) throws {
        let id = id ?? action.surfaceID
        try exchange.change { $0.close(id) }
    }
}

extension Encodable {
    fileprivate static func json(of model: Self) throws -> JSONValue {
        let json = try JSONValue(encoding: model).withoutNullMembers
        guard json.object != nil else {
            throw A2UIError(
                .data,
                "type_mismatch",
                "The model \(Self.self) must be an object, such as that of a struct."
            )
        }
        return json
    }
}

extension Decodable {
    /// Reads values of a client. Texts of inputs become numbers and dates where the type has those.
    ///
    /// - Parameter path: the pointer of the values in the request.
    static func read(_ json: JSONValue, at path: String = "") throws(A2UIError) -> Self {
        do {
            return try InputDecoder.decode(Self.self, from: json.withoutNullMembers.object ?? [:])
        } catch {
            throw A2UIError(.validation, "type_mismatch", "The values at \(path) don't fit: \(error).", at: path)
        }
    }
}
