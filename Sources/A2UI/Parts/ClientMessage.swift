public import Backlot

/// A message from a client.
///
/// Source: the A2UI specification, Client to server.
public struct ClientMessage: Equatable, Sendable {
    /// An action of a user.
    public struct Action: Equatable, Sendable {
        /// The name, from the component's action.
        public let name: String
        /// The surface.
        public let surfaceID: String
        /// The component. All rows of a template have the same.
        public let componentID: String
        /// The time, in the form of ISO 8601.
        public let timestamp: String
        /// The values of the action's context at the time of the tap.
        public let context: JSONObject
        /// The action in words, in 1.0.
        public var userMessage: String?
        /// The extensions, in 1.0.
        public var metadata: JSONObject?

        package init(name: String, surfaceID: String, componentID: String, timestamp: String, context: JSONObject) {
            (self.name, self.surfaceID, self.componentID) = (name, surfaceID, componentID)
            (self.timestamp, self.context) = (timestamp, context)
        }
    }

    /// An error that a client found in what a server sent.
    public struct Report: Equatable, Sendable {
        /// The kind of error, such as `VALIDATION_FAILED`.
        public let code: String
        /// The error in words.
        public let message: String
        /// The surface; nil for an error of a call.
        public let surfaceID: String?
        /// The JSON pointer of the wrong part, for errors of validation.
        public var path: String?
        /// The call, in 1.0.
        public var callID: String?

        fileprivate static let validationCodes: Set<String> = [
            "VALIDATION_FAILED", "UNALLOWED_PARENT", "UNALLOWED_CHILD",
        ]
    }

    /// The contents of a message.
    public enum Content: Equatable, Sendable {
        case action(Action)
        case error(Report)
        /// Calls a function of the server, in 1.0.
        case callAgentFunction(RemoteCall)
        /// The outcome of a server's call, in 1.0.
        case rendererFunctionResponse(FunctionResponse)
    }

    /// The most messages of a request.
    package static let requestLimit = 100

    /// The version.
    public var version: ProtocolVersion
    /// The contents of the message.
    public var content: Content

    /// Makes a message.
    public init(_ version: ProtocolVersion, _ content: Content) { (self.version, self.content) = (version, content) }

    /// The report of an error; nil for an error without a surface.
    package init?(_ error: A2UIError, _ version: ProtocolVersion) {
        guard let surface = error.surfaceID else { return nil }
        let code = error.wireCode
        var report = Report(code: code, message: error.message, surfaceID: surface)
        if Report.validationCodes.contains(code) { report.path = error.path }
        self.init(version, .error(report))
    }

    /// Reads a message.
    ///
    /// - Throws: a validation error with the pointer of the wrong part.
    public init(_ json: JSONValue) throws(A2UIError) {
        let (version, key, value) = try ServerMessage.envelope(
            json,
            keys: ["action", "error"],
            of1_0: ["callAgentFunction", "rendererFunctionResponse"]
        )
        var reader = try FieldReader(value, at: "/\(key)")
        switch key {
        case "action":
            var action = Action(
                name: try reader.text("name"),
                surfaceID: try reader.text("surfaceId"),
                componentID: try reader.text("sourceComponentId"),
                timestamp: try reader.text("timestamp"),
                context: try reader.required("context", "an object", \.object)
            )
            if version.isOne {
                action.userMessage = try reader.optionalText("userMessage")
                action.metadata = try reader.metadata()
            }
            self.init(version, .action(action))
        case "error":
            let (code, message) = (try reader.text("code"), try reader.text("message"))
            let surface = try reader.optionalText("surfaceId")
            var report = Report(code: code, message: message, surfaceID: surface)
            if Report.validationCodes.contains(code), version.isOne || code == "VALIDATION_FAILED" {
                report.path = try reader.text("path")
                _ = try reader.text("surfaceId")
                try reader.end()
            } else {
                report.path = reader.object["path"]?.string
                report.callID = version.isOne ? try reader.optionalText("functionCallId") : nil
                guard (surface == nil) != (report.callID == nil) else {
                    let keys = version.isOne ? "either surfaceId or functionCallId" : "surfaceId"
                    throw A2UIError(.validation, "missing_field", "An error names \(keys).", at: "/error/surfaceId")
                }
            }
            self.init(version, .error(report))
        case "callAgentFunction":
            self.init(version, .callAgentFunction(try RemoteCall(&reader, surface: true, catalog: false)))
        default: self.init(version, .rendererFunctionResponse(try FunctionResponse(&reader)))
        }
    }

    /// The message as JSON.
    public var json: JSONValue {
        var (key, body) = ("", JSONObject())
        switch content {
        case .action(let action):
            key = "action"
            body = [
                "name": .string(action.name), "surfaceId": .string(action.surfaceID),
                "sourceComponentId": .string(action.componentID), "timestamp": .string(action.timestamp),
                "context": .object(action.context),
            ]
            body["userMessage"] = action.userMessage.map(JSONValue.string)
            body["metadata"] = action.metadata.map(JSONValue.object)
        case .error(let report):
            (key, body) = ("error", ["code": .string(report.code)])
            body["surfaceId"] = report.surfaceID.map(JSONValue.string)
            body["functionCallId"] = report.callID.map(JSONValue.string)
            body["path"] = report.path.map(JSONValue.string)
            body["message"] = .string(report.message)
        case .callAgentFunction(let call): (key, body) = ("callAgentFunction", call.json)
        case .rendererFunctionResponse(let response): (key, body) = ("rendererFunctionResponse", response.json)
        }
        return ["version": .string(version.rawValue), key: .object(body)]
    }
}
