#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Response {
    /// A JSON response: a value encoded by JSONEncoder, with sorted keys and dates in RFC 3339.
    ///
    /// ```swift
    /// router.get("/users/{id}") { request in try .json(users.user(try request.parameter("id", as: Int.self))) }
    /// ```
    /// - Throws: `EncodingError` for a value that JSON can't hold, such as a number that isn't finite. The client gets 500.
    public static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let body = Array(try JSONEncoder.ofResponses.encode(value))
        return Response(status: status, headers: [.contentType: "application/json"], body: .bytes(body))
    }

    /// Creates a JSON response.
    package init(json: JSONValue, status: HTTPResponse.Status = .ok) {
        self.init(status: status, headers: [.contentType: "application/json"], body: .bytes(json.bytes))
    }
}

extension JSONEncoder {
    /// The encoder for response bodies.
    static var ofResponses: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }
}
