import Backlot

/// One of the routes that a crud file makes for the rows of a bucket.
struct CrudRoute: Sendable {
    enum Part: Sendable {
        /// The complete list, at the path of the file.
        case list
        /// One row, by the parameter of that name.
        case row(String)

        fileprivate var methods: [HTTPRequest.Method] {
            switch self {
            case .list: [.get, .head, .post]
            case .row: [.get, .head, .put, .patch, .delete]
            }
        }
    }

    let bucket: String
    let part: Part
    /// The methods that it responds to.
    let methods: [HTTPRequest.Method]
    /// The query parameters that choose no rows.
    fileprivate let ignored: [String]
    /// The members of its rows. Others are neither shown nor changed.
    let match: [(key: String, value: ValueTemplate)]

    /// - Parameter file: the crud file.
    init(bucket: String, part: Part, _ file: LocatedValue) throws(StubError) {
        (self.bucket, self.part) = (bucket, part)
        ignored = file.value["parameters"]?.array?.compactMap(\.string) ?? []
        var match: [(key: String, value: ValueTemplate)] = []
        for (key, value) in try file["where"]?.members() ?? [] { match.append((key, try ValueTemplate(value))) }
        self.match = match
        let allowed = file.value["methods"]?.array?.compactMap(\.string)
        methods = part.methods.filter { allowed?.contains($0 == .head ? "GET" : $0.rawValue) ?? true }
    }

    /// Whether a method changes rows.
    static func changes(by method: HTTPRequest.Method) -> Bool { method != .get && method != .head }
}

/// A request to a route of a crud file.
struct CrudRequest {
    let route: CrudRoute
    /// The values for templates, among them the request.
    let context: TemplateContext
    /// The most bytes that filling in a template may take.
    let limit: Int
    let data: DataBuckets
    /// The client's scope.
    let scope: ScenarioStates.Scope
    /// The prefix of the request's path.
    let prefix: String

    private var request: MockRequest { context.request }

    /// The response to it.
    func response() -> Response {
        do throws(DataError) {
            guard let bucket = data.bucket(route.bucket) else { throw DataError.missing(route.bucket) }
            guard route.methods.contains(request.method) else {
                let allowed = route.methods.map(\.rawValue).joined(separator: ", ")
                let text = "\(request.method) is not answered here; allowed: \(allowed)"
                var response = DataError(.methodNotAllowed, text).response
                response.headers[.allow] = allowed
                return response
            }
            let match = try DataMatch(route.match, context, limit: limit)
            switch route.part {
            case .list where request.method == .post: return try insert(into: bucket, match)
            case .list:
                let list = try CrudList(request, bucket, ignoring: route.ignored)
                return list.response(rows.filter(match.fits), at: prefix + request.path)
            case .row(let name): return try row(context.pathParameters[name] ?? "", of: bucket, match)
            }
        } catch {
            return error.response
        }
    }

    private var rows: [JSONValue] { data.value(route.bucket, in: scope)?.array ?? [] }

    private func row(_ id: String, of bucket: DataBucket, _ list: DataMatch) throws(DataError) -> Response {
        let match = DataMatch([(bucket.key, .string(id))] + list.values)
        let missing = bucket.missing("no row of '\(bucket.name)' has \(match)")
        guard CrudRoute.changes(by: request.method) else {
            guard let row = rows.first(where: { match.fits($0) }) else { throw missing }
            return Response(json: row)
        }
        let new = request.method == .delete ? JSONObject() : try body(isPatch: request.method == .patch, for: bucket)
        return try change(bucket) { content throws(DataError) in
            var rows = content.rows
            guard let index = rows.firstIndex(where: { match.fits($0) }) else { throw missing }
            if request.method == .delete {
                rows.remove(at: index)
                content.set(.array(rows), key: bucket.key)
                return Response(status: .noContent)
            }
            let old = rows[index]
            if let key = new[bucket.key], !DataMatch.isSame(old[bucket.key], key) {
                let text = "the \(bucket.key) of a row can't be changed: the path says \(id), the body \(key.excerpt)"
                throw DataError(.conflict, text)
            }
            try check(new, list)
            var row = JSONObject()
            row[bucket.key] = old[bucket.key]
            let changed =
                request.method == .patch ? old.merged(with: .object(new)) : .object(bucket.completed(new, from: old))
            for member in changed.object?.members ?? [] where !member.hasKey(bucket.key) {
                row.append(member.key, member.value)
            }
            for (member, _) in list.values { row[member] = old[member] }
            try bucket.check(.object(row))
            rows[index] = .object(row)
            content.set(.array(rows), key: bucket.key)
            return Response(json: .object(row))
        }
    }

