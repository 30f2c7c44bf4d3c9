import A2UI
import Backlot

/// A call of JSON-RPC 2.0.
///
/// Source: the JSON-RPC 2.0 specification.
struct JSONRPCCall: Sendable {
    /// The code of a failure, section 5.1.
    enum Failure: Int64 {
        case invalidRequest = -32_600
        case methodNotFound = -32_601
        case invalidParameters = -32_602
        case internalError = -32_603
        /// MCP's, for a resource.
        case notFound = -32_002
    }

    let method: String
    let parameters: JSONValue
    /// nil for a notification, which gets no response.
    let id: JSONValue?

    /// Reads one call; nil for any other document.
    init?(_ document: JSONValue) {
        guard document["jsonrpc"] == "2.0", let method = document["method"]?.string else { return nil }
        (self.method, parameters, id) = (method, document["params"] ?? [:], document["id"])
    }

    func result(_ value: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "id": id ?? .null, "result": value]
    }

    func failure(_ code: Failure, _ text: String, _ details: ProblemDetails? = nil) -> JSONValue {
        Self.failure(code, text, details, id)
    }

    /// The failure for an error of the protocol, or another one with a status.
    ///
    /// - Throws: errors that the client may not see.
    func failure(_ error: any Error) throws -> JSONValue {
        guard let details = ProblemDetails(of: error) else { throw error }
        return failure(
            details.status == .internalServerError ? .internalError : .invalidParameters,
            details.reason,
            details
        )
    }

    static func failure(
        _ code: Failure,
        _ text: String,
        _ details: ProblemDetails? = nil,
        _ id: JSONValue? = nil
    ) -> JSONValue {
        var error: JSONObject = ["code": .number(JSONNumber(code.rawValue)), "message": .string(text)]
        error["data"] = details.map { .object($0.members) }
        return ["jsonrpc": "2.0", "id": id ?? .null, "error": .object(error)]
    }

    /// The failure for a body that isn't a call.
    static var notACall: JSONValue {
        failure(.invalidRequest, "write {\"jsonrpc\":\"2.0\",\"method\":…,\"params\":…,\"id\":…}")
    }
}
