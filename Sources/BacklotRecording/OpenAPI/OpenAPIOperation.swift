import Backlot
import BacklotMocks

/// An operation of an OpenAPI document that becomes a route.
struct OpenAPIOperation {
    /// The method, in lower case.
    let method: String
    let node: OpenAPINode
    let path: OpenAPIPath
    let request: OpenAPIRequest
    /// The response to requests that fit.
    let main: OpenAPIResponse
    let others: [OpenAPIResponse]

    /// `GET /books/{bookId}`
    var title: String { "\(method.uppercased()) \(path.shape)" }

    /// The comment at the beginning of its file.
    var heading: String {
        let title = ["operationId", "summary"].compactMap(node.text).joined(separator: ": ")
        return title.isEmpty ? "" : "# \(OpenAPIImport.line(title))\n"
    }
}

/// A list of rows that a document describes: a path with GET and POST, and below it the path of a row with some of GET, PUT, PATCH
/// and DELETE. It becomes a crud file; operations that respond with more than rows have separate files, which go first.
struct OpenAPICollection {
    /// The form of a response's body.
    private enum Shape: Equatable {
        case nothing, other
        /// A row or the list; under a member of that name, or by itself.
        case rows(member: String?)
    }

    /// The header fields that crud files send, or that say nothing about the rows.
    private static let ownHeaders = ["location", "link", "x-total-count", "etag"]
    private static let counts = ["total", "count", "totalCount", "total_count", "size"]
    /// The query parameters that lists of crud files have anyway.
    private static let listWords = ["sort", "page", "per_page", "q", "offset", "limit"]
    private static let rowMethods = ["get", "put", "patch", "delete"]

    /// The crud file, and the file of its data if that has another name.
    private(set) var files: [RecordedFile] = []
    /// The path of the list, as in files' names.
    let stem: String
    private let operations: [OpenAPIOperation]
    private let bucket: String
    /// The member that identifies a row.
    private let key: String
    /// The schema of a row.
    private let row: OpenAPINode?
    /// The members of rows.
    private let names: [String]
    /// The members that parameters of the list's path choose rows by, with the parameters' names in the file's path.
    private var owners: [(member: String, segment: String)] = []
    /// The rows at the beginning.
    private var start: [JSONValue] = []
    /// The data with a row for each list, and the parameter that names the row; nil without such data.
    private let above: (bucket: String, segment: String)?

    /// The collections of a document, by the titles of their operations.
    static func all(in operations: [OpenAPIOperation]) -> [String: OpenAPICollection] {
        let byStem = Dictionary(grouping: operations, by: \.path.stem)
        let byParent = Dictionary(grouping: operations.filter { !$0.path.parameters.isEmpty }, by: \.path.parent)
        var collections: [String: OpenAPICollection] = [:]
        var taken: Set<String> = []
        // Lists below rows come after the lists of these rows.
        for depth in 0...(operations.map(\.path.parameters.count).max() ?? 0) {
            for post in operations where post.method == "post" && post.path.parameters.count == depth {
                let rows = (byParent[post.path.stem] ?? []).filter { rowMethods.contains($0.method) }
                guard let list = byStem[post.path.stem]?.first(where: { $0.method == "get" }), !rows.isEmpty else {
                    continue
                }
                do throws(MessageError) {
                    let row = post.path.shape.ranges(of: "[]").last.map { post.path.shape[..<$0.upperBound] } ?? ""
                    let above = rowMethods.lazy.compactMap { collections["\($0.uppercased()) \(row)"] }.first
                    let collection = try OpenAPICollection(list, post, rows, below: above, &taken)
                    for operation in collection.operations { collections[operation.title] = collection }
                } catch {
                    post.node.remark("POST doesn't add to the list of GET: \(error)")
                }
            }
        }
        return collections
    }