    /// Checks that a body leaves the members of the list's rows alone.
    private func check(_ new: JSONObject, _ list: DataMatch) throws(DataError) {
        for (member, value) in list.values {
            guard let given = new[member], !DataMatch.isSame(given, value) else { continue }
            throw DataError(
                .conflict,
                "the \(member) of rows is \(value.excerpt) here, but \(given.excerpt) in the body"
            )
        }
    }

    private func insert(into bucket: DataBucket, _ list: DataMatch) throws(DataError) -> Response {
        var new = try body(isPatch: false, for: bucket)
        try check(new, list)
        for (member, value) in list.values where new[member] == nil { new[member] = bucket.typed(value, for: member) }
        let row = try change(bucket) { content throws(DataError) in
            let row = try content.append(bucket.completed(new), key: bucket.key, bucket.ids)
            try bucket.check(row)
            return row
        }
        var response = Response(json: row, status: .created)
        if let key = row[bucket.key], let text = Subject.json(key).text {
            let path = request.path.utf8.last == UInt8(ascii: "/") ? String(request.path.dropLast()) : request.path
            response.headers[.location] = "\(prefix)\(path)/\(PercentEncoding.segment(text))"
        }
        return response
    }

    private func change<Result>(
        _ bucket: DataBucket,
        _ body: (inout DataContent) throws(DataError) -> Result
    ) throws(DataError) -> Result {
        try data.change([bucket.name], in: scope) { draft throws(DataError) in
            try draft.change(bucket.name) { _, content throws(DataError) in try body(&content) }
        }
    }

    private func body(isPatch: Bool, for bucket: DataBucket) throws(DataError) -> JSONObject {
        let type = request.headerValues("Content-Type").first?.prefix { $0 != ";" }.trimmed.lowercased()
        let allowed = isPatch ? ["application/json", "application/merge-patch+json"] : ["application/json"]
        if let type, !allowed.contains(type) {
            throw DataError(.unsupportedMediaType, "\(type.shown) is not read here; send \(allowed.alternatives)")
        }
        let value = try mapErrors({ DataError(.badRequest, "the body isn't JSON: \($0)") }) {
            try JSONValue(parsing: request.body)
        }
        guard let object = value.object else {
            throw DataError(.unprocessableContent, "the body must be an object, not \(value.kind)")
        }
        if let error = bucket.tooLarge(value) { throw error }
        return object
    }
}

extension DataError {
    /// A problem document (RFC 9457).
    var response: Response {
        var problem: JSONObject = [
            "type": "about:blank", "title": .string(status.reasonPhrase),
            "status": JSONValue(status.code),
            "detail": .string(text),
        ]
        if !failures.isEmpty {
            problem["errors"] = .array(
                failures.map { ["pointer": .string($0.instance), "detail": .string($0.text)] }
            )
        }
        var response = Response(json: .object(problem), status: status)
        response.headers[.contentType] = "application/problem+json"
        return response
    }
}

