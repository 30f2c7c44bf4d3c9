/// A JSON body with a value that is missing or of another type: 400, with the value's location and the expected type.
public struct JSONBodyError: HTTPError, Equatable {
    /// The location of the value, as a JSON Pointer (RFC 6901): `/plots/0/size`; empty for the whole body.
    public let pointer: String
    /// The problem: `is a string: it must be a whole number`, `is missing: expected a whole number`.
    public let problem: String

    /// Creates a value that the handler can't use.
    public init(pointer: String, problem: String) {
        self.pointer = pointer
        self.problem = problem
    }

    /// 400.
    public var status: HTTPResponse.Status { .badRequest }

    /// The location and the problem, in one line for the client's developer.
    public var reason: String { pointer.isEmpty ? "the body \(problem)" : "the body's \(pointer) \(problem)" }
}

extension Request {
    /// Reads the body as JSON and decodes a value from it. Types count: a string isn't a number, and an empty string isn't missing.
    /// Keys without a property are ignored. A `Date` is a string in ISO 8601, a `Decimal` a number.
    ///
    /// ```swift
    /// router.post("/plots") { request in try await garden.add(request.json(as: NewPlot.self)) }
    /// ```
    /// - Throws: the errors of ``json()``, and ``JSONBodyError`` with 400.
    public func json<Value: Decodable>(as type: Value.Type) async throws -> Value {
        let value = try await json()
        do {
            return try InputDecoder(value: value, codingPath: [], form: .strict).decode(type)
        } catch let error as DecodingError {
            throw JSONBodyError(error, in: value)
        }
    }
}

extension JSONBodyError {
    fileprivate init(_ error: DecodingError, in body: JSONValue) {
        let path: [any CodingKey]
        let problem: String
        switch error {
        case .keyNotFound(let key, let context):
            path = context.codingPath + [key]
            problem = "is missing: expected \(context.debugDescription)"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            path = context.codingPath
            let text = context.debugDescription
            // Types of Foundation and of the app may write the whole text.
            problem = "\(Self.found(path, in: body)): it \(text.hasPrefix("must") ? text : "must be \(describe(type))")"
        case .dataCorrupted(let context):
            path = context.codingPath
            problem = "can't be used: \(context.debugDescription)"
        @unknown default:
            path = []
            problem = "can't be used: \(error)"
        }
        self.init(pointer: path.map { JSONPointer.step($0.stringValue) }.joined(), problem: problem)
    }

    /// The value at the location, in words.
    private static func found(_ path: [any CodingKey], in body: JSONValue) -> String {
        var found: JSONValue? = body
        for key in path { found = found?[key.stringValue] ?? key.intValue.flatMap { found?[$0] } }
        return "is \(found?.typeText ?? "missing")"
    }
}