    private init(
        _ list: OpenAPIOperation,
        _ post: OpenAPIOperation,
        _ rows: [OpenAPIOperation],
        below above: OpenAPICollection?,
        _ taken: inout Set<String>
    ) throws(MessageError) {
        stem = list.path.stem
        guard list.path.patterns.isEmpty else {
            throw MessageError("a parameter of its path shares a segment with a text")
        }
        self.above = list.path.parameters.last.flatMap { last in above.map { ($0.bucket, last.segment) } }
        operations = [list, post] + rows
        let body = list.main.object["jsonBody"]
        let member = Self.member(of: body) { $0.array != nil }
        guard let body, let elements = (member.map { body[$0] } ?? body)?.array,
            elements.allSatisfy({ $0.object != nil })
        else { throw MessageError("its response isn't a list of objects") }
        let schema = list.main.schema?.resolved
        let listSchema = member.map { schema?["properties"]?[$0]?.resolved } ?? schema
        var row = listSchema?["items"]
        // The path of a row tells most about it.
        if let get = rows.first(where: { $0.method == "get" }), let schema = get.main.schema {
            let inner = Self.member(of: get.main.object["jsonBody"]) { $0.object != nil }
            row = inner.flatMap { schema.resolved?["properties"]?[$0] } ?? schema
        }
        self.row = row?.resolved
        let properties = self.row.map { Self.properties(of: $0) } ?? []
        let parameter = rows[0].path.parameters.last?.name ?? "id"
        let candidates = [parameter, "id", "_id", "uuid", "key", "code", "name"]
        names = properties.map(\.name) + elements.flatMap { $0.object?.keys ?? [] }
        let key = names.isEmpty ? "id" : candidates.first(where: names.contains)
        guard let key, Self.isPlain(key) else {
            throw MessageError("no property of its elements is called \(parameter) or id")
        }
        self.key = key
        let last = stem.split(separator: "/").last.map(String.init) ?? ""
        let name = last == "index" ? "rows" : last
        let plain = String(name.map { Self.isPlain(String($0)) ? $0 : "_" })
        let others = (taken.count...).lazy.map { "\(plain)_\($0)" }
        bucket = taken.contains(plain) ? others.first { [taken] in !taken.contains($0) } ?? plain : plain
        let made = row.flatMap { row -> [JSONValue]? in
            var sample = OpenAPISample()
            sample.keys.insert(key)
            return sample.value(row.holding(["type": "array", "minItems": 3, "items": row.value]))?.array
        }
        owners = Self.owners(of: list.path, key, names)
        let declared = try declaration(list.main.isGiven ? elements : nil, made ?? [], properties, post, below: above)
        var routes = JSONObject()
        let methods = ["GET", "POST"] + rows.map { $0.method.uppercased() }.filter { $0 != "GET" }
        if methods.count < 5 { routes["methods"] = .array(methods.map(JSONValue.string)) }
        let ignored = list.request.query.filter { !names.contains($0) && !Self.listWords.contains($0) }
        if !ignored.isEmpty { routes["parameters"] = .array(ignored.map(JSONValue.string)) }
        if !owners.isEmpty { routes["where"] = .object(chosen) }
        if bucket != name { try add("data/\(bucket).yaml", declared) }
        try add("\(stem).crud.yaml", routes.merging(bucket == name ? declared : ["bucket": .string(bucket)]))
        taken.insert(bucket)
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    }

    /// Adds a file that mocks can read.
    private mutating func add(_ path: String, _ document: JSONObject) throws(MessageError) {
        let bytes = Array(YAMLText.of(.object(document)).utf8)
        do throws(MockFileErrors) {
            try DataFileReader.check(bytes, of: path)
        } catch {
            throw MessageError("its rows can't be kept: \(error.list.first?.text ?? "")")
        }
        files.append(RecordedFile(path: path, bytes: bytes))
    }

    /// The members that the parameters of a list's path choose rows by: of `/users/{id}/orders`, `id` unless it is the orders' key, or else
    /// `userId` or `user_id`.
    private static func owners(
        of path: OpenAPIPath,
        _ key: String,
        _ names: [String]
    ) -> [(member: String, segment: String)] {
        let segments = path.stem.split(separator: "/")
        return path.parameters.map { name, segment in
            let place = segments.firstIndex(of: "[\(segment)]") ?? 0
            let many = place > 0 ? segments[place - 1] : "parent"
            let one =
                many.hasSuffix("ies") ? "\(many.dropLast(3))y" : String(many.hasSuffix("s") ? many.dropLast() : many)
            let candidates = [name, "\(one)Id", "\(one)_id"].filter { $0 != key && isPlain($0) }
            return (candidates.first(where: names.contains) ?? candidates.first ?? "parentId", segment)
        }
    }

    /// A row that belongs to a row of the list above, or else to the examples of the path's parameters.
    ///
    /// - Parameter keeps: whether the row keeps its members.
    private func owned(_ row: JSONValue, by owner: JSONValue?, of above: OpenAPICollection?, keeps: Bool) -> JSONValue {
        guard var object = row.object else { return row }
        for (index, (member, segment)) in owners.enumerated() where !keeps || object[member] == nil {
            let isNext = index == owners.count - 1
            let known = isNext ? above?.key : above?.owners.first { $0.segment == segment }?.member
            let parameter = operations[0].path.parameters[index].name
            object[member] =
                known.flatMap { owner?[$0] } ?? object[member] ?? operations[0].request.examples[parameter] ?? "1"
        }
        return .object(object)
    }

    /// The condition that rows belong to the path of their list.
    private var chosen: JSONObject { owners.reduce(into: [:]) { $0[$1.member] = .string("{{path.\($1.segment)}}") } }

