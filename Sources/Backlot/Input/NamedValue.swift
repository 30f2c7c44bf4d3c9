extension Request {
    /// The query's parameters, in their order, decoded: `+` is a blank (URL Standard, section 5.1).
    public var queryParameters: [NamedValue] { rawQuery.map { NamedValue.decoded($0) } ?? [] }

    /// The first value of a query parameter, decoded; nil if it is missing. It is cheaper than ``queryParameters``.
    public func queryValue(_ name: String) -> String? { rawQuery.flatMap { NamedValue.first(name, in: $0) } }

    /// The value of a query parameter as a number, a boolean (`true`, `1`), a date (`2026-12-31`, or with a time in ISO 8601), an
    /// enumeration, or another type that can be decoded from a text. An array gets all of the parameter's values.
    ///
    /// ```swift
    /// let page = try request.query("page") ?? 1
    /// let tags: [String] = try request.query("tag") ?? []
    /// ```
    /// - Returns: nil if it is missing. An empty value, which forms send for an empty field, counts as missing unless a text is
    ///   requested.
    /// - Throws: `StatusError` with 400 and the parameter's name, for a value of another type, and for a second value of a type
    ///   that isn't an array.
    public func query<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value? {
        let pairs = queryParameters.filter { $0.name == name }
        guard let first = pairs.first, !first.value.isEmpty || pairs.count > 1 || type == String.self else {
            return nil
        }
        return try InputDecoder.decode([String: Value].self, from: pairs, of: "the query")[name]
    }

    /// The query's parameters as one value, by the names of its properties. Parameters without a property are ignored.
    ///
    /// ```swift
    /// struct Search: Decodable { let text: String, page: Int?, tag: [String]? }
    /// router.get("/search") { request in
    ///     let search = try request.query(as: Search.self)
    ///     return .text("\(search.text), page \(search.page ?? 1)")
    /// }
    /// ```
    /// - Throws: `StatusError` with 400 and the name of the parameter that is missing or of another type.
    public func query<Value: Decodable>(as type: Value.Type) throws -> Value {
        try InputDecoder.decode(type, from: queryParameters, of: "the query")
    }
}

/// The encoding of texts in forms and queries.
package enum FormText {
    /// The decoded text; badly encoded parts stay unchanged.
    package static func decode(_ text: Substring) -> String { decode(text.utf8.span) }

    /// The decoded text; badly encoded parts stay unchanged.
    package static func decode(_ bytes: Span<UInt8>) -> String { PercentDecoding.repair(bytes, plusIsBlank: true) }

    /// The text in the encoding of forms: a blank becomes `+`.
    package static func encode(_ text: String) -> String {
        PercentEncoding.encode(text, keeping: " .-*_").replacing(" ", with: "+")
    }

    /// Whether the bytes are the encoded form of a text.
    package static func isEncoded(_ text: String, _ bytes: Span<UInt8>) -> Bool {
        let plain = text.utf8.span
        var index = 0
        for position in bytes.indices {
            let byte = bytes[position]
            if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+") { return decode(bytes) == text }
            guard index < plain.count, plain[index] == byte else { return false }
            index += 1
        }
        return index == plain.count
    }
}

/// A name and a value from a query, a form or a cookie.
public struct NamedValue: Sendable, Equatable {
    /// The name, decoded.
    public let name: String
    /// The value, decoded.
    public let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The pairs of a query, or of a form (`application/x-www-form-urlencoded`).
    package static func decoded(_ text: String) -> [NamedValue] {
        // By bytes: a combining mark after a separator doesn't change it.
        text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { FormText.decode(Substring($0)) }
            return NamedValue(name: parts[0], value: parts.count > 1 ? parts[1] : "")
        }
    }

    /// The first value with a name in a query, decoded; nil if it is missing. The other pairs aren't decoded.
    package static func first(_ name: String, in query: String) -> String? {
        let bytes = query.utf8.span
        var start = 0
        while start < bytes.count {
            var end = start
            var equals: Int?
            while end < bytes.count, bytes[end] != UInt8(ascii: "&") {
                if equals == nil, bytes[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            if start < end, FormText.isEncoded(name, bytes.extracting(start..<(equals ?? end))) {
                return equals.map { FormText.decode(bytes.extracting(($0 + 1)..<end)) } ?? ""
            }
            start = end + 1
        }
        return nil
    }
}
