public import Backlot

/// Reads the keys of an object of a message, and refuses unknown ones.
struct FieldReader {
    let object: JSONObject
    let path: String
    private var known: Set<String> = []

    init(_ value: JSONValue?, at path: String) throws(A2UIError) {
        guard let object = value?.object else {
            let text = value == nil ? "is missing" : "must be an object"
            throw A2UIError(
                .validation,
                value == nil ? "missing_field" : "type_mismatch",
                "\(path.isEmpty ? "The message" : path) \(text).",
                at: path
            )
        }
        (self.object, self.path) = (object, path)
    }

    /// A key that may be absent.
    mutating func optional<Value>(
        _ key: String,
        _ noun: String,
        _ read: (JSONValue) -> Value?
    ) throws(A2UIError) -> Value? {
        known.insert(key)
        guard let value = object[key] else { return nil }
        guard let result = read(value) else {
            throw A2UIError(
                .validation,
                "type_mismatch",
                "\(key) must be \(noun), not \(value.typeText).",
                at: "\(path)/\(key)"
            )
        }
        return result
    }

    /// A key that must be there.
    mutating func required<Value>(
        _ key: String,
        _ noun: String,
        _ read: (JSONValue) -> Value?
    ) throws(A2UIError) -> Value {
        guard let value = try optional(key, noun, read) else {
            throw A2UIError(.validation, "missing_field", "\(key) is missing; write \(noun).", at: "\(path)/\(key)")
        }
        return value
    }

    mutating func text(_ key: String) throws(A2UIError) -> String { try required(key, "a string", \.string) }

    mutating func optionalText(_ key: String) throws(A2UIError) -> String? { try optional(key, "a string", \.string) }

    /// Ends the reading.
    ///
    /// - Throws: an error for a key that wasn't asked for.
    func end() throws(A2UIError) {
        guard let key = object.keys.first(where: { !known.contains($0) }) else { return }
        let near = Suggestion.nearest(to: key, among: known.sorted()).map { " Do you mean \($0)?" } ?? ""
        throw A2UIError(
            .validation,
            "extra_field",
            "The key \(key.quoted) is unknown here.\(near)",
            at: path + JSONPointer.step(key)
        )
    }

    /// The metadata of a surface, a component or an action: only extensions.
    mutating func metadata() throws(A2UIError) -> JSONObject? {
        guard let value = try optional("metadata", "an object", { $0.object == nil ? nil : $0 }) else { return nil }
        var reader = try FieldReader(value, at: "\(path)/metadata")
        let extensions = try reader.optional("extensions", "an object", \.object)
        try reader.end()
        if let mistake = Catalog.basic1_0.mistakes(in: .object(extensions ?? [:]), as: "type:Extensions").first {
            throw A2UIError(.validation, [mistake]).at("\(path)/metadata/extensions")
        }
        return value.object
    }
}

/// The outcome of a call that goes over the wire.
public struct FunctionResponse: Equatable, Sendable {
    /// An error instead of a value.
    public struct Failure: Error, Equatable, Sendable {
        /// The kind of error, such as `UNKNOWN_FUNCTION`.
        public let code: String
        /// The error in words.
        public let message: String

        /// Makes an error.
        public init(code: String, message: String) { (self.code, self.message) = (code, message) }
    }

    /// The id of the call.
    public let callID: String
    /// The value, or the error.
    public let outcome: Result<JSONValue, Failure>

    /// Makes a response.
    public init(callID: String, outcome: Result<JSONValue, Failure>) {
        (self.callID, self.outcome) = (callID, outcome)
    }

    init(_ reader: inout FieldReader) throws(A2UIError) {
        callID = try reader.text("functionCallId")
        let value = try reader.optional("value", "any value", { $0 })
        let error = try reader.optional("error", "an object", { $0 })
        try reader.end()
        switch (value, error) {
        case (let value?, nil): outcome = .success(value)
        case (nil, let error?):
            var reader = try FieldReader(error, at: reader.path + "/error")
            outcome = .failure(Failure(code: try reader.text("code"), message: try reader.text("message")))
            try reader.end()
        default:
            throw A2UIError(
                .validation,
                "invalid_value",
                "A response has either a value or an error; write one.",
                at: reader.path
            )
        }
    }

    package var json: JSONObject {
        var json: JSONObject = ["functionCallId": .string(callID)]
        switch outcome {
        case .success(let value): json["value"] = value
        case .failure(let error): json["error"] = ["code": .string(error.code), "message": .string(error.message)]
        }
        return json
    }
}

/// A call that goes over the wire.
public struct RemoteCall: Equatable, Sendable {
    /// The id that the response repeats.
    public let id: String
    /// The surface with the model that it reads; nil for an empty model.
    public let surfaceID: String?
    /// The name of the function.
    public let function: String
    /// The catalog of the function.
    public let catalogID: String?
    /// The arguments.
    public let arguments: JSONObject

    /// Makes a call.
    public init(id: String, surfaceID: String?, function: String, catalogID: String?, arguments: JSONObject) {
        (self.id, self.surfaceID, self.function) = (id, surfaceID, function)
        (self.catalogID, self.arguments) = (catalogID, arguments)
    }

    init(_ reader: inout FieldReader, surface: Bool, catalog: Bool) throws(A2UIError) {
        id = try reader.text("functionCallId")
        surfaceID = surface ? try reader.text("surfaceId") : try reader.optionalText("surfaceId")
        let call = try reader.required("callFunction", "an object") { $0 }
        try reader.end()
        var inner = try FieldReader(call, at: reader.path + "/callFunction")
        function = try inner.text("@call")
        catalogID = catalog ? try inner.text("catalogId") : try inner.optionalText("catalogId")
        arguments = try inner.optional("args", "an object", \.object) ?? [:]
        try inner.end()
    }

    /// The call as it stands in `callFunction`.
    package var call: JSONObject {
        var call: JSONObject = ["@call": .string(function)]
        call["catalogId"] = catalogID.map(JSONValue.string)
        if arguments.count > 0 { call["args"] = .object(arguments) }
        return call
    }

    var json: JSONObject {
        var json: JSONObject = ["functionCallId": .string(id), "callFunction": .object(call)]
        json["surfaceId"] = surfaceID.map(JSONValue.string)
        return json
    }
}
