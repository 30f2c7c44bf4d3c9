public import Backlot

/// A message from a server.
///
/// Source: the A2UI specification, Messages.
public struct ServerMessage: Equatable, Sendable {
    /// A new surface.
    public struct Creation: Equatable, Sendable {
        /// The catalog of components and calls that name none. Optional in 1.0.
        public var catalogID: String?
        /// The theme, before 1.0.
        public var theme: JSONObject?
        /// Whether the client adds the model to everything that it sends.
        public var sendsDataModel = false
        /// The first components, in 1.0.
        public var components: [JSONObject] = []
        /// The first model, in 1.0.
        public var dataModel: JSONObject?
        /// The extensions, in 1.0.
        public var metadata: JSONObject?

        /// Makes a surface without components.
        public init(catalogID: String?, sendsDataModel: Bool = false) {
            (self.catalogID, self.sendsDataModel) = (catalogID, sendsDataModel)
        }
    }

    /// The effect of a message.
    public enum Content: Equatable, Sendable {
        case createSurface(String, Creation)
        /// Adds components, or replaces those with the same ids.
        case updateComponents(String, [JSONObject])
        /// Writes a part of the model; nil deletes it.
        case updateDataModel(String, path: String, value: JSONValue?)
        case deleteSurface(String)
        /// Calls a function of the client, in 1.0.
        case callRendererFunction(RemoteCall)
        /// The outcome of a client's call, in 1.0.
        case agentFunctionResponse(FunctionResponse)
    }

    /// The version.
    public var version: ProtocolVersion
    /// The effect of the message.
    public var content: Content

    /// Makes a message.
    public init(_ version: ProtocolVersion, _ content: Content) { (self.version, self.content) = (version, content) }

    /// The surface; nil for a response, and for a call without one.
    public var surfaceID: String? {
        switch content {
        case .createSurface(let id, _), .updateComponents(let id, _), .updateDataModel(let id, _, _),
            .deleteSurface(let id):
            id
        case .callRendererFunction(let call): call.surfaceID
        case .agentFunctionResponse: nil
        }
    }

    /// The most components in one message.
    public static let componentLimit = 100_000

    /// The messages of a document: one message, a list, or an object with a list.
    public static func list(_ document: JSONValue) -> [JSONValue] {
        document.array ?? (document.object?.count == 1 ? document["messages"]?.array : nil) ?? [document]
    }

    /// Reads a message.
    ///
    /// - Throws: a validation error with the pointer of the wrong part.
    public init(_ json: JSONValue) throws(A2UIError) {
        let (version, key, value) = try Self.envelope(
            json,
            keys: ["createSurface", "updateComponents", "updateDataModel", "deleteSurface"],
            of1_0: ["callRendererFunction", "agentFunctionResponse"]
        )
        do throws(A2UIError) {
            self.init(version, try Self.content(key, value, version))
        } catch {
            throw error.on(value["surfaceId"]?.string)
        }
    }

    /// The version of a message, and its only other key with its value.
    static func envelope(
        _ json: JSONValue,
        keys: [String],
        of1_0: [String]
    ) throws(A2UIError) -> (ProtocolVersion, String, JSONValue) {
        var reader = try FieldReader(json, at: "")
        let name = try reader.text("version")
        guard let version = ProtocolVersion(rawValue: name) else {
            let names = ProtocolVersion.allCases.map(\.rawValue).joined(separator: ", ")
            throw A2UIError(
                .validation,
                "invalid_value",
                "Unsupported protocol version \(name.quoted); write one of \(names).",
                at: "/version"
            )
        }
        let known = keys + (version.isOne ? of1_0 : [])
        let found = reader.object.keys.filter { $0 != "version" }
        guard let key = found.first else {
            throw A2UIError(
                .validation,
                "missing_field",
                "The message says nothing; write one of \(known.joined(separator: ", "))."
            )
        }
        guard found.count == 1 else {
            throw A2UIError(
                .validation,
                "invalid_value",
                "A message says one thing, not \(found.joined(separator: " and "))."
            )
        }
        guard known.contains(key) else {
            let near = Suggestion.nearest(to: key, among: known).map { " Do you mean \($0)?" } ?? ""
            throw A2UIError(
                .validation,
                "extra_field",
                "\(key.quoted) is no message of \(version.rawValue).\(near)",
                at: JSONPointer.step(key)
            )
        }
        return (version, key, reader.object[key] ?? .null)
    }

