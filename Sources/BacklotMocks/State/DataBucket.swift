import Backlot

/// A bucket of data, declared by a file: a list of rows or a document that routes read and change.
final class DataBucket: Sendable {
    /// The clients that share its data.
    enum Sharing: String, Sendable, CaseIterable {
        /// Each client has its own data.
        case client
        /// All clients.
        case shared
    }

    /// The keys of added rows without one.
    enum Keys: String, Sendable, CaseIterable {
        /// 1, 2, 3: the next number that no row has had.
        case counter
        case uuid
        case none
    }

    /// The limits of its content.
    struct Limits: Equatable, Sendable {
        /// Its approximate size in memory.
        var bytes = 256 * 1024
        var rows = 1000
    }

    let name: String
    let source: StubSource
    let sharing: Sharing
    /// Whether it is a list of rows.
    let isList: Bool
    /// The content before the first change, with the keys of rows.
    let initial: DataContent
    /// The schema for each row, or for the document.
    let schema: JSONSchema?
    let limits: Limits
    /// The member that identifies a row.
    let key: String
    let ids: Keys
    /// The members that an added row gets where it lacks them.
    private let defaults: JSONObject
    /// The members of rows that the schema names; empty if it names none.
    let properties: [String]
    /// The properties that are numbers.
    private let numbers: [String]
    /// The text for clients instead of the usual one; nil for the usual one.
    private let notFoundText: String?
    private let invalidText: String?

    static let fileKind = Kind(
        "data file",
        as: [.dataFile],
        "Data that routes change: rows, or a document.",
        groups: [.atMostOne(["rows", "value"])],
        keys: keys
    )
    static let crudKind = Kind(
        "crud file",
        as: [.crudFile],
        "REST routes for rows, at the file's path: those declared here, or those of a bucket.",
        misnomers: ["value": "REST routes are about rows; write them under rows:"],
        keys: [
            .optional("bucket", .string, "The data of data/NAME.yaml that the routes are about."),
            .optional(
                "methods",
                methods,
                "The methods of the routes; GET, POST, PUT, PATCH and DELETE without the key."
            ),
            .optional("parameters", .array(.string), "The query parameters of the list that choose no rows."),
            StubSession.loginKey,
            .optional(
                "where",
                .map(.any),
                "The members that the rows of these routes have, such as userId: '{{path.userId}}'; added rows get them."
            ),
        ] + keys.filter { $0.name != "value" }
    )
    private static let methods = ValueType.array(.words(["GET", "POST", "PUT", "PATCH", "DELETE"]))
    /// The largest limits that a file can set.
    static let (mostBytes, mostRows) = (16 * 1024 * 1024, 100_000)
    static let limitsKind = Kind("limits", as: [.limits], "How much data may be.", keys: limitsKeys)
    private static let limitsKeys: [Key] = [
        .optional("bytes", .integer(1...Int64(mostBytes)), "The most bytes of it.", default: 262_144),
        .optional("rows", .integer(1...Int64(mostRows)), "The most rows.", default: 1000),
    ]

    /// The keys of a declaration.
    static let keys: [Key] = [
        .optional("scope", .word(of: Sharing.self), "Whether each client has its own.", default: "client"),
        .optional("rows", .array(.map(.any)), "The rows at the beginning; it is a list of rows then."),
        .optional("value", .any, "The document at the beginning, if it isn't a list of rows."),
        .optional("schema", .either([.map(.any), .bool]), "The JSON Schema that each row, or the document, must fit."),
        .optional("limits", .object(.limits), "How much it may hold."),
        .optional("key", .string, "The member that identifies a row.", default: "id"),
        .optional("ids", .word(of: Keys.self), "The keys of added rows."),
        .optional("defaults", .map(.any), "The members that an added row gets where it lacks them."),
        .optional("notFound", .string, "The text of the response 404 for a row that is missing."),
        .optional(
            "invalid",
            .string,
            "The text of the response 422 for a row, or a document, that doesn't fit the schema."
        ),
    ]

