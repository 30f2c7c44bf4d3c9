public import Backlot

/// The state of a client: its surfaces, as the messages of servers build them. A value without I/O.
///
/// Source: the A2UI specification, Processing of messages.
public struct Processor: Sendable {
    /// The strictness of the checks of a message.
    public enum Strictness: Comparable, Sendable {
        /// As a client that draws what it gets: only what can't be applied is an error.
        case lenient
        /// Components and calls against their catalogs as well.
        case schema
        /// Also what a complete surface needs: a root, no references to nothing, no orphans.
        case strict
    }

    /// The most surfaces at a time.
    public static let surfaceLimit = 1000
    /// The most components of a surface.
    public static let componentLimit = ServerMessage.componentLimit
    /// The most bytes of a model, about.
    public static let modelLimit = 10_000_000

    /// The catalogs by the ids that surfaces name.
    public var catalogs: [String: Catalog]
    /// The strictness of the checks.
    public let strictness: Strictness
    /// The open surfaces by id.
    public private(set) var surfaces: [String: Surface] = [:]
    /// The messages that the client must send: reports of errors, and outcomes of calls.
    public private(set) var outbox: [ClientMessage] = []
    /// Outcomes of the client's own calls, by their ids.
    public private(set) var results: [String: FunctionResponse] = [:]
    private var openCalls: Set<String> = []

    /// Makes a client without surfaces.
    public init(catalogs: [String: Catalog] = Catalog.basics, strictness: Strictness = .lenient) {
        (self.catalogs, self.strictness) = (catalogs, strictness)
    }

    /// Takes the messages to send.
    public mutating func takeOutbox() -> [ClientMessage] {
        defer { outbox = [] }
        return outbox
    }

    /// Applies a message, a list of messages, or an object with a list. Each is applied alone: an error of one changes nothing, and
    /// the others count.
    ///
    /// - Returns: the errors, with pointers from the document on in lists.
    public mutating func apply(_ document: JSONValue) -> [A2UIError] {
        let list = ServerMessage.list(document)
        let isList = list.count != 1 || list[0] != document
        var errors: [A2UIError] = []
        var changed: Set<String> = []
        for (index, json) in list.enumerated() {
            var version = ProtocolVersion.v0_9
            do throws(A2UIError) {
                let message = try ServerMessage(json)
                version = message.version
                try apply(message)
                changed.formUnion([message.surfaceID].compactMap { $0 })
            } catch {
                outbox += [ClientMessage(error, version)].compactMap { $0 }
                errors.append(error.at(isList ? "/messages/\(index)" : ""))
            }
        }
        guard strictness >= .schema, errors.isEmpty else { return errors }
        for surface in changed.sorted().compactMap({ surfaces[$0] }) {
            do throws(A2UIError) {
                try tree(of: surface).check(isComplete: strictness == .strict)
            } catch {
                let error = error.on(surface.id)
                errors.append(error)
                outbox += [ClientMessage(error, surface.version)].compactMap { $0 }
            }
        }
        return errors
    }

    /// Applies a message.
    ///
    /// - Throws: the error that the client reports. Nothing has changed then.
    public mutating func apply(_ message: ServerMessage) throws(A2UIError) {
        do throws(A2UIError) {
            switch message.content {
            case .createSurface(let id, let creation): try create(id, creation, message)
            case .updateComponents(let id, let objects):
                try update(id, message.version) { (surface, client) throws(A2UIError) in
                    try client.add(objects, to: &surface, message.version, at: "/updateComponents/components")
                }
            case .updateDataModel(let id, let path, let value):
                try update(id, message.version) { (surface, client) throws(A2UIError) in
                    do throws(A2UIError) {
                        if client.strictness >= .schema { try DataPath.checkEscapes(in: path) }
                        try surface.write(value, at: DataPath(path))
                    } catch {
                        throw error.at("/updateDataModel/path")
                    }
                }
            case .deleteSurface(let id): surfaces[id] = nil
            case .callRendererFunction(let call):
                outbox.append(
                    ClientMessage(message.version, .rendererFunctionResponse(respond(to: call, message.version)))
                )
            case .agentFunctionResponse(let response):
                if openCalls.remove(response.callID) != nil { results[response.callID] = response }
            }
        } catch {
            throw error.on(message.surfaceID)
        }
    }

