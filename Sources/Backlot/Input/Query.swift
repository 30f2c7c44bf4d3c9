extension Request {
    /// The query's parameters, in their order, decoded: `+` is a blank (URL Standard, section 5.1).
    public var queryParameters: [NamedValue] { query.map { NamedValue.decoded($0) } ?? [] }

    /// The first value of a query's parameter, decoded; nil where it is missing. It is cheaper than
    /// ``queryParameters``.
    public func queryValue(_ name: String) -> String? { query.flatMap { NamedValue.first(name, in: $0) } }

    /// The value of a query's parameter as a number, a boolean (`true`, `1`), a date (`2026-12-31`, or with a time in
    /// ISO 8601), an enumeration, or another type that a text can be decoded into; as an array, all of its values.
    ///
    /// ```swift
    /// let page = try request.query("page") ?? 1
    /// let tags: [String] = try request.query("tag") ?? []
    /// ```
    /// - Returns: nil where it is missing. A value that is left empty, as a form sends it, is missing too unless a text
    ///   is asked for.
    /// - Throws: `StatusError` with 400, which names the parameter, for a value of another type, and for a second one
    ///   where one is asked for.
    public func query<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value? {
        let pairs = queryParameters.filter { $0.name == name }
        guard let first = pairs.first, !first.value.isEmpty || pairs.count > 1 || type == String.self else {
            return nil
        }
        do {
            let values = try InputDecoder.decode([String: Value].self, from: pairs)
            return values[name]
        } catch let error as InputError {
            throw StatusError(.badRequest, "the query's \(error)")
        }
    }

    /// The query's parameters as one value, by the names of its properties. Parameters that it has no property for are
    /// ignored.
    ///
    /// ```swift
    /// struct Search: Decodable { let text: String, page: Int?, tag: [String]? }
    /// router.get("/search") { request in let search = try request.query(as: Search.self)
    /// ```
    /// - Throws: `StatusError` with 400, which names the parameter that is missing or of another type.
    public func query<Value: Decodable>(as type: Value.Type) throws -> Value {
        do {
            return try InputDecoder.decode(type, from: queryParameters)
        } catch let error as InputError {
            throw StatusError(.badRequest, "the query's \(error)")
        }
    }

    /// Reads the body as JSON, and makes a value of it.
    ///
    /// - Throws: what ``json()`` throws, and `VariableError` with 400, which names the value that is missing or of
    ///   another type.
    public func json<Value: Decodable>(as type: Value.Type) async throws -> Value {
        try VariableDecoding.decode(type, from: try await json(), at: [])
    }
}