    /// Reads a declaration with only the keys of its kind.
    init(_ file: LocatedValue, name: String, source: StubSource, _ reader: inout MockReader) throws(StubError) {
        let declared = file.value
        self.name = name
        self.source = source
        sharing = declared["scope"]?.word() ?? .client
        ids = declared["ids"]?.word() ?? .counter
        key = declared["key"]?.string ?? "id"
        defaults = declared["defaults"]?.object ?? [:]
        notFoundText = declared["notFound"]?.string
        invalidText = declared["invalid"]?.string
        let usual = Limits()
        let limits = declared["limits"]
        self.limits = Limits(
            bytes: limits?["bytes"]?.int ?? usual.bytes,
            rows: limits?["rows"]?.int ?? usual.rows
        )
        var schema: JSONSchema?
        if let field = file["schema"] { schema = try Self.schema(field, &reader) }
        self.schema = schema
        let properties = declared["schema"]?["properties"]?.object ?? [:]
        self.properties = properties.keys
        numbers = properties.members.filter { ["integer", "number"].contains($0.value["type"]?.string) }.map(\.key)
        isList = file["value"] == nil
        var content = DataContent(value: file["value"]?.value ?? .array([]))
        if let value = file["value"] { try Self.check(value.value, at: value, schema) }
        let (key, ids) = (key, ids)
        var known = DataMatch.Values()
        for row in file["rows"]?.each ?? [] {
            let added = try mapErrors(row.problem) {
                try content.append(row.value.object ?? [:], key: key, ids, isTaken: known.contains)
            }
            if let key = added[key] { known.insert(key) }
            try Self.check(added, at: row, schema)
        }
        initial = content
        if let problem = full(content) { throw file.problem(problem.text) }
    }

    private static func schema(_ field: LocatedValue, _ reader: inout MockReader) throws(StubError) -> JSONSchema {
        do throws(JSONSchema.ReadingError) {
            let schema = try JSONSchema(field.value, assertsFormats: true)
            for pointer in schema.unknownKeywords {
                let text = "JSON Schema knows no keyword '\(JSONPointer.steps(of: pointer).last ?? "")'; it is ignored"
                reader.warn(StubError(text, at: field.path + field.value.steps(of: pointer), isAboutKey: true))
            }
            return schema
        } catch {
            throw StubError(error.text, at: field.path + field.value.steps(of: error.pointer))
        }
    }

    private static func check(_ value: JSONValue, at field: LocatedValue, _ schema: JSONSchema?) throws(StubError) {
        guard let failure = schema?.errors(in: value).first else { return }
        throw StubError("\(failure)", at: field.path + field.value.steps(of: failure.instance))
    }

    /// The reason why the bucket can't hold a content; nil if it can.
    func full(_ content: DataContent) -> DataError? {
        let rows = isList ? content.rows : []
        if rows.count > limits.rows {
            let text = "the data '\(name)' may have at most \(limits.rows) rows; remove some"
            return DataError(.insufficientStorage, text)
        }
        guard content.bytes > limits.bytes else { return nil }
        return rows.last.flatMap(tooLarge) ?? DataError(.insufficientStorage, "\(sizeText); remove some")
    }

    /// The error for a row that is too large by itself; nil for another one.
    func tooLarge(_ row: JSONValue) -> DataError? {
        row.footprint > limits.bytes ? DataError(.contentTooLarge, sizeText) : nil
    }

    private var sizeText: String { "the data '\(name)' may take at most \(limits.bytes) bytes" }

    /// Checks a row, or the document.
    func check(_ value: JSONValue) throws(DataError) {
        guard let failures = schema?.errors(in: value), let first = failures.first else { return }
        let what = isList ? "a row of '\(name)'" : "the data '\(name)'"
        let text = invalidText ?? "\(what) doesn't fit its schema: \(first)"
        throw DataError(.unprocessableContent, text, failures: failures)
    }

