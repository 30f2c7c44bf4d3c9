public import BacklotHTTP
internal import BacklotJSON

extension Request {
    /// Reads the variables that the client has sent: a JSON object. A GET sends none.
    ///
    /// - Throws: `StatusError` with 400 when the body is not a JSON object, nested deeper than 64 levels, or not UTF-8;
    ///   `RequestError` when it is too large, late or cut short.
    public func variables() async throws -> Variables {
        if method == .get || method == .head { return Variables(JSONObject()) }
        let value = try await json()
        guard let object = value.object else {
            throw StatusError(.badRequest, "the body is not a JSON object: variables are sent as {\"name\": value}")
        }
        return Variables(object)
    }

    /// Reads the variables that the client has sent, as one value.
    ///
    /// - Throws: what `variables()` throws, and `VariableError` with 400, which names the variable that is missing or of
    ///   another type.
    public func variables<Value: Decodable>(as type: Value.Type) async throws -> Value {
        try await variables().decode(type)
    }
}
