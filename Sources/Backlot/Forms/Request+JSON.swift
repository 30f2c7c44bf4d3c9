public import BacklotHTTP
public import BacklotJSON

extension Request {
    /// Reads the body as JSON, whatever its `Content-Type` says: real clients of the protocols are not exact about it.
    ///
    /// - Throws: `StatusError` with 400, which says where the body stops being JSON; `RequestError` when the body is too
    ///   large, late or cut short.
    public func json() async throws -> JSONValue {
        let bytes = try await body.collect()
        do throws(JSONParseError) {
            return try JSONValue(parsing: bytes.span)
        } catch {
            throw StatusError(.badRequest, "the body is not JSON: \(error)")
        }
    }
}