    /// A new row with the members that it lacks: the old row's, or the defaults.
    func completed(_ row: JSONObject, from old: JSONValue? = nil) -> JSONObject {
        defaults.members.reduce(into: row) { if $0[$1.key] == nil { $0[$1.key] = old?[$1.key] ?? $1.value } }
    }

    /// The error for a missing row.
    func missing(_ text: String) -> DataError { DataError(.notFound, notFoundText ?? text) }

    /// The value for a member of a new row: a text such as 7 becomes a number if other rows have numbers, or if the schema wants one.
    func typed(_ value: JSONValue, for member: String) -> JSONValue {
        let known = initial.rows.lazy.compactMap { $0[member] }.first.map { $0.number != nil }
        guard known ?? numbers.contains(member), let text = value.string,
            let number = try? JSONValue(parsing: text), number.number != nil
        else { return value }
        return number
    }

    /// Whether clients without changes would see another value.
    func hasSameStart(as other: DataBucket) -> Bool {
        isList == other.isList && sharing == other.sharing && key == other.key && initial.value == other.initial.value
    }
}

/// The content of a bucket for one client, or for all.
struct DataContent: Sendable {
    /// A list of rows, or a document.
    private(set) var value: JSONValue
    /// The number that the next row without a key gets.
    private(set) var nextID: Int64 = 1
    /// The approximate size of the value in memory.
    private(set) var bytes = 0
    /// Differs for each change.
    var version: UInt64 = 0

    init(value: JSONValue) {
        self.value = value
        bytes = value.footprint
    }

    /// The rows of a list.
    var rows: [JSONValue] { value.array ?? [] }

    /// Replaces the value; the count of keys continues.
    mutating func set(_ value: JSONValue, key: String) {
        self.value = value
        bytes = value.footprint
        for row in rows { count(row[key]) }
    }

    /// Adds a row; one without a key gets one.
    ///
    /// - Parameter isTaken: whether a row has a key already; nil to look through all rows.
    /// - Returns: the added row.
    mutating func append(
        _ row: JSONObject,
        key: String,
        _ ids: DataBucket.Keys,
        isTaken: ((JSONValue) -> Bool)? = nil
    ) throws(DataError) -> JSONValue {
        var row = row
        if let given = row[key], !given.isNull {
            let isTaken =
                isTaken ?? { [rows] given in
                    var values = DataMatch.Values()
                    values.insert(given)
                    return rows.contains { $0[key].map(values.contains) ?? false }
                }
            guard ids == .none || !isTaken(given) else {
                throw DataError(.conflict, "there is a row with the \(key) \(given.excerpt) already")
            }
        } else if ids != .none {
            let new: JSONValue = ids == .uuid ? .string("\(StubID())") : .number(JSONNumber(nextID))
            // The key comes first, as in handwritten files.
            var whole: JSONObject = [key: new]
            for member in row.members where !member.hasKey(key) { whole.append(member.key, member.value) }
            row = whole
        }
        count(row[key])
        var rows = rows
        value = .null
        rows.append(.object(row))
        value = .array(rows)
        bytes += JSONValue.object(row).footprint
        return .object(row)
    }

    private mutating func count(_ key: JSONValue?) {
        // A key may be a number as a text.
        let number = key?.number?.int64 ?? key?.string.flatMap { Int64($0) }
        if let number, number >= nextID, number < Int64.max { nextID = number + 1 }
    }
}

/// The error for data that can't be changed.
struct DataError: Error, CustomStringConvertible {
    /// No file declares the data that a route names.
    static func missing(_ name: String) -> DataError {
        DataError(.internalServerError, "there is no data '\(name)'; declare it in data/\(name).yaml")
    }

    let status: HTTPResponse.Status
    let text: String
    var description: String { text }
    var failures: [JSONSchema.Failure] = []

    init(_ status: HTTPResponse.Status, _ text: String, failures: [JSONSchema.Failure] = []) {
        self.status = status
        self.text = text
        self.failures = failures
    }
}
