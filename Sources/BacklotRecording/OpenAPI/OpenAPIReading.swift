import Backlot
import BacklotJSON
import BacklotMocks

/// A document of OpenAPI 3 that is being read: follows its references, and collects what is to be said about it.
struct OpenAPIReading {
    /// How many references may lead to one another.
    private static let mostReferences = 32
    /// How many remarks are made, each with its place.
    private static let mostRemarks = 200

    let root: Field
    /// Whether it is 3.0, whose schemas are not JSON Schema.
    let isOld: Bool
    private let source: SourceText
    private let file: String
    private var targets: [String: Field] = [:]
    private var remarks: [(text: String, place: StubProblem, count: Int)] = []
    private var indexes: [String: Int] = [:]

    /// Reads a document.
    ///
    /// - Throws: `FileProblem`.
    init(_ bytes: [UInt8], file: String) throws(FileProblem) {
        let bytes = SourceText.withoutMark(bytes)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FileProblem(file, "the file is not UTF-8; save it as UTF-8")
        }
        self.file = file
        if bytes.first(where: { !$0.isJSONSpace }) == UInt8(ascii: "{") {
            do throws(JSONParseError) {
                source = .json(bytes, try JSONValue(parsing: bytes))
            } catch {
                throw FileProblem(file, error, in: bytes)
            }
        } else {
            source = .yaml(try YAMLDocument(text, file: file, mostNodes: 2_000_000))
        }
        root = Field(source.value)
        isOld = try Self.isOld(root.value, file, source)
    }

    /// Whether the version is 3.0; 3.1 and later ones are alike.
    private static func isOld(_ root: JSONValue, _ file: String, _ source: SourceText) throws(FileProblem) -> Bool {
        let problem = { (key: String?, text: String) in
            FileProblem(file, source.position(of: key.map { [.key($0)] } ?? []), text)
        }
        if let swagger = root["swagger"] {
            throw problem(
                "swagger",
                "this is Swagger \(swagger.string ?? swagger.description), not OpenAPI 3; convert it first: npx swagger2openapi \(file) -o openapi.yaml, or \"Convert to OpenAPI 3\" at editor.swagger.io"
            )
        }
        guard let version = root["openapi"] else {
            throw problem(nil, "this is no OpenAPI document: it has no key 'openapi', such as openapi: 3.1.0")
        }
        let text = version.string ?? version.description
        guard text == "3" || text.hasPrefix("3.") else {
            throw problem("openapi", "OpenAPI \(text) is not supported; 3.0 and 3.1 are")
        }
        return text == "3" || text.hasPrefix("3.0")
    }

    // MARK: References

    /// The part itself, or what its `$ref` leads to; nil, with a remark, where that can't be followed.
    mutating func resolve(_ field: Field) -> Field? {
        var found = field
        for _ in 0..<Self.mostReferences {
            guard let reference = found.value["$ref"]?.string else {
                // A schema may be a boolean.
                if found.value.object != nil || found.value.bool != nil { return found }
                remark("\(found.value.kind) stands where an object belongs; it is left out", at: field)
                return nil
            }
            guard let next = target(of: reference, from: found) else { return nil }
            found = next
        }
        remark("the reference leads back to itself, and is left out", at: field, key: "$ref")
        return nil
    }

    /// What a reference leads to; nil, with a remark, where that isn't in the document.
    mutating func target(of reference: String, from field: Field) -> Field? {
        if let known = targets[reference] { return known }
        guard reference.hasPrefix("#") else {
            remark(
                "\(reference.shown) leads to another document, which isn't read; bundle the documents into one first: npx @redocly/cli bundle",
                at: field,
                key: "$ref"
            )
            return nil
        }
        var found = root
        let pointer = PercentDecoding.decode(reference.dropFirst()) ?? String(reference.dropFirst())
        for step in JSONPointer.steps(of: pointer) {
            if let member = found.value[step] {
                found = Field(member, at: found.path + [.key(step)])
            } else if let index = Int(step), let element = found.value[index] {
                found = Field(element, at: found.path + [.index(index)])
            } else {
                remark("\(reference.shown) leads to nothing, and is left out", at: field, key: "$ref")
                return nil
            }
        }
        targets[reference] = found
        return found
    }

    // MARK: Parts

    /// The members of the object that a key holds; none, with a remark, where it holds something else.
    mutating func members(of field: Field, _ key: String) -> [(key: String, field: Field)] {
        guard let part = field[key] else { return [] }
        if let members = try? part.members() { return members }
        remark("\(part.value.kind) stands where an object belongs; it is left out", at: part)
        return []
    }

    /// The elements of the list that a key holds; none, with a remark, where it holds something else.
    mutating func elements(of field: Field, _ key: String) -> [Field] {
        guard let part = field[key] else { return [] }
        if let elements = try? part.elements() { return elements }
        remark("\(part.value.kind) stands where a list belongs; it is left out", at: part)
        return []
    }

    // MARK: Remarks

    /// Notes what was left out, or is otherwise than a reader of the document expects. What is said several times is told once.
    mutating func remark(_ text: String, at field: Field, key: String? = nil) {
        if let index = indexes[text] {
            remarks[index].count += 1
            return
        }
        indexes[text] = remarks.count
        let place = field.path + (key.map { [.key($0)] } ?? [])
        remarks.append((text, StubProblem(text, at: place, isAboutKey: true), 1))
    }

    /// The remarks in the order of the document.
    func placedRemarks() -> [FileProblem] {
        var placed = remarks.prefix(Self.mostRemarks).map { remark in
            let more =
                remark.count > 1
                ? " (here, and at \(remark.count - 1) more \(remark.count > 2 ? "places" : "place"))" : ""
            return FileProblem(
                file,
                source.position(of: remark.place.path, key: remark.place.isAboutKey),
                remark.text + more
            )
        }
        placed.sort { $0.place < $1.place }
        let left = remarks.count - placed.count
        if left > 0 { placed.append(FileProblem(file, "\(left) more remarks of these kinds are not listed")) }
        return placed
    }
}