/// A request's selection of rows: its conditions, order and page.
///
/// `?city=Bonn&sort=name,-age&page=2&per_page=20`, or `offset=20&limit=20`: a field that is named twice may have either value. `seats_gte=3` compares, and
/// `q=yoga` searches all fields.
struct CrudList {
    /// The most rows of a page.
    static let mostPerPage = 1000
    private static let perPage = 20
    /// The most fields of an order.
    private static let mostOrders = 20
    private static let words = ["sort", "page", "per_page", "q", "offset", "limit"]

    /// The comparisons of a field: `seats_gte=3`.
    private enum Comparison: String, CaseIterable {
        case gte = "_gte"
        case lte = "_lte"
        case gt = "_gt"
        case lt = "_lt"
        case ne = "_ne"
        case like = "_like"

        func holds(_ value: JSONValue?, _ text: String) -> Bool {
            let own = value.flatMap { Subject.json($0).text } ?? ""
            if self == .ne { return own != text }
            if self == .like { return own.contains(lowercase: text) }
            guard let value, !value.isNull else { return false }
            let (left, right) = (value.number?.double, Double(text))
            // Numbers are ordered by size; texts such as dates by their characters.
            if value.number != nil, right == nil { return false }
            let order =
                left.flatMap { left in right.map { left < $0 ? -1 : left > $0 ? 1 : 0 } }
                ?? (own < text ? -1 : own > text ? 1 : 0)
            return switch self {
            case .gte: order >= 0
            case .lte: order <= 0
            case .gt: order > 0
            default: order < 0
            }
        }
    }

    private var filters: [(field: String, values: [String])] = []
    private var comparisons: [(field: String, comparison: Comparison, text: String)] = []
    /// The lowercase text that some field of a row must contain; nil for any.
    private var search: String?
    private var order: [(field: String, isDescending: Bool)] = []
    private var offset = 0
    private var limit = Int.max
    private var page: Int?
    private var perPage: Int
    private let query: [NamedValue]

    /// - Throws: `DataError` with 400 for an invalid page number, and for a field that the schema doesn't have.
    init(_ request: MockRequest, _ bucket: DataBucket, ignoring ignored: [String]) throws(DataError) {
        query = request.queryParameters
        perPage = Self.perPage
        guard query.count <= 200 else { throw DataError(.badRequest, "a list takes at most 200 parameters") }
        for item in query where !ignored.contains(item.name) {
            switch item.name {
            case "sort":
                for word in item.value.split(separator: ",") {
                    guard order.count < Self.mostOrders else {
                        throw DataError(.badRequest, "sort names at most \(Self.mostOrders) fields")
                    }
                    let isDescending = word.hasPrefix("-")
                    let field = String(isDescending ? word.dropFirst() : word)
                    try Self.check(field, bucket)
                    order.append((field, isDescending))
                }
            case "offset" where bucket.fields?.contains("offset") != true: offset = try Self.number(item, 0...1_000_000)
            case "limit" where bucket.fields?.contains("limit") != true: limit = try Self.number(item, 0...1_000_000)
            case "page": page = try Self.number(item, 1...1_000_000)
            case "per_page":
                perPage = try Self.number(item, 1...Self.mostPerPage)
                page = page ?? 1
            case "q" where bucket.fields?.contains("q") != true: search = item.value.lowercased()
            default:
                if bucket.fields?.contains(item.name) != true,
                    let comparison = Comparison.allCases.first(where: { item.name.hasSuffix($0.rawValue) })
                {
                    let field = String(item.name.dropLast(comparison.rawValue.count))
                    try Self.check(field, bucket)
                    comparisons.append((field, comparison, comparison == .like ? item.value.lowercased() : item.value))
                    continue
                }
                try Self.check(item.name, bucket)
                if let index = filters.firstIndex(where: { $0.field == item.name }) {
                    filters[index].values.append(item.value)
                } else {
                    filters.append((item.name, [item.value]))
                }
            }
        }
    }

    private static func number(_ item: NamedValue, _ range: ClosedRange<Int>) throws(DataError) -> Int {
        guard let number = Int(item.value), range.contains(number) else {
            let bounds = "\(range.lowerBound) to \(range.upperBound)"
            throw DataError(.badRequest, "\(item.name) is \(item.value.shown); write a number from \(bounds)")
        }
        return number
    }

