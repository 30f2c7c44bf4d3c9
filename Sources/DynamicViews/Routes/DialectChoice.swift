public import Backlot

/// The dialects of some views. A request chooses one by its query or, without it, by a header field.
struct DialectChoice: Sendable {
    static let parameter = "dialect"
    static let field = HTTPField.Name("Dynamic-Views-Dialect")

    /// The dialects. Without a preference, the first is used.
    let dialects: [Dialect]

    /// nil for an empty list, and for two dialects of one platform.
    init?(_ dialects: [Dialect]) {
        guard !dialects.isEmpty, Set(dialects.map(\.platform)).count == dialects.count else { return nil }
        self.dialects = dialects
    }

    init(_ dialect: Dialect) { dialects = [dialect] }

    /// The dialect for requests without a preference.
    var usual: Dialect { dialects[0] }

    /// The dialect in a path's query; nil if the query doesn't name one of the dialects.
    func dialect(inPath path: String) -> Dialect? {
        let query = path.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init)
        return Self.value(inQuery: query).flatMap(dialect(named:))
    }

    private func dialect(named name: String) -> Dialect? {
        dialects.first { $0.platform.rawValue == name.lowercased() }
    }

    /// The dialect for a request.
    ///
    /// - Throws: `StatusError` with 400, for an unknown name.
    func dialect(for request: Request) throws -> Dialect {
        let named = Self.value(inQuery: request.rawQuery) ?? Self.field.flatMap { request.headers[$0] }
        guard let named else { return usual }
        guard let dialect = dialect(named: named) else {
            let names = dialects.map(\.platform.rawValue).joined(separator: " or ")
            throw StatusError(.badRequest, "the dialect '\(named.excerpt)' is unknown here: ask for \(names)")
        }
        return dialect
    }

    private static func value(inQuery query: String?) -> String? {
        for pair in query?.split(separator: "&") ?? [] {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts[0] == parameter { return parts.count > 1 ? String(parts[1]) : "" }
        }
        return nil
    }
}

private enum DialectAttribute: RequestAttribute {
    typealias Value = Dialect
}

extension Request {
    /// The dialect that the client of a view speaks, for views that differ between platforms.
    public internal(set) var dialect: Dialect {
        get { attributes[DialectAttribute.self] ?? .ios }
        set { attributes[DialectAttribute.self] = newValue }
    }
}
