import Backlot
import BacklotJSON
import BacklotMocks
import HTTPTypes

/// One documented answer of an operation, as route files have it.
struct OpenAPIAnswer {
    /// What HTTP writes itself, or what the body's type says already.
    private static let ownHeaders = ["content-type", "content-length", "transfer-encoding", "connection", "date"]

    let status: Int
    /// Whether it is the document's answer for every other status.
    let isDefault: Bool
    /// What it is, for people.
    let name: String
    private var headers = JSONObject()
    private var body: (key: String, value: JSONValue)?
    /// Further named examples.
    private(set) var others: [(name: String, value: JSONValue)] = []

    /// The keys of the answer.
    var object: JSONObject { object(body?.value) }

    /// The keys of the answer with another body.
    func object(_ value: JSONValue?) -> JSONObject {
        var object = JSONObject()
        if status != 200 { object["status"] = .number(JSONNumber(Int64(status))) }
        if headers.count > 0 { object["headers"] = .object(headers) }
        if let body, let value { object[body.key] = value }
        return object
    }

    init(_ status: Int, _ response: Field, _ reading: inout OpenAPIReading, isDefault: Bool = false) {
        self.status = status
        self.isDefault = isDefault
        name = OpenAPIImport.line(response["description"]?.value.string ?? "")
        addHeaders(response, &reading)
        if response["links"] != nil { reading.remark("links are left out", at: response, key: "links") }
        let hasBody = status >= 200 && status != 204 && status != 304
        let content = reading.members(of: response, "content")
        guard hasBody, !content.isEmpty else { return }
        let chosen =
            content.first { OpenAPIMedia.name($0.key) == "application/json" }
            ?? content.first { OpenAPIMedia.isJSON($0.key) }
            ?? content.first { OpenAPIMedia.isText($0.key) && !OpenAPIMedia.isXML($0.key) } ?? content[0]
        let left = content.map(\.key).filter { $0 != chosen.key }
        if !left.isEmpty {
            let text = "of several types, \(chosen.key) is answered, and \(left.joined(separator: ", ")) left out"
            reading.remark(text, at: response, key: "content")
        }
        addBody(chosen.key, chosen.field, &reading)
    }

    // MARK: Headers

    private mutating func addHeaders(_ response: Field, _ reading: inout OpenAPIReading) {
        for (name, field) in reading.members(of: response, "headers") {
            guard !Self.ownHeaders.contains(name.lowercased()) else {
                if name.lowercased() != "content-type" {
                    reading.remark("\(name) is written by the server itself; it is left out", at: field)
                }
                continue
            }
            guard let header = reading.resolve(field) else { continue }
            guard HTTPField.Name(name) != nil else {
                reading.remark("\(name.shown) can't be the name of a header field; it is left out", at: field)
                continue
            }
            guard let value = Self.example(of: header, &reading), let text = Self.text(value) else {
                reading.remark(
                    "the header field \(name) has no example that is a text or a number; it is left out",
                    at: field
                )
                continue
            }
            guard HTTPField.isValidValue(text) else {
                reading.remark("\(text.shown) can't be the value of a header field; it is left out", at: field)
                continue
            }
            headers[name] = .string(text)
        }
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

    /// The example of a header or a media type that its author gives, or one that its schema makes.
    private static func example(of field: Field, _ reading: inout OpenAPIReading) -> JSONValue? {
        examples(of: field, &reading).first?.value ?? field["schema"].flatMap { sample($0, &reading) }
    }

    // MARK: Bodies

    private mutating func addBody(_ type: String, _ media: Field, _ reading: inout OpenAPIReading) {
        var given = Self.examples(of: media, &reading)
        if OpenAPIMedia.isJSON(type) {
            let name = OpenAPIMedia.name(type)
            if name != "application/json", !name.contains("*") { headers["Content-Type"] = .string(type) }
            let schema = media["schema"].flatMap { reading.resolve($0) }
            let isText = schema.map { OpenAPISample.type(of: $0.value.object ?? [:]) == "string" } ?? false
            // Some authors write JSON as a text.
            if !isText {
                given = given.map { ($0.name, $0.value.string.flatMap { try? JSONValue(parsing: $0) } ?? $0.value) }
            }
            let made = given.isEmpty ? media["schema"].flatMap { Self.sample($0, &reading, isChecked: true) } : nil
            guard let value = given.first?.value ?? made else {
                reading.remark("there is no example and no schema to make one from: the body is empty", at: media)
                return
            }
            body = ("jsonBody", value)
        } else {
            headers["Content-Type"] = .string(type.contains("*") ? "application/octet-stream" : type)
            given = given.filter { $0.value.string != nil }
            let isXML = OpenAPIMedia.isXML(type)
            let schema = OpenAPIMedia.isText(type) && !isXML ? media["schema"] : nil
            let made = given.isEmpty ? schema.flatMap { Self.sample($0, &reading)?.string } : nil
            if given.isEmpty, made == nil {
                let reason = isXML ? "XML is not made from schemas" : "\(type) has no example that is a text"
                reading.remark("\(reason): the body is empty", at: media)
            }
            body = ("body", .string(given.first?.value.string ?? made ?? ""))
        }
        others = Array(given.dropFirst())
    }

    /// The examples that a document gives for a header, a parameter or a media type, with their names.
    private static func examples(of field: Field, _ reading: inout OpenAPIReading) -> [(name: String, value: JSONValue)]
    {
        if let example = field.value["example"] { return [("", example)] }
        var found: [(name: String, value: JSONValue)] = []
        for (name, element) in reading.members(of: field, "examples") {
            guard let example = reading.resolve(element) else { continue }
            if let value = example.value["value"] ?? example.value["dataValue"] {
                found.append((name, value))
            } else {
                reading.remark("an example that stands elsewhere isn't fetched; it is left out", at: element)
            }
        }
        return found
    }

    private static func sample(
        _ schema: Field,
        _ reading: inout OpenAPIReading,
        isChecked: Bool = false
    ) -> JSONValue? {
        var run = OpenAPISample()
        let sample = run.value(schema, &reading)
        guard let sample else {
            reading.remark(
                "no example can be made of the schema, which contains itself; write one under 'example'",
                at: schema
            )
            return nil
        }
        // What is larger would take longer than the example is worth.
        guard isChecked, let document = OpenAPISchema.translated(schema, isForRequest: false, upTo: 2000, &reading),
            let judge = try? JSONSchema(document), let failure = judge.errors(in: sample).first
        else { return sample }
        reading.remark(
            "the example that was made doesn't fit its schema: \(failure); write one under 'example'",
            at: schema
        )
        return sample
    }
}
