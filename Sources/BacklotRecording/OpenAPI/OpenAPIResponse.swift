import Backlot
import BacklotMocks

/// One documented response of an operation, in the format of route files.
struct OpenAPIResponse {
    /// Header fields that HTTP writes itself, or that follow from the body's type.
    private static let ownHeaders = ["content-type", "content-length", "transfer-encoding", "connection", "date"]

    let status: Int
    /// Whether this is the document's response for all other statuses.
    let isDefault: Bool
    /// The name, for people.
    let name: String
    private var headers = JSONObject()
    private var body: (key: String, value: JSONValue)?
    /// The schema of a JSON body; nil without one.
    private(set) var schema: OpenAPINode?
    /// Whether the body is an example of the document.
    private(set) var isGiven = false
    /// Further named examples.
    private(set) var others: [(name: String, value: JSONValue)] = []

    /// The keys of the response.
    var object: JSONObject { object(body?.value) }

    /// The keys of the response with another body.
    func object(_ value: JSONValue?) -> JSONObject {
        var object = JSONObject()
        if status != 200 { object["status"] = JSONValue(status) }
        if headers.count > 0 { object["headers"] = .object(headers) }
        if let body, let value { object[body.key] = value }
        return object
    }

    init(_ status: Int, _ response: OpenAPINode, isDefault: Bool = false) {
        self.status = status
        self.isDefault = isDefault
        name = OpenAPIImport.line(response.text("description") ?? "")
        for (name, node) in response.members("headers") { add(name, node) }
        response.leaveOut("links")
        let content = response.members("content").filter { Self.isFieldValue($0.key, $0.node) }
        guard status >= 200, status != 204, status != 304, !content.isEmpty else { return }
        let types = content.map { OpenAPIMediaType($0.key) }
        let chosen =
            types.firstIndex { $0.name == "application/json" } ?? types.firstIndex(where: \.isJSON)
            ?? types.firstIndex { $0.isText && !$0.isXML } ?? 0
        let left = content.indices.filter { $0 != chosen }.map { content[$0].key }
        if !left.isEmpty {
            let others = left.joined(separator: ", ")
            response.remark(
                "of several types, \(content[chosen].key) is used, and \(others) left out",
                key: "content"
            )
        }
        addBody(types[chosen], content[chosen].key, content[chosen].node)
    }

    /// Adds a header field.
    private mutating func add(_ name: String, _ node: OpenAPINode) {
        guard !Self.ownHeaders.contains(name.lowercased()) else {
            if name.lowercased() != "content-type" {
                node.remark("\(name) is written by the server itself; it is left out")
            }
            return
        }
        guard let header = node.resolved else { return }
        guard HTTPField.Name(name) != nil else {
            return node.remark("\(name.shown) can't be the name of a header field; it is left out")
        }
        let example = Self.examples(of: header).first?.value ?? header["schema"].flatMap { Self.sample($0) }
        guard let text = example.flatMap(Self.text) else {
            return node.remark(
                "the header field \(name) has no example that is a text or a number; it is left out"
            )
        }
        if Self.isFieldValue(text, node) { headers[name] = .string(text) }
    }

    /// Whether a text can be the value of a header field. Otherwise it adds a remark.
    private static func isFieldValue(_ text: String, _ node: OpenAPINode) -> Bool {
        if HTTPField.isValidValue(text) { return true }
        node.remark("\(text.shown) can't be the value of a header field; it is left out")
        return false
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): return text
        case .number, .bool: return value.description
        case .array(let elements):
            let texts = elements.compactMap(text)
            return texts.count == elements.count && !texts.isEmpty ? texts.joined(separator: ",") : nil
        case .null, .object: return nil
        }
    }

    private mutating func addBody(_ type: OpenAPIMediaType, _ key: String, _ media: OpenAPINode) {
        var given = Self.examples(of: media)
        if type.isJSON {
            if type.name != "application/json", !type.name.contains("*") { headers["Content-Type"] = .string(key) }
            schema = media["schema"]
            isGiven = !given.isEmpty
            // Some authors write JSON as a string.
            if OpenAPISample.type(of: schema?.resolved?.value.object ?? [:]) != "string" {
                given = given.map { ($0.name, $0.value.string.flatMap { try? JSONValue(parsing: $0) } ?? $0.value) }
            }
            let made = given.isEmpty ? media["schema"].flatMap { Self.sample($0, isChecked: true) } : nil
            guard let value = given.first?.value ?? made else {
                return media.remark("an example and a schema are missing: the body is empty")
            }
            body = ("jsonBody", value)
        } else {
            headers["Content-Type"] = .string(key.contains("*") ? "application/octet-stream" : key)
            given = given.filter { $0.value.string != nil }
            let schema = given.isEmpty && type.isText && !type.isXML ? media["schema"] : nil
            let text = given.first?.value.string ?? schema.flatMap { Self.sample($0)?.string }
            if text == nil {
                let reason = type.isXML ? "XML is not made from schemas" : "\(key) has no example that is a text"
                media.remark("\(reason): the body is empty")
            }
            body = ("body", .string(text ?? ""))
        }
        others = Array(given.dropFirst())
    }

    /// The examples of a header, a parameter or a media type in the document, with their names.
    private static func examples(of node: OpenAPINode) -> [(name: String, value: JSONValue)] {
        if let example = node.value["example"] { return [("", example)] }
        var found: [(name: String, value: JSONValue)] = []
        for (name, element) in node.members("examples") {
            guard let example = element.resolved?.value else { continue }
            if let value = example["value"] ?? example["dataValue"] {
                found.append((name, value))
            } else {
                element.remark("an example that stands elsewhere isn't fetched; it is left out")
            }
        }
        return found
    }

    /// An example made from a schema.
    private static func sample(_ schema: OpenAPINode, isChecked: Bool = false) -> JSONValue? {
        var run = OpenAPISample()
        guard let sample = run.value(schema) else {
            schema.remark("no example can be made of the schema, which contains itself; write one under 'example'")
            return nil
        }
        // Checking larger schemas would take too long.
        guard isChecked, let document = OpenAPISchema.translated(schema, isForRequest: false, upTo: 2000),
            let judge = try? JSONSchema(document), let failure = judge.errors(in: sample).first
        else { return sample }
        schema.remark("the example that was made doesn't fit its schema: \(failure); write one under 'example'")
        return sample
    }
}

/// A media type in the keys of a document.
struct OpenAPIMediaType {
    /// The type without its parameters, in lower case.
    let name: String

    init(_ key: String) {
        name = key.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }

    var isJSON: Bool {
        ["application/json", "*/*", "application/*", "text/json"].contains(name) || name.hasSuffix("+json")
    }

    var isXML: Bool { name.hasSuffix("/xml") || name.hasSuffix("+xml") }

    var isText: Bool {
        name.hasPrefix("text/") || isXML || name.contains("javascript") || name.contains("yaml")
    }
}