    private mutating func create(
        _ id: String,
        _ creation: ServerMessage.Creation,
        _ message: ServerMessage
    ) throws(A2UIError) {
        guard surfaces[id] == nil else {
            throw A2UIError(
                .integrity,
                "duplicate_surface",
                "The surface \(id.quoted) is open; delete it first.",
                at: "/createSurface"
            )
        }
        guard surfaces.count < Self.surfaceLimit else {
            throw A2UIError(
                .recursion,
                "too_many_surfaces",
                "More than \(Self.surfaceLimit) surfaces are open; delete some."
            )
        }
        var surface = Surface(id, message.version, creation)
        let scope = scope(of: surface)
        if creation.catalogID != nil {
            do throws(A2UIError) {
                _ = try scope.catalog(nil)
            } catch {
                throw error.at("/createSurface/catalogId")
            }
        }
        try ComponentRules(scope: scope, version: message.version, strictness: strictness)
            .check(ServerMessage(message.version, .createSurface(id, ServerMessage.Creation(themeOf: creation))))
        try surface.write(surface.model.value, at: .root)
        if !creation.components.isEmpty {
            try add(creation.components, to: &surface, message.version, at: "/createSurface/components")
        }
        surfaces[id] = surface
    }

    private mutating func update(
        _ id: String,
        _ version: ProtocolVersion,
        _ change: (inout Surface, Processor) throws(A2UIError) -> Void
    ) throws(A2UIError) {
        guard var surface = surfaces[id] else {
            throw A2UIError(
                .integrity,
                "unknown_surface",
                "Surface not found for message: \(id.excerpt(upTo: 100)); create it first."
            )
        }
        guard surface.version.isCompatible(with: version) else {
            throw A2UIError(
                .validation,
                "version_mismatch",
                "The surface \(id.quoted) speaks \(surface.version.rawValue), the message \(version.rawValue).",
                at: "/version"
            )
        }
        // Taken out, so that its parts change without a copy.
        surfaces[id] = nil
        defer { surfaces[id] = surface }
        try change(&surface, self)
    }

    private func add(
        _ objects: [JSONObject],
        to surface: inout Surface,
        _ version: ProtocolVersion,
        at path: String
    ) throws(A2UIError) {
        let rules = ComponentRules(scope: scope(of: surface), version: version, strictness: strictness)
        let new = try rules.components(objects, known: surface.components, at: path)
        var former: [(String, Component?)] = []
        for component in new {
            former.append((component.id, surface.components.updateValue(component, forKey: component.id)))
        }
        do throws(A2UIError) {
            guard surface.components.count <= Self.componentLimit else {
                throw A2UIError(
                    .recursion,
                    "too_many_components",
                    "A surface has more than \(Self.componentLimit) components."
                )
            }
            try tree(of: surface).checkCycles(from: new.map(\.id))
        } catch {
            for (id, component) in former { surface.components[id] = component }
            throw error.at(path)
        }
    }

    func scope(of surface: Surface) -> CatalogScope {
        CatalogScope(catalogs: catalogs, defaultID: surface.creation.catalogID, version: surface.version)
    }

    func tree(of surface: Surface) -> ComponentTree {
        ComponentTree(components: surface.components, scope: scope(of: surface))
    }

    /// Writes what a user gave into the model.
    public mutating func write(_ value: JSONValue, at path: DataPath, surface id: String) throws(A2UIError) {
        try update(id, surfaces[id]?.version ?? .v1_0) { (surface, _) throws(A2UIError) in
            try surface.write(value, at: path)
        }
    }
}

extension ServerMessage.Creation {
    /// The parts to check before there is a surface.
    fileprivate init(themeOf creation: ServerMessage.Creation) {
        self.init(catalogID: creation.catalogID)
        theme = creation.theme
    }
}

extension Surface {
    fileprivate mutating func write(_ value: JSONValue?, at path: DataPath) throws(A2UIError) {
        let value = value ?? .null
        let nullBytes = try model.check(path, isDeletion: value.isNull) * (JSONValue.null.approximateBytes + 1)
        let size = value.approximateBytes + nullBytes
        var bytes = (path.segments.isEmpty ? 0 : modelBytes) + size + path.segments.reduce(0) { $0 + $1.utf8.count }
        // The sum counts values that have been replaced since; the exact one decides.
        if bytes > Processor.modelLimit, !path.segments.isEmpty { bytes = model.value.approximateBytes + size }
        guard bytes <= Processor.modelLimit else {
            throw A2UIError(
                .recursion,
                "model_too_large",
                "The data model has more than \(Processor.modelLimit) bytes."
            )
        }
        try model.set(value, at: path)
        modelBytes = bytes
    }
}

extension JSONValue {
    /// The bytes as JSON, without those of escapes.
    package var approximateBytes: Int {
        switch self {
        case .null, .bool, .number: 8
        case .string(let text): text.utf8.count + 2
        case .array(let elements): elements.reduce(2) { $0 + $1.approximateBytes + 1 }
        case .object(let object): object.members.reduce(2) { $0 + $1.key.utf8.count + $1.value.approximateBytes + 4 }
        }
    }
}