    private static func content(
        _ key: String,
        _ value: JSONValue,
        _ version: ProtocolVersion
    ) throws(A2UIError) -> Content {
        var reader = try FieldReader(value, at: "/\(key)")
        let content: Content
        switch key {
        case "createSurface":
            let id = try reader.text("surfaceId")
            var surface = Creation(
                catalogID: version.isOne ? try reader.optionalText("catalogId") : try reader.text("catalogId")
            )
            surface.sendsDataModel = try reader.optional("sendDataModel", "a boolean", \.bool) ?? false
            if version.isOne {
                if reader.object["components"] != nil { surface.components = try components(&reader) }
                surface.dataModel = try reader.optional("dataModel", "an object", \.object)
                surface.metadata = try reader.metadata()
            } else {
                surface.theme = try reader.optional("theme", "an object", \.object)
            }
            content = .createSurface(id, surface)
        case "updateComponents":
            let id = try reader.text("surfaceId")
            content = .updateComponents(id, try components(&reader))
        case "updateDataModel":
            let id = try reader.text("surfaceId")
            let path = try reader.optionalText("path") ?? "/"
            let value =
                version.isOne
                ? try reader.required("value", "a value, or null to delete") { $0 }
                : try reader.optional("value", "a value") { $0 }
            content = .updateDataModel(id, path: path, value: value == .null ? nil : value)
        case "deleteSurface": content = .deleteSurface(try reader.text("surfaceId"))
        case "callRendererFunction":
            return .callRendererFunction(try RemoteCall(&reader, surface: false, catalog: true))
        default: return .agentFunctionResponse(try FunctionResponse(&reader))
        }
        try reader.end()
        return content
    }

    private static func components(_ reader: inout FieldReader) throws(A2UIError) -> [JSONObject] {
        let list = try reader.required("components", "a list", \.array)
        let path = "\(reader.path)/components"
        guard !list.isEmpty, list.count <= componentLimit else {
            let text =
                list.isEmpty
                ? "A list of components needs one at least" : "A message has more than \(componentLimit) components"
            throw A2UIError(.validation, "invalid_value", "\(text).", at: path)
        }
        var components: [JSONObject] = []
        for (index, value) in list.enumerated() {
            var component = try FieldReader(value, at: "\(path)/\(index)")
            _ = try component.required("id", "a string; a component is missing an 'id'", \.string)
            if try component.optionalText("component") == "Surface" {
                throw A2UIError(
                    .validation,
                    "invalid_value",
                    "Surface is reserved: every surface is one.",
                    at: "\(path)/\(index)/component"
                )
            }
            components.append(component.object)
        }
        return components
    }

    /// The message as JSON.
    public var json: JSONValue {
        var (key, body) = ("", JSONObject())
        func list(_ components: [JSONObject]) -> JSONValue { .array(components.map(JSONValue.object)) }
        switch content {
        case .createSurface(let id, let surface):
            (key, body["surfaceId"]) = ("createSurface", .string(id))
            body["catalogId"] = surface.catalogID.map(JSONValue.string)
            body["theme"] = surface.theme.map(JSONValue.object)
            if surface.sendsDataModel { body["sendDataModel"] = true }
            if !surface.components.isEmpty { body["components"] = list(surface.components) }
            body["dataModel"] = surface.dataModel.map(JSONValue.object)
            body["metadata"] = surface.metadata.map(JSONValue.object)
        case .updateComponents(let id, let components):
            (key, body) = ("updateComponents", ["surfaceId": .string(id), "components": list(components)])
        case .updateDataModel(let id, let path, let value):
            (key, body["surfaceId"]) = ("updateDataModel", .string(id))
            if path != "/" { body["path"] = .string(path) }
            // Before 1.0, a value that is left out deletes.
            if let value { body["value"] = value } else if version.isOne { body["value"] = .null }
        case .deleteSurface(let id): (key, body["surfaceId"]) = ("deleteSurface", .string(id))
        case .callRendererFunction(let call): (key, body) = ("callRendererFunction", call.json)
        case .agentFunctionResponse(let response): (key, body) = ("agentFunctionResponse", response.json)
        }
        return ["version": .string(version.rawValue), key: .object(body)]
    }
}