    private static func check(_ field: String, _ bucket: DataBucket) throws(DataError) {
        guard let known = bucket.fields, !known.contains(field) else { return }
        let hint = Suggestion.hint(for: field, among: known + words)
        throw DataError(.badRequest, "the rows of '\(bucket.name)' have no field '\(field)'\(hint)")
    }

    /// Responds with the rows.
    ///
    /// - Parameter path: the path of the list.
    func response(_ rows: [JSONValue], at path: String) -> Response {
        var rows = rows.filter { row in
            filters.allSatisfy { filter in
                let text = row[filter.field].flatMap { Subject.json($0).text } ?? ""
                return filter.values.contains(text)
            } && comparisons.allSatisfy { $0.comparison.holds(row[$0.field], $0.text) }
                && search.map { row.holds($0) } ?? true
        }
        if !order.isEmpty { rows = sorted(rows) }
        let total = rows.count
        if offset > 0 || limit < total { rows = Array(rows.dropFirst(offset).prefix(limit)) }
        var links = ""
        if let page {
            let last = max(1, (rows.count + perPage - 1) / perPage)
            // The product is far below the highest Int.
            rows = Array(rows.dropFirst((page - 1) * perPage).prefix(perPage))
            var pages: [(page: Int, relation: String)] = [(1, "first")]
            if page > 1 { pages.append((min(page - 1, last), "prev")) }
            if page < last { pages.append((page + 1, "next")) }
            pages.append((last, "last"))
            links = pages.map { "<\(path)?\(query(of: $0.page))>; rel=\"\($0.relation)\"" }.joined(separator: ", ")
        }
        var response = Response(json: .array(rows))
        if let name = HTTPField.Name("X-Total-Count") { response.headers[name] = "\(total)" }
        if let name = HTTPField.Name("Link"), !links.isEmpty { response.headers[name] = links }
        return response
    }

    /// The query of another page.
    private func query(of page: Int) -> String {
        let others = query.filter { $0.name != "page" && $0.name != "per_page" }
        let own = [NamedValue(name: "page", value: "\(page)"), NamedValue(name: "per_page", value: "\(perPage)")]
        return (others + own).map { "\(PercentEncoding.segment($0.name))=\(PercentEncoding.segment($0.value))" }.joined(
            separator: "&"
        )
    }

    private func sorted(_ rows: [JSONValue]) -> [JSONValue] {
        // `sorted` doesn't promise to be stable.
        rows.enumerated().sorted { left, right in
            for rule in order {
                let (first, second) = (left.element[rule.field] ?? .null, right.element[rule.field] ?? .null)
                if first.comesBefore(second) { return !rule.isDescending }
                if second.comesBefore(first) { return rule.isDescending }
            }
            return left.offset < right.offset
        }
        .map(\.element)
    }
}

extension DataBucket {
    /// The fields of rows; nil if the schema doesn't name them.
    fileprivate var fields: [String]? { properties.isEmpty ? nil : properties + [key] }
}

extension JSONValue {
    /// Whether a text or number in it contains a lowercase text.
    fileprivate func holds(_ text: String) -> Bool {
        switch self {
        case .object(let object): object.members.contains { $0.value.holds(text) }
        case .array(let elements): elements.contains { $0.holds(text) }
        default: Subject.json(self).text?.contains(lowercase: text) ?? false
        }
    }

    /// Numbers by size, then texts, then all other values.
    fileprivate func comesBefore(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left.double < right.double
        case (.string(let left), .string(let right)): left < right
        case (.bool(let left), .bool(let right)): !left && right
        default: rank < other.rank
        }
    }

    private var rank: Int {
        switch self {
        case .number: 0
        case .string: 1
        case .bool: 2
        case .object, .array: 3
        case .null: 4
        }
    }
}