/// Calls over the wire.
extension Processor {
    /// Runs a function for a server.
    ///
    /// - Parameter isUserActive: whether a user's tap caused the call. A message of a server isn't one.
    public func respond(
        to call: RemoteCall,
        _ version: ProtocolVersion,
        isUserActive: Bool = false
    ) -> FunctionResponse {
        func failure(_ code: String, _ message: String) -> FunctionResponse {
            FunctionResponse(callID: call.id, outcome: .failure(FunctionResponse.Failure(code: code, message: message)))
        }
        let surface = call.surfaceID.flatMap { surfaces[$0] }
        let scope = CatalogScope(catalogs: catalogs, defaultID: nil, version: version)
        let function: Function
        do throws(A2UIError) {
            function = try scope.function(call.function, catalog: call.catalogID)
        } catch {
            return failure("INVALID_FUNCTION_CALL", error.message)
        }
        guard function.callers != .rendererOnly else {
            return failure("INVALID_FUNCTION_CALL", "Only the client itself may call \(call.function.quoted).")
        }
        guard isUserActive || !function.requiresUserActivation else {
            return failure("INVALID_FUNCTION_CALL", "\(call.function.quoted) runs only after a user's tap.")
        }
        var evaluator = Evaluator(surface?.model ?? DataModel(), scope)
        do throws(A2UIError) {
            let value = try evaluator.call(call.function, call.arguments, catalog: call.catalogID)
            return FunctionResponse(callID: call.id, outcome: .success(value ?? .null))
        } catch {
            return failure("EXECUTION_ERROR", error.message)
        }
    }

    /// Calls a function of the server. The outcome comes into ``results``.
    public mutating func callAgent(_ call: RemoteCall, _ version: ProtocolVersion) {
        openCalls.insert(call.id)
        outbox.append(ClientMessage(version, .callAgentFunction(call)))
    }
}

/// The data that accompany the messages of a client.
extension Processor {
    /// The models of surfaces that send them, for `a2uiClientDataModel`; nil without such a surface.
    public func dataModels(_ version: ProtocolVersion) -> JSONValue? {
        var models = JSONObject()
        for (id, surface) in surfaces.sorted(by: { $0.key < $1.key })
        where surface.creation.sendsDataModel && surface.version.isCompatible(with: version) {
            models[id] = surface.model.value
        }
        return models.count == 0 ? nil : ["version": .string(version.rawValue), "surfaces": .object(models)]
    }

    /// The catalogs that the client has, for `a2uiClientCapabilities`.
    ///
    /// - Parameter isInline: whether the catalogs themselves go along.
    public func capabilities(_ version: ProtocolVersion, isInline: Bool = false) -> JSONValue {
        let known = catalogs.values.filter { $0.version.isCompatible(with: version) }
        let ids = Set(known.map(\.id)).sorted()
        var capabilities: JSONObject = ["supportedCatalogIds": .array(ids.map(JSONValue.string))]
        if isInline {
            capabilities["inlineCatalogs"] = .array(
                ids.compactMap { id in known.first { $0.id == id }?.inline(version) }.map(JSONValue.object)
            )
        }
        return [version.rawValue: .object(capabilities)]
    }
}

extension Catalog {
    /// The catalog as clients send it: before 1.0, functions are a list, and the theme is its properties.
    fileprivate func inline(_ version: ProtocolVersion) -> JSONObject {
        guard !version.isOne else { return json }
        var inline: JSONObject = ["catalogId": .string(id)]
        var parts = JSONObject()
        for member in json["components"]?.object?.members ?? [] {
            var own = member.value.object ?? [:]
            own["type"] = nil
            own["properties"] = .object(
                ["component": ["const": .string(member.key)]] + (own["properties"]?.object ?? [:])
            )
            let required = (own["required"]?.array ?? []).filter { $0 != "component" }
            own["required"] = .array(["component"] + required)
            parts[member.key] = ["allOf": [["$ref": "common_types.json#/$defs/ComponentCommon"], .object(own)]]
        }
        if parts.count > 0 { inline["components"] = .object(parts) }
        let functions = (json["functions"]?.object?.members ?? []).map { member -> JSONValue in
            let properties = member.value["properties"]
            var function: JSONObject = ["name": .string(member.key)]
            function["returnType"] = member.value["returnType"] ?? properties?["returnType"]?["const"]
            function["parameters"] = properties?["args"]
            return .object(function)
        }
        if !functions.isEmpty { inline["functions"] = .array(functions) }
        inline["theme"] = (json["theme"] ?? json["$defs"]?["theme"])?["properties"]
        return inline
    }
}
