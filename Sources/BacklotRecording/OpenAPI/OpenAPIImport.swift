import Backlot
package import BacklotMocks

/// The route files of an OpenAPI document, 3.0 or 3.1, in YAML or JSON. Each operation becomes a file with an example of its
/// response, and with a response for each parameter, and for a body, that doesn't fit. Operations of a list of rows share a crud file.
///
/// Source: the OpenAPI Specification, 3.0.4 and 3.1.1.
package struct OpenAPIImport: Sendable {
    /// The files, in the order of the document.
    package private(set) var files: [RecordedFile] = []
    /// The omissions and deviations, each with its location in the document.
    package private(set) var remarks: [MockFileError] = []

    private static let methods = ["get", "post", "put", "patch", "delete"]
    private static let otherMethods = ["head", "options", "trace", "query", "additionalOperations"]
    /// The bounds of YAML route files, with some reserve.
    private static let deepest = 56
    private static let mostParts = 150_000
    /// The members of an error's body that say what is wrong, the best first.
    private static let explanations = ["detail", "message", "error_description", "error", "description", "reason"]

    /// Whether a file looks like an OpenAPI document, by its name or content: YAML does, and JSON with the key `openapi`.
    package static func isMeant(by bytes: [UInt8], file: String) -> Bool {
        let ending = file.split(separator: ".").last.map { $0.lowercased() } ?? ""
        if ["yaml", "yml", "har"].contains(ending) { return ending != "har" }
        let text = SourceText.withoutMark(bytes)
        if let value = try? JSONValue(parsing: text) { return value["openapi"] != nil || value["swagger"] != nil }
        return text.starts(with: Array("openapi:".utf8)) || text.starts(with: Array("swagger:".utf8))
    }

    /// Reads a document.
    ///
    /// - Parameter file: the file's name, for errors and remarks.
    /// - Throws: `MockFileErrors` if it isn't such a document.
    package init(_ bytes: [UInt8], file: String) throws(MockFileErrors) {
        let document = try OpenAPIDocument(bytes, file: file)
        Self.remark(on: document.root)
        var owners: [String: String] = [:]
        var operations: [OpenAPIOperation] = []
        for (path, node) in document.root.members("paths") where !path.hasPrefix("x-") {
            guard let item = node.resolved else { continue }
            do throws(MessageError) {
                operations += Self.operations(item, path, try OpenAPIPath(path), &owners)
            } catch {
                node.remark("\(path) is left out: \(error)")
            }
        }
        let collections = OpenAPICollection.all(in: operations)
        for operation in operations {
            let collection = collections[operation.title]
            if operation.method == "get", collection?.stem == operation.path.stem { files += collection?.files ?? [] }
            if let value = Self.file(operation, collection) {
                let text = operation.heading + YAMLText.of(value)
                files.append(
                    RecordedFile(path: "\(operation.path.stem).\(operation.method).yaml", bytes: Array(text.utf8))
                )
            }
        }
        if files.isEmpty {
            document.root.remark("the document has no operation that becomes a route", key: "paths")
        }
        remarks = document.placedRemarks
    }

    /// Adds remarks about the omitted parts of the whole document.
    private static func remark(on root: OpenAPINode) {
        root["components"]?["securitySchemes"]?.remark(
            "credentials are not checked: every request gets its response as if they were valid; write requiresLogin or matchers into the files that need them"
        )
        if let dialect = root.text("jsonSchemaDialect"), !dialect.hasPrefix("https://spec.openapis.org/oas/"),
            !dialect.hasPrefix("https://json-schema.org/draft/2020-12/")
        {
            root.remark("schemas are read as JSON Schema 2020-12, not as \(dialect)", key: "jsonSchemaDialect")
        }
        root.leaveOut("webhooks")
        let path = basePath(of: root["servers"]?.value[0]?["url"]?.string ?? "")
        guard !path.isEmpty else { return }
        root.remark(
            "the server's path \(path) isn't part of the routes: import into Routes\(path) if clients send it",
            key: "servers"
        )
    }

    /// The path of a server's URL, without a trailing slash.
    private static func basePath(of url: String) -> String {
        var rest = url[...]
        if let absolute = url.atScheme { rest = absolute.rest.drop { $0 != "/" } }
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        return rest.hasPrefix("/") ? String(rest) : ""
    }

    // MARK: Operations

    /// The operations of a path.
    ///
    /// - Parameter owners: the document's path for each method and path shape that has a file already.
    private static func operations(
        _ item: OpenAPINode,
        _ title: String,
        _ path: OpenAPIPath,
        _ owners: inout [String: String]
    ) -> [OpenAPIOperation] {
        for key in otherMethods {
            if key == "head", item["get"] != nil { continue }
            item.leaveOut(key, "files can't respond to \(key.uppercased()); the operation is left out")
        }
        var operations: [OpenAPIOperation] = []
        for method in methods {
            guard let operation = item[method] else { continue }
            if let former = owners["\(method) \(path.shape)"] {
                let text = "\(method.uppercased()) \(title) is left out: a file of the same name is for \(former)"
                item.remark(text, key: method)
                continue
            }
            owners["\(method) \(path.shape)"] = title
            for owner in [item, operation] { owner.leaveOut("servers", "servers of single paths are left out") }
            operation.leaveOut("callbacks")
            var others = responses(of: operation)
            let main = others.removeFirst()
            let request = OpenAPIRequest(operation, below: item, path)
            operations.append(
                OpenAPIOperation(
                    method: method,
                    node: operation,
                    path: path,
                    request: request,
                    main: main,
                    others: others
                )
            )
        }
        return operations
    }

    /// The file of an operation; nil if a crud file alone responds.
    private static func file(_ operation: OpenAPIOperation, _ collection: OpenAPICollection?) -> JSONValue? {
        let (request, main, others) = (operation.request, operation.main, operation.others)
        var all = others.map { asked("code=\($0.status)", $0.object, name: $0.name, request) }
        // Longer names first: a name may begin with another name.
        for other in main.others.sorted(by: { ($1.name.count, $0.name) < ($0.name.count, $1.name) }) {
            all.append(asked("example=\(other.name)", main.object(other.value), name: other.name, request))
        }
        let documented =
            others.first { $0.status == 400 } ?? others.first { $0.status == 422 } ?? others.first(where: \.isDefault)
        for refusal in request.refusals {
            let refused = documented?.object ?? ["jsonBody": ["error": ""]]
            let named = refused["jsonBody"].flatMap { naming(refusal.text, in: $0, refused) }
            var response: JSONObject = ["request": .object(refusal.matchers)]
            // The log names it if the document's response can't.
            if named == nil { response["log"] = .string("\(operation.title): \(refusal.text)") }
            response = response.merging(refused)
            if let named { response["jsonBody"] = named }
            if documented?.status != 422 { response["status"] = 400 }
            all.append(response)
        }
        all += collection?.missing(operation) ?? []
        // Braces in examples aren't template tags.
        var hasTags = all.contains(where: Self.hasTags)
        if let collection {
            for index in all.indices where hasTags { all[index]["template"] = Self.hasTags(all[index]) ? false : nil }
            hasTags = false
            if let own = collection.response(to: operation) { all.append(own) }
            if all.isEmpty { return nil }
        } else {
            var last: JSONObject = request.pathMatchers.count > 0 ? ["request": .object(request.pathMatchers)] : [:]
            last = last.merging(main.object)
            if last.count == 0 { last["status"] = JSONValue(main.status) }
            hasTags = hasTags || Self.hasTags(last)
            all.append(last)
        }
        return bounded(all, hasTags ? ["template": false] : [:], operation.node)
    }

    private static func hasTags(_ response: JSONObject) -> Bool {
        var response = response
        // Tags in conditions about data are meant.
        if response["request"]?["whenData"] != nil { response["request"] = nil }
        return Template.hasTags(JSONValue.object(response).description)
    }

    /// The body of an error that says what is wrong; nil if it has no member for that.
    private static func naming(_ text: String, in body: JSONValue, _ response: JSONObject) -> JSONValue? {
        guard var object = body.object else { return nil }
        for key in explanations {
            if object[key]?.string != nil {
                object[key] = .string(text)
                return .object(object)
            }
            if let inner = object[key], inner.object != nil, let named = naming(text, in: inner, [:]) {
                object[key] = named
                return .object(object)
            }
        }
        guard response["headers"]?["Content-Type"]?.string?.hasPrefix("application/problem+json") == true else {
            return nil
        }
        object["detail"] = .string(text)
        return .object(object)
    }

    /// A response to requests that choose it the way Prism does: `Prefer: code=404`.
    private static func asked(
        _ preference: String,
        _ response: JSONObject,
        name: String,
        _ request: OpenAPIRequest
    ) -> JSONObject {
        let asked: JSONObject = ["headers": ["Prefer": ["contains": .string(preference)]]]
        var object: JSONObject = name.isEmpty ? [:] : ["name": .string(name)]
        object["request"] = .object(request.pathMatchers.merging(asked))
        object["status"] = 200
        return object.merging(response)
    }

    /// The responses in order, the main one first.
    private static func responses(of operation: OpenAPINode) -> [OpenAPIResponse] {
        var listed: [(status: Int?, node: OpenAPINode)] = []
        for (key, node) in operation.members("responses") where !key.hasPrefix("x-") {
            let status = key == "default" ? nil : Int(key) ?? Int(key.uppercased().replacing("XX", with: "00"))
            guard key == "default" || status.map({ (200...599).contains($0) }) == true else {
                node.remark("files can't respond with the status \(key.shown); it is left out")
                continue
            }
            if let response = node.resolved { listed.append((status, response)) }
        }
        let main =
            listed.firstIndex { $0.status.map { $0 < 300 } ?? false } ?? listed.firstIndex { $0.status == nil }
            ?? listed.firstIndex { $0.status.map { $0 < 400 } ?? false } ?? listed.indices.first
        guard let main else {
            operation.remark("the operation has no response: the file has an empty one")
            return [OpenAPIResponse(200, operation.holding([:]))]
        }
        let first = listed.remove(at: main)
        var responses = [OpenAPIResponse(first.status ?? 200, first.node)]
        for (status, node) in listed {
            // The default response is usually an error.
            let code = status ?? 500
            guard !responses.contains(where: { $0.status == code }) else {
                node.remark("a response with the status \(code) exists already; this one is left out")
                continue
            }
            responses.append(OpenAPIResponse(code, node, isDefault: status == nil))
        }
        return responses
    }

    // MARK: Files

    /// The file's value, within the bounds of route files.
    private static func bounded(_ responses: [JSONObject], _ file: JSONObject, _ operation: OpenAPINode) -> JSONValue {
        var responses = responses
        if size(.array(responses.map(JSONValue.object)), depth: 1) > mostParts {
            operation.remark("the schemas and examples are too large or too deep for a file; they are left out")
            func isLarge(_ value: JSONValue?) -> Bool { value.map { size($0, depth: 3) > 2_000 } ?? false }
            responses.removeAll { isLarge($0["request"]) }
            for index in responses.indices where isLarge(responses[index]["jsonBody"]) {
                responses[index]["jsonBody"] = [:]
            }
        }
        if responses.count == 1, responses[0]["request"]?["whenData"] == nil {
            return .object(file.merging(responses[0]))
        }
        return .object(file.merging(["responses": .array(responses.map(JSONValue.object))]))
    }

    /// The number of a value's parts; more than the maximum if it is nested too deeply.
    private static func size(_ value: JSONValue, depth: Int) -> Int {
        guard depth <= deepest else { return mostParts + 1 }
        return switch value {
        case .array(let elements): elements.reduce(1) { $0 + size($1, depth: depth + 1) }
        case .object(let object): object.members.reduce(1) { $0 + 1 + size($1.value, depth: depth + 1) }
        default: 1
        }
    }

    /// The text on one line.
    static func line(_ text: String) -> String {
        let words = text.split {
            $0.isNewline || $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        }
        return words.joined(separator: " ").excerpt(upTo: 100)
    }
}