    /// The declaration of the rows.
    private mutating func declaration(
        _ given: [JSONValue]?,
        _ made: [JSONValue],
        _ properties: [(name: String, node: OpenAPINode?, isRequired: Bool)],
        _ post: OpenAPIOperation,
        below above: OpenAPICollection?
    ) throws(MessageError) -> JSONObject {
        let get = operations.first { $0.path.stem != stem && $0.method == "get" && $0.main.isGiven }?.main
        let examples = [get?.object["jsonBody"] ?? .null] + (get?.others.map(\.value) ?? [])
        let schema = row.flatMap { OpenAPISchema.translated($0, isForRequest: false) }
        let judge = schema.flatMap { try? JSONSchema($0, assertsFormats: true) }
        var known: [JSONValue] = []
        let lists = above.map { $0.start.isEmpty ? [.null] : $0.start } ?? [.null]
        let whole = given ?? examples.filter { $0[key] != nil }
        let bare = made.first
        let made = made.enumerated().map { index, row in
            owned(row, by: lists[index % lists.count], of: above, keeps: false)
        }
        // Examples often repeat an element.
        let rows = (whole.map { owned($0, by: lists[0], of: above, keeps: true) } + (given == nil ? made : [])).filter {
            row in
            let isNew = judge?.errors(in: row).isEmpty ?? true && !known.contains(row[key] ?? "")
            if isNew { known.append(row[key] ?? .null) }
            return isNew
        }
        var object = JSONObject()
        if key != "id" { object["key"] = .string(key) }
        if var probe = (rows + made).first(where: { $0[key]?.string != nil })?.object {
            probe[key] = "6f1c2b0e-3d4a-4b5c-8d7e-9f0a1b2c3d4e"
            object["ids"] = judge?.errors(in: .object(probe)).isEmpty ?? true ? "uuid" : "none"
        }
        let sent = post.node["requestBody"]?.resolved?["content"]?.members.first?.node["schema"]?.resolved
        let isSent = sent.map { Self.properties(of: $0) }?.filter(\.isRequired).map(\.name) ?? []
        var defaults = JSONObject()
        for property in properties where property.name != key && !isSent.contains(property.name) {
            guard property.isRequired || property.node?.value["readOnly"]?.bool == true else { continue }
            defaults[property.name] = made.first?[property.name]
        }
        if defaults.count > 0 { object["defaults"] = .object(defaults) }
        if let schema { object["schema"] = schema }
        if let given, rows.count < given.count {
            let text =
                "the example of the list has elements that don't fit its schema, or that have the same \(key); they are left out"
            operations[0].node.remark(text)
        }
        if let judge, let bare, judge.errors(in: bare).isEmpty, let error = judge.errors(in: made[0]).first {
            throw MessageError(
                "its rows can't have '\(owners.map(\.member).joined(separator: "' and '"))' of its path: \(error)"
            )
        }
        for owner in owners where !names.contains(owner.member) {
            operations[0].node.remark("rows have the member '\(owner.member)' too, which the document lacks")
        }
        object["rows"] = .array(rows)
        start = rows
        return object
    }

    /// The properties of an object's schema, and of those that it consists of.
    private static func properties(
        of schema: OpenAPINode,
        depth: Int = 0
    ) -> [(name: String, node: OpenAPINode?, isRequired: Bool)] {
        guard depth < 8 else { return [] }
        let required = schema.value["required"]?.array?.compactMap(\.string) ?? []
        let own = (schema["properties"]?.members ?? []).map { ($0.key, $0.node.resolved, required.contains($0.key)) }
        return own
            + (schema["allOf"]?.elements ?? []).compactMap(\.resolved).flatMap { properties(of: $0, depth: depth + 1) }
    }

    /// The only member of an object with a certain value; nil for other values.
    private static func member(of value: JSONValue?, _ isMeant: (JSONValue) -> Bool) -> String? {
        let members = value?.object?.members.filter { isMeant($0.value) } ?? []
        return members.count == 1 ? members[0].key : nil
    }

    // MARK: Responses

