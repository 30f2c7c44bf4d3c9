import Backlot
import BacklotJSON
package import BacklotMocks

/// The route files of an OpenAPI document, 3.0 or 3.1, in YAML or JSON: a file for each operation, with an example of its answer
/// and the conditions that its parameters and its body make.
///
/// Source: the OpenAPI Specification, 3.0.4 and 3.1.1.
package struct OpenAPIImport: Sendable {
    /// The files, in the order of the document.
    package private(set) var files: [RecordedFile] = []
    /// What was left out, and what differs from the document, each with its place in it.
    package private(set) var remarks: [FileProblem] = []

    private static let methods = ["get", "post", "put", "patch", "delete"]
    private static let otherMethods = ["head", "options", "trace", "query", "additionalOperations"]
    /// The bounds of what YAML files of routes may hold, with some room.
    private static let deepest = 56
    private static let mostParts = 150_000
    /// What clients read whose requests don't fit, where the document has no answer for them.
    private static let refusal: JSONValue = [
        "error": "The request doesn't fit its description in the OpenAPI document."
    ]

    /// Whether a file is meant to be such a document, by its name or by what it holds: YAML is, and JSON with the key `openapi`.
    package static func isMeant(by bytes: [UInt8], file: String) -> Bool {
        let ending = file.split(separator: ".").last.map { $0.lowercased() } ?? ""
        if ["yaml", "yml", "har"].contains(ending) { return ending != "har" }
        let text = SourceText.withoutMark(bytes)
        if let value = try? JSONValue(parsing: text) { return value["openapi"] != nil || value["swagger"] != nil }
        return text.starts(with: Array("openapi:".utf8)) || text.starts(with: Array("swagger:".utf8))
    }

    /// Reads a document.
    ///
    /// - Parameter file: its name, for problems and remarks.
    /// - Throws: `FileProblem` for what is no such document.
    package init(_ bytes: [UInt8], file: String) throws(FileProblem) {
        var reading = try OpenAPIReading(bytes, file: file)
        remarkOnDocument(&reading)
        var owners: [String: String] = [:]
        for (path, field) in reading.members(of: reading.root, "paths") where !path.hasPrefix("x-") {
            guard let item = reading.resolve(field) else { continue }
            do throws(RouteFileName.Mistake) {
                let name = try OpenAPIPath(path)
                let shape = try RouteFileName("\(name.stem).get.yaml")?.shape ?? ""
                add(item, path, name, &reading) { method in
                    owners.updateValue(path, forKey: "\(method) \(shape)").map { former in
                        owners["\(method) \(shape)"] = former
                        return former
                    }
                }
            } catch {
                reading.remark("\(path) is left out: \(error.text)", at: field)
            }
        }
        if files.isEmpty {
            reading.remark("the document has no operation that becomes a route", at: reading.root, key: "paths")
        }
        remarks = reading.placedRemarks()
    }

    /// What is left out of the whole document.
    private func remarkOnDocument(_ reading: inout OpenAPIReading) {
        let root = reading.root
        if let schemes = root["components"]?["securitySchemes"] {
            reading.remark(
                "credentials are not checked: every request is answered as if they were in order; write requiresLogin or matchers into the files that need them",
                at: schemes
            )
        }
        if let dialect = root["jsonSchemaDialect"]?.value.string, !dialect.hasPrefix("https://spec.openapis.org/oas/"),
            !dialect.hasPrefix("https://json-schema.org/draft/2020-12/")
        {
            reading.remark(
                "schemas are read as JSON Schema 2020-12, not as \(dialect)",
                at: root,
                key: "jsonSchemaDialect"
            )
        }
        if root["webhooks"] != nil { reading.remark("webhooks are left out", at: root, key: "webhooks") }
        let url = root["servers"]?.value[0]?["url"]?.string ?? ""
        let path = Self.basePath(of: url)
        guard !path.isEmpty else { return }
        reading.remark(
            "the server's path \(path) is no part of the routes: import into Routes\(path) if clients send it",
            at: root,
            key: "servers"
        )
    }

    /// The path of a server's URL, without a slash at its end.
    private static func basePath(of url: String) -> String {
        var rest = url[...]
        if let absolute = url.atScheme { rest = absolute.rest.drop { $0 != "/" } }
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        return rest.hasPrefix("/") ? String(rest) : ""
    }

    // MARK: Operations

    /// - Parameter claim: notes that the path answers a method; the path that does so already, if there is one.
    private mutating func add(
        _ item: Field,
        _ title: String,
        _ path: OpenAPIPath,
        _ reading: inout OpenAPIReading,
        claim: (String) -> String?
    ) {
        for key in Self.otherMethods where item[key] != nil {
            if key == "head", item["get"] != nil { continue }
            reading.remark("no file answers \(key.uppercased()); the operation is left out", at: item, key: key)
        }
        for method in Self.methods {
            guard let operation = item[method] else { continue }
            if let former = claim(method) {
                let text = "\(method.uppercased()) \(title) is left out: a file of the same name answers \(former)"
                reading.remark(text, at: item, key: method)
                continue
            }
            for owner in [item, operation] where owner["servers"] != nil {
                reading.remark("servers of single paths are left out", at: owner, key: "servers")
            }
            if operation["callbacks"] != nil {
                reading.remark("callbacks are left out", at: operation, key: "callbacks")
            }
            let request = OpenAPIRequest(operation, below: item, path, &reading)
            let value = Self.file(operation, request, &reading)
            let title = ["operationId", "summary"].compactMap { operation[$0]?.value.string }.joined(separator: ": ")
            let heading = title.isEmpty ? "" : "# \(Self.line(title))\n"
            files.append(
                RecordedFile(path: "\(path.stem).\(method).yaml", bytes: Array((heading + YAMLText.of(value)).utf8))
            )
        }
    }

    private static func file(
        _ operation: Field,
        _ request: OpenAPIRequest,
        _ reading: inout OpenAPIReading
    ) -> JSONValue {
        let matchers = request.matchers
        var answers = answers(of: operation, &reading)
        let main = answers.removeFirst()
        var responses: [JSONValue] = []
        for answer in answers {
            responses.append(response(answer.object, name: answer.name, asked: "code=\(answer.status)", request))
        }
        // Longer names first: a request for one must not get another whose name it begins with.
        for other in main.others.sorted(by: { ($1.name.count, $0.name) < ($0.name.count, $1.name) }) {
            responses.append(
                response(main.object(other.value), name: other.name, asked: "example=\(other.name)", request)
            )
        }
        var last = JSONObject()
        if matchers.count > 0 { last["request"] = .object(matchers) }
        for member in main.object.members { last[member.key] = member.value }
        if last.count == 0 { last["status"] = .number(JSONNumber(Int64(main.status))) }
        responses.append(.object(last))
        // Another path's requests are none that don't fit.
        if matchers != request.pathMatchers {
            let documented =
                answers.first { $0.status == 400 } ?? answers.first { $0.status == 422 }
                ?? answers.first(where: \.isDefault)
            var refused = JSONObject()
            if request.pathMatchers.count > 0 { refused["request"] = .object(request.pathMatchers) }
            for member in (documented?.object ?? ["jsonBody": refusal]).members { refused[member.key] = member.value }
            if documented?.status != 422 { refused["status"] = 400 }
            responses.append(.object(refused))
        }
        return bounded(responses, operation, &reading)
    }

    /// An answer for requests that ask for it in Prism's way: `Prefer: code=404`.
    private static func response(
        _ answer: JSONObject,
        name: String,
        asked: String,
        _ request: OpenAPIRequest
    ) -> JSONValue {
        var response = JSONObject()
        if !name.isEmpty { response["name"] = .string(name) }
        var matchers = request.pathMatchers
        matchers["headers"] = ["Prefer": ["contains": .string(asked)]]
        response["request"] = .object(matchers)
        response["status"] = 200
        for member in answer.members { response[member.key] = member.value }
        return .object(response)
    }

    /// The answers in their order, the usual one first.
    private static func answers(of operation: Field, _ reading: inout OpenAPIReading) -> [OpenAPIAnswer] {
        var listed: [(status: Int?, field: Field)] = []
        for (key, field) in reading.members(of: operation, "responses") where !key.hasPrefix("x-") {
            let status = key == "default" ? nil : Int(key) ?? Int(key.uppercased().replacing("XX", with: "00"))
            guard key == "default" || status.map({ (200...599).contains($0) }) == true else {
                reading.remark("no file answers with the status \(key.shown); it is left out", at: field)
                continue
            }
            guard let response = reading.resolve(field) else { continue }
            listed.append((status, response))
        }
        let main =
            listed.firstIndex { $0.status.map { $0 < 300 } ?? false } ?? listed.firstIndex { $0.status == nil }
            ?? listed.firstIndex { $0.status.map { $0 < 400 } ?? false } ?? listed.indices.first
        guard let main else {
            reading.remark("the operation has no answer: an empty one is given", at: operation)
            return [OpenAPIAnswer(200, Field([:], at: operation.path), &reading)]
        }
        let first = listed.remove(at: main)
        var answers = [OpenAPIAnswer(first.status ?? 200, first.field, &reading)]
        for (status, field) in listed {
            // What is answered otherwise is mostly an error.
            let code = status ?? 500
            guard !answers.contains(where: { $0.status == code }) else {
                reading.remark("there is an answer with the status \(code) already; this one is left out", at: field)
                continue
            }
            answers.append(OpenAPIAnswer(code, field, &reading, isDefault: status == nil))
        }
        return answers
    }

    // MARK: Files

    /// The file's value, within the bounds of route files.
    private static func bounded(
        _ responses: [JSONValue],
        _ operation: Field,
        _ reading: inout OpenAPIReading
    ) -> JSONValue {
        var responses = responses
        if size(.array(responses), depth: 1) > mostParts {
            reading.remark(
                "the schemas and examples are too large or too deep for a file; they are left out",
                at: operation
            )
            for (index, response) in responses.enumerated() {
                var object = response.object ?? [:]
                for key in ["request", "jsonBody"] where object[key].map({ size($0, depth: 3) > 2_000 }) == true {
                    object[key] = key == "request" ? nil : [:]
                }
                responses[index] = .object(object)
            }
        }
        var file = JSONObject()
        // Braces in examples are braces.
        if responses.contains(where: hasTags) { file["template"] = false }
        guard responses.count == 1, let single = responses[0].object else {
            file["responses"] = .array(responses)
            return .object(file)
        }
        for member in single.members { file[member.key] = member.value }
        return .object(file)
    }

    /// How many parts a value has; far too many for one that is too deep.
    private static func size(_ value: JSONValue, depth: Int) -> Int {
        guard depth <= deepest else { return mostParts + 1 }
        return switch value {
        case .array(let elements): elements.reduce(1) { $0 + size($1, depth: depth + 1) }
        case .object(let object): object.members.reduce(1) { $0 + 1 + size($1.value, depth: depth + 1) }
        default: 1
        }
    }

    private static func hasTags(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): Template.hasTags(text)
        case .array(let elements): elements.contains(where: hasTags)
        case .object(let object): object.members.contains { Template.hasTags($0.key) || hasTags($0.value) }
        default: false
        }
    }

    /// A text on one line.
    static func line(_ text: String) -> String {
        let words = text.split {
            $0.isNewline || $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        }
        return words.joined(separator: " ").excerpt(upTo: 100)
    }
}
