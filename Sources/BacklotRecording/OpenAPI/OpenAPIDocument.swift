import Backlot
import BacklotMocks

/// An OpenAPI 3 document, with the remarks about it.
final class OpenAPIDocument {
    /// The maximum number of remarks with a location.
    private static let mostRemarks = 200

    /// Whether the document has version 3.0. Its schemas aren't JSON Schema.
    let isOld: Bool
    private let source: SourceText
    private let file: String
    fileprivate var targets: [String: (value: JSONValue, path: [StubError.Step])] = [:]
    private var remarks = Tally<String>()
    private var paths: [String: [StubError.Step]] = [:]

    /// The root of the document.
    var root: OpenAPINode { OpenAPINode(source.value, at: [], of: self) }

    /// Reads a document.
    ///
    /// - Throws: `MockFileErrors`.
    init(_ bytes: [UInt8], file: String) throws(MockFileErrors) {
        self.file = file
        let first = SourceText.withoutMark(bytes).first { !$0.isJSONSpace }
        source = try SourceText(bytes, of: file, isYAML: first != UInt8(ascii: "{"), mostNodes: 2_000_000)
        isOld = try Self.isOld(file, source)
    }

    /// Whether the version is 3.0; 3.1 and later versions count as one.
    private static func isOld(_ file: String, _ source: SourceText) throws(MockFileErrors) -> Bool {
        func problem(_ text: String, _ path: StubError.Step...) -> MockFileErrors {
            MockFileErrors(file, text, at: source.position(of: path))
        }
        if let swagger = source.value["swagger"] {
            throw problem(
                "this is Swagger \(swagger.string ?? swagger.description), not OpenAPI 3; convert it first: npx swagger2openapi \(file) -o openapi.yaml, or \"Convert to OpenAPI 3\" at editor.swagger.io",
                .key("swagger")
            )
        }
        guard let version = source.value["openapi"] else {
            throw problem("this isn't an OpenAPI document: it has no key 'openapi', such as openapi: 3.1.0")
        }
        let text = version.string ?? version.description
        guard text == "3" || text.hasPrefix("3.") else {
            throw problem("OpenAPI \(text) is not supported; 3.0 and 3.1 are", .key("openapi"))
        }
        return text == "3" || text.hasPrefix("3.0")
    }

    /// Adds a remark about an omission or a deviation. A repeated remark is listed once.
    fileprivate func remark(_ text: String, at path: [StubError.Step]) {
        remarks.add(text)
        if paths[text] == nil { paths[text] = path }
    }

    /// The remarks in the order of the document.
    var placedRemarks: [MockFileError] {
        var placed = remarks.counts.prefix(Self.mostRemarks).map { text, count in
            let more = count > 1 ? " (here, and at \(count - 1) more \(count > 2 ? "places" : "place"))" : ""
            return MockFileError(file, source.position(of: paths[text] ?? [], key: true), text + more)
        }
        placed.sort { $0.place < $1.place }
        let left = remarks.counts.count - placed.count
        if left > 0 { placed.append(MockFileError(file, "\(left) more remarks of these kinds are not listed")) }
        return placed
    }
}

/// A part of a document, with its path.
struct OpenAPINode {
    /// The maximum number of references in a chain.
    private static let mostReferences = 32

    let value: JSONValue
    let path: [StubError.Step]
    let document: OpenAPIDocument

    init(_ value: JSONValue, at path: [StubError.Step], of document: OpenAPIDocument) {
        self.value = value
        self.path = path
        self.document = document
    }

    /// A node with another value at the same path.
    func holding(_ value: JSONValue) -> OpenAPINode { OpenAPINode(value, at: path, of: document) }

    private func part(_ value: JSONValue, _ step: StubError.Step) -> OpenAPINode {
        OpenAPINode(value, at: path + [step], of: document)
    }

    /// The member of an object; nil if it is missing or null.
    subscript(key: String) -> OpenAPINode? { value[key].flatMap { $0.isNull ? nil : part($0, .key(key)) } }

    /// The text of a key.
    func text(_ key: String) -> String? { value[key]?.string }

    /// The members; empty if the value isn't an object.
    var members: [(key: String, node: OpenAPINode)] {
        (value.object?.members ?? []).map { ($0.key, part($0.value, .key($0.key))) }
    }

    /// The elements; nil if the value isn't a list.
    var elements: [OpenAPINode]? { value.array?.enumerated().map { part($0.element, .index($0.offset)) } }

    /// The members of a key's object. Any other value gives a remark and no members.
    func members(_ key: String) -> [(key: String, node: OpenAPINode)] {
        guard let part = self[key] else { return [] }
        if part.value.object == nil {
            part.remark("\(part.value.kind) stands where an object belongs; it is left out")
        }
        return part.members
    }

    /// The elements of a key's list. Any other value gives a remark and no elements.
    func elements(_ key: String) -> [OpenAPINode] {
        guard let part = self[key] else { return [] }
        if part.value.array == nil { part.remark("\(part.value.kind) stands where a list belongs; it is left out") }
        return part.elements ?? []
    }

    /// Adds a remark about the part, or about one of its keys.
    func remark(_ text: String, key: String? = nil) {
        document.remark(text, at: path + (key.map { [.key($0)] } ?? []))
    }

    /// Adds a remark that the value of a key is left out.
    func leaveOut(_ key: String, _ text: String? = nil) {
        if self[key] != nil { remark(text ?? "\(key) are left out", key: key) }
    }

    /// The part itself, or the target of its `$ref`; nil, with a remark, if the reference can't be followed.
    var resolved: OpenAPINode? {
        var found = self
        for _ in 0..<Self.mostReferences {
            guard let reference = found.text("$ref") else {
                // A schema may be a boolean.
                if found.value.object != nil || found.value.bool != nil { return found }
                remark("\(found.value.kind) stands where an object belongs; it is left out")
                return nil
            }
            guard let next = found.target(of: reference) else { return nil }
            found = next
        }
        remark("the reference leads back to itself, and is left out", key: "$ref")
        return nil
    }

    /// The target of a reference; nil, with a remark, if it isn't in the document.
    func target(of reference: String) -> OpenAPINode? {
        if let known = document.targets[reference] { return OpenAPINode(known.value, at: known.path, of: document) }
        guard reference.hasPrefix("#") else {
            remark(
                "\(reference.shown) leads to another document, which isn't read; bundle the documents into one first: npx @redocly/cli bundle",
                key: "$ref"
            )
            return nil
        }
        var found = document.root
        let pointer = PercentDecoding.decode(reference.dropFirst()) ?? String(reference.dropFirst())
        for step in JSONPointer.steps(of: pointer) {
            if let member = found.value[step] {
                found = found.part(member, .key(step))
            } else if let index = Int(step), let element = found.value[index] {
                found = found.part(element, .index(index))
            } else {
                remark("\(reference.shown) leads to nothing, and is left out", key: "$ref")
                return nil
            }
        }
        document.targets[reference] = (found.value, found.path)
        return found
    }
}