    /// The response of an operation that the crud file doesn't make as the document has it; nil if it does.
    func response(to operation: OpenAPIOperation) -> JSONObject? {
        let main = operation.main
        var object = main.object
        let isList = operation.path.stem == stem
        let isGet = operation.method == "get"
        let others = object["headers"]?.object?.keys.filter { !Self.ownHeaders.contains($0.lowercased()) } ?? []
        let shape = shape(of: main, isList: isList && isGet)
        let usual = operation.method == "post" ? 201 : operation.method == "delete" ? 204 : 200
        let isUsual = shape == .rows(member: nil) || shape == .nothing && !isGet
        guard main.status != usual || !others.isEmpty || !isUsual,
            !Template.hasTags(JSONValue.object(object).description)
        else { return nil }
        let found = "find data.\(bucket) '\(key)' path.\(parameter(of: operation))"
        let list = owners.reduce("data.\(bucket)") { "(filter \($0) '\($1.member)' path.\($1.segment))" }
        let all = owners.isEmpty ? list : String(list.dropFirst().dropLast())
        let rows = isList ? isGet ? all : last : found
        func set(_ name: String, _ tag: String) {
            guard var body = object["jsonBody"]?.object, body[name] != nil else { return }
            body[name] = .string("{{{\(tag)}}}")
            object["jsonBody"] = .object(body)
        }
        switch shape {
        case .rows(let member?):
            set(member, rows)
            for name in Self.counts where isList && isGet { set(name, "size \(list)") }
        case .rows(nil): object["jsonBody"] = .string("{{{\(rows)}}}")
        case .other where operation.method == "post": set(key, "lookup (\(last)) '\(key)'")
        case .other, .nothing: break
        }
        if let change = change(by: operation) { object = (["data": change] as JSONObject).merging(object) }
        return object
    }

    /// The tag for the row that was added last.
    private var last: String { "lookup data.\(bucket) (math (size data.\(bucket)) '-' 1)" }

    /// The changes that an operation makes.
    private func change(by operation: OpenAPIOperation) -> JSONValue? {
        let name = JSONValue.string(bucket)
        let id: JSONObject = [key: .string("{{path.\(parameter(of: operation))}}")]
        let match = JSONValue.object(id.merging(chosen))
        let body: JSONValue = "{{{parseJson request.body}}}"
        let change: JSONValue
        switch operation.method {
        case "post": change = ["insert": ["into": name, "value": body]]
        case "put": change = ["update": ["in": name, "where": match, "value": body]]
        case "patch": change = ["patch": ["in": name, "where": match, "value": body]]
        case "delete": return ["remove": ["from": name, "where": match]]
        default: return nil
        }
        guard !owners.isEmpty else { return change }
        // A body moves no row to another list.
        let changed: JSONObject = operation.method == "post" ? [key: .string("{{lookup (\(last)) '\(key)'}}")] : id
        let own = zip(owners, operation.path.parameters).reduce(into: chosen) { own, pair in
            let (owner, parameter) = pair
            let values = [start.first?[owner.member], operation.request.examples[parameter.name]]
            guard values.allSatisfy({ $0?.number != nil }) else { return }
            own[owner.member] = .string("{{{parseJson path.\(owner.segment)}}}")
        }
        return [change, ["patch": ["in": name, "where": .object(changed), "value": .object(own)]]]
    }

    /// The document's responses to requests for a row that isn't there, or for the list of such a row.
    func missing(_ operation: OpenAPIOperation) -> [JSONObject] {
        let isRow = operation.path.stem != stem
        var response = operation.others.first { $0.status == 404 }?.object
        if response == nil, isRow, operation.method == "get", self.response(to: operation) != nil {
            response = ["status": 404]
        }
        guard let response else { return [] }
        let row = "\(bucket).{{path.\(parameter(of: operation))}}"
        let list = above.map { ["\($0.bucket).{{path.\($0.segment)}}": ["absent": true]] as JSONValue }
        // The row may be that of another list.
        let others = owners.map {
            ["\(row).\($0.member)": ["not": ["equalTo": .string("{{path.\($0.segment)}}")]]] as JSONValue
        }
        let conditions = isRow ? [[row: ["absent": true]]] + others : list.map { [$0] } ?? []
        return conditions.map { (["request": ["whenData": $0]] as JSONObject).merging(response) }
    }

    private func parameter(of operation: OpenAPIOperation) -> String { operation.path.parameters.last?.segment ?? "id" }

    private func shape(of response: OpenAPIResponse, isList: Bool) -> Shape {
        guard let body = response.object["jsonBody"] else { return response.object["body"] == nil ? .nothing : .other }
        func isRow(_ value: JSONValue, _ schema: OpenAPINode?) -> Bool {
            guard let schema, let row else {
                return value[key] != nil && value.object?.keys.allSatisfy(names.contains) == true
            }
            return schema.path == row.path || schema.value == row.value
        }
        if isList {
            if body.array != nil { return .rows(member: nil) }
            return Self.member(of: body) { $0.array != nil }.map { .rows(member: $0) } ?? .other
        }
        let schema = response.schema?.resolved
        if isRow(body, schema) { return .rows(member: nil) }
        if let member = Self.member(of: body, { $0.object != nil }), let inner = body[member],
            isRow(inner, schema?["properties"]?[member]?.resolved)
        {
            return .rows(member: member)
        }
        return .other
    }
}
