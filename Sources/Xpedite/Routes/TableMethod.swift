public import Backlot

/// The method that returns the rows of a table. The same value registers the method and shows the table, so you write the name only
/// once.
///
/// ```swift
/// let customerRows = TableMethod<CustomerQuery>("customerRows")         // CustomerQuery: Codable
///
/// app.table(customerRows) { query, offset, limit, call in               // rows are any Encodable values
///     try await customers.matching(query.text, from: offset, limit: limit)
/// }
/// app.method(search) { input, call in
///     page("Found") { table(customerRows, CustomerQuery(text: input.text)) { cell("name") } }
/// }
/// ```
/// `TableMethod<Void>` takes no query.
public struct TableMethod<Query>: Sendable, Equatable {
    /// The name of the method.
    public let name: String

    /// Creates a method with this name.
    public init(_ name: String) { self.name = name }
}

extension TableMethod where Query == Void {
    /// Creates a method with this name, without a query.
    public init(_ name: String) { self.name = name }
}

extension XpediteApp {
    /// Adds the method that returns the rows of a table.
    ///
    /// - Parameters:
    ///   - batch: the maximum number of rows of a response. If there are more, the response has `max`.
    public func table(
        _ name: String,
        batch: Int = 50,
        file: String = #fileID,
        line: Int = #line,
        _ source: some TableSource
    ) {
        let place = CodeLocation(file: file, line: line)
        guard (1...100_000).contains(batch) else {
            return report("the table '\(name)' has batches of \(batch) rows: write 1 to 100,000", at: place)
        }
        let method = RegisteredMethod(isTable: true, response: { try await source.response(to: $0, batch: batch) })
        add(name, method, place)
    }

    /// Adds the method that returns the rows of a table. `rows` gets the number of rows to skip (`offset`) and the maximum number
    /// to return (`limit`).
    public func table(
        _ name: String,
        batch: Int = 50,
        file: String = #fileID,
        line: Int = #line,
        _ rows: @escaping @Sendable (_ offset: Int, _ limit: Int, _ call: Call) async throws -> [TableRow]
    ) {
        table(name, batch: batch, file: file, line: line, FunctionSource(function: rows))
    }

    /// Adds the method that returns the rows of a table, as values of a type of the app: the columns name its members.
    ///
    /// ```swift
    /// app.table("listCustomers", batch: 100) { offset, limit, call in
    ///     try await customers.rows(from: offset, limit: limit)
    /// }
    /// ```
    public func table<Row: Encodable & SendableMetatype>(
        _ name: String,
        batch: Int = 50,
        file: String = #fileID,
        line: Int = #line,
        _ rows: @escaping @Sendable (_ offset: Int, _ limit: Int, _ call: Call) async throws -> [Row]
    ) {
        let source = FunctionSource { try await rows($0, $1, $2).map { try TableRow(encoding: $0) } }
        table(name, batch: batch, file: file, line: line, source)
    }

    /// Adds the method that returns the rows of a table, as values of a type of the app: the columns name its members.
    ///
    /// ```swift
    /// app.table(customerRows) { offset, limit, call in try await customers.rows(from: offset, limit: limit) }
    /// ```
    public func table<Row: Encodable & SendableMetatype>(
        _ method: TableMethod<Void>,
        batch: Int = 50,
        file: String = #fileID,
        line: Int = #line,
        _ rows: @escaping @Sendable (_ offset: Int, _ limit: Int, _ call: Call) async throws -> [Row]
    ) {
        table(method.name, batch: batch, file: file, line: line, rows)
    }

    /// Adds the method that returns the rows of a table with a query. The page that shows the table gives the query. The session
    /// keeps it, because clients don't send it. If a packet has values with the same names, they take precedence.
    ///
    /// - Parameters:
    ///   - batch: the maximum number of rows of a response. If there are more, the response has `max`.
    ///   - rows: the rows from `offset` on, at most `limit`, as values of a type of the app: the columns name its members.
    public func table<Query: Decodable & Sendable, Row: Encodable & SendableMetatype>(
        _ method: TableMethod<Query>,
        batch: Int = 50,
        file: String = #fileID,
        line: Int = #line,
        _ rows:
            @escaping @Sendable (_ query: Query, _ offset: Int, _ limit: Int, _ call: Call) async throws -> [Row]
    ) {
        table(method.name, batch: batch, file: file, line: line) { offset, limit, call in
            try await rows(try call.query(), offset, limit, call)
        }
    }
}

extension XpediteApp {
    /// Not available: the function must take the query.
    @available(*, unavailable, message: "this table has a query: write { query, offset, limit, call in … }")
    public func table<Query, Row: Encodable & SendableMetatype>(
        _ method: TableMethod<Query>,
        batch: Int = 50,
        _ rows: @escaping @Sendable (_ offset: Int, _ limit: Int, _ call: Call) async throws -> [Row]
    ) {}
}

extension TableRow {
    /// - Throws: `EncodingError` for a value that isn't an object.
    fileprivate init(encoding row: some Encodable) throws {
        guard let object = try JSONValue(encoding: row).object else {
            let context = EncodingError.Context(
                codingPath: [],
                debugDescription: "a row must have members, which the columns name"
            )
            throw EncodingError.invalidValue(row, context)
        }
        self = object
    }
}

/// A session's latest query for each table, as JSON, by the name of the table's method.
enum TableQueriesKey: SessionKey {
    static let name = "xpedite.tables"
    typealias Value = [String: String]

    /// The maximum number of bytes of a query.
    static let maximumBytes = 4096
}

extension Call {
    /// The query of the table for which the client requests rows.
    fileprivate func query<Query: Decodable>() throws -> Query {
        let kept = session[TableQueriesKey.self]?[method].flatMap { try? JSONValue(parsing: $0) }
        let values = (kept?.object ?? JSONObject()).merged(with: input()) { $1 }
        return try InputDecoder.decode(Query.self, from: values)
    }
}
