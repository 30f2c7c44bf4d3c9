/// Compiles a document to the nodes of a `JSONSchema`. It finds the resources and anchors first, and then reads every subschema,
/// including the targets of references.
struct SchemaCompiler {
    typealias ReadingError = JSONSchema.ReadingError

    /// The draft's meta-schema, which a schema may refer to.
    static let metaSchema = "https://json-schema.org/draft/2020-12/schema"
    /// The maximum number of subschemas in a document.
    static let mostNodes = 50_000

    let document: JSONValue
    let assertsFormats: Bool
    let patterns: JSONSchema.PatternCompiler

    private(set) var nodes: [SchemaNode] = []
    private(set) var dynamicAnchors: [[String: Int]] = []
    var tracksEvaluated = false
    var unknownKeywords: [String] = []
    /// The bytes that further pointers and addresses may take: each repeats the keys and addresses around it.
    private var room = 64 << 20

    /// A schema resource: a part of the document with a separate address.
    private struct Resource {
        let base: SchemaReference
        let pointer: String
        let value: JSONValue
        /// The pointers of the parts with names.
        var anchors: [String: String] = [:]
        var dynamicAnchors: [String: String] = [:]
    }

    /// A part of the document that is a schema.
    private struct Place {
        let value: JSONValue
        let pointer: String
        let resource: Int
    }

    private var resources: [Resource] = []
    private var resourcesByAddress: [String: Int] = [:]
    private var resourcesByPointer: [String: Int] = [:]
    private var nodesByPointer: [String: Int] = [:]
    /// The targets of references that aren't read yet.
    private var waiting: [(node: Int, place: Place)] = []

    init(_ document: JSONValue, assertsFormats: Bool, patterns: @escaping JSONSchema.PatternCompiler) {
        self.document = document
        self.assertsFormats = assertsFormats
        self.patterns = patterns
    }

    mutating func compile() throws(ReadingError) {
        resources = [Resource(base: SchemaReference(""), pointer: "", value: document)]
        resourcesByAddress[""] = 0
        try scan(document, at: "", in: 0)
        _ = try node(document, at: "", in: 0)
        try readWaiting()
        dynamicAnchors = Array(repeating: [:], count: resources.count)
        for index in resources.indices {
            for (name, pointer) in resources[index].dynamicAnchors {
                let place = try place(of: pointer, from: resources[index].pointer, resource: index, reference: name)
                dynamicAnchors[index][name] = try node(place)
            }
        }
        try readWaiting()
    }

    private mutating func readWaiting() throws(ReadingError) {
        while let next = waiting.popLast() { try read(next.place, into: next.node) }
    }

    // MARK: Resources

    /// Finds the addresses and names of a schema, and of those within it.
    private mutating func scan(_ value: JSONValue, at pointer: String, in outer: Int) throws(ReadingError) {
        guard let object = value.object else { return }
        try spend(pointer)
        var resource = outer
        if let id = object["$id"] { resource = try addResource(id, value, at: pointer, in: outer) }
        for (keyword, isDynamic) in [("$anchor", false), ("$dynamicAnchor", true)] {
            guard let anchor = object[keyword] else { continue }
            let place = "\(pointer)/\(keyword)"
            guard let name = anchor.string, Self.isName(name) else {
                throw ReadingError(place, "must be a name of letters, digits, '_', '-' and '.', not \(anchor.shown)")
            }
            guard resources[resource].anchors.updateValue(pointer, forKey: name) == nil else {
                throw ReadingError(place, "the name \(name.shown) is declared twice")
            }
            if isDynamic { resources[resource].dynamicAnchors[name] = pointer }
        }
        for member in object.members {
            guard let form = SchemaForm.of(member.key) else { continue }
            let pointer = pointer + JSONPointer.step(member.key)
            switch form {
            case .one: try scan(member.value, at: pointer, in: resource)
            case .list:
                for (index, element) in (member.value.array ?? []).enumerated() {
                    try scan(element, at: "\(pointer)/\(index)", in: resource)
                }
            case .named:
                for member in member.value.object?.members ?? [] {
                    try scan(member.value, at: pointer + JSONPointer.step(member.key), in: resource)
                }
            }
        }
    }

    private mutating func addResource(
        _ id: JSONValue,
        _ value: JSONValue,
        at pointer: String,
        in outer: Int
    ) throws(ReadingError) -> Int {
        guard let text = id.string else { throw ReadingError("\(pointer)/$id", "must be a string, not \(id.typeText)") }
        let reference = SchemaReference(text)
        guard (reference.fragment ?? "").isEmpty else {
            throw ReadingError("\(pointer)/$id", "must have no fragment ('#…'); a name is given by '$anchor'")
        }
        let base = reference.resolved(in: resources[outer].base)
        guard resourcesByAddress[base.document] == nil || pointer.isEmpty else {
            throw ReadingError("\(pointer)/$id", "the address \(base.document.shown) is declared twice")
        }
        try spend(base.document)
        let index = pointer.isEmpty ? 0 : resources.count
        let resource = Resource(base: base, pointer: pointer, value: value)
        if index == 0 { resources[0] = resource } else { resources.append(resource) }
        resourcesByAddress[base.document] = index
        resourcesByPointer[pointer] = index
        return index
    }

    mutating func spend(_ text: String) throws(ReadingError) {
        room -= text.utf8.count
        guard room >= 0 else { throw ReadingError("", "its keys and addresses are too long for so many subschemas") }
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isLetter || first == UInt8(ascii: "_") else { return false }
        return text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-.".utf8.contains($0) }
    }

    // MARK: Nodes

    /// The node of a subschema at `pointer`, read at once.
    mutating func node(_ value: JSONValue, at pointer: String, in resource: Int) throws(ReadingError) -> Int {
        if let index = nodesByPointer[pointer] { return index }
        let place = Place(value: value, pointer: pointer, resource: resourcesByPointer[pointer] ?? resource)
        let index = try add(place)
        try read(place, into: index)
        return index
    }

    /// The node of a reference's target, read later, because references may form circles.
    private mutating func node(_ place: Place) throws(ReadingError) -> Int {
        if let index = nodesByPointer[place.pointer] { return index }
        let index = try add(place)
        waiting.append((index, place))
        return index
    }

    private mutating func add(_ place: Place) throws(ReadingError) -> Int {
        guard nodes.count < Self.mostNodes else {
            throw ReadingError(place.pointer, "a schema may have at most \(Self.mostNodes) subschemas")
        }
        try spend(place.pointer)
        nodes.append(SchemaNode(pointer: place.pointer, resource: place.resource))
        nodesByPointer[place.pointer] = nodes.count - 1
        return nodes.count - 1
    }

    private mutating func read(_ place: Place, into index: Int) throws(ReadingError) {
        switch place.value {
        case .bool(true): break
        case .bool(false): nodes[index].keywords = [.never]
        case .object(let object):
            var reader = SchemaReader(object, place.pointer, place.resource)
            try reader.read(with: &self)
            nodes[index].keywords = reader.keywords
        default:
            throw ReadingError(place.pointer, "a schema is an object, true or false, not \(place.value.typeText)")
        }
    }

    // MARK: References

    enum Target {
        case node(Int)
        /// A node with a dynamic anchor of that name.
        case dynamic(Int, String)
        case metaSchema
    }

    /// The target of a `$ref` or `$dynamicRef`.
    mutating func target(of text: String, at pointer: String, in resource: Int) throws(ReadingError) -> Target {
        let address = SchemaReference(text).resolved(in: resources[resource].base)
        guard let target = resourcesByAddress[address.document] else {
            if address.document == Self.metaSchema, (address.fragment ?? "").isEmpty { return .metaSchema }
            throw ReadingError(
                pointer,
                "\(text.shown) leads to another document, which isn't fetched; put its schema under '$defs', with its '$id'"
            )
        }
        guard let fragment = address.plainFragment else {
            throw ReadingError(pointer, "\(text.shown) has a percent sign that stands for no character")
        }
        let start = resources[target].pointer
        if fragment.isEmpty || fragment.hasPrefix("/") {
            return .node(
                try node(place(of: start + fragment, from: start, resource: target, reference: text, at: pointer))
            )
        }
        guard let named = resources[target].anchors[fragment] else {
            throw ReadingError(pointer, "\(text.shown) leads to a name that no '$anchor' declares")
        }
        let index = try node(place(of: named, from: start, resource: target, reference: text, at: pointer))
        return resources[target].dynamicAnchors[fragment] == nil ? .node(index) : .dynamic(index, fragment)
    }

    /// The part of a resource at a pointer.
    private func place(
        of pointer: String,
        from start: String,
        resource: Int,
        reference: String,
        at origin: String = ""
    ) throws(ReadingError) -> Place {
        var value = resources[resource].value
        var resource = resource
        var walked = start
        for step in JSONPointer.steps(of: String(pointer.dropFirst(start.count))) {
            let isIndex = step == "0" || (step.utf8.allSatisfy(\.isDigit) && !step.hasPrefix("0"))
            guard let next = value[step] ?? (isIndex ? Int(step).flatMap { value[$0] } : nil) else {
                throw ReadingError(
                    origin,
                    "\(reference.shown) leads to nothing: \(walked.isEmpty ? "the document" : walked) has no \(step.shown)"
                )
            }
            value = next
            walked += JSONPointer.step(step)
            resource = resourcesByPointer[walked] ?? resource
        }
        return Place(value: value, pointer: walked, resource: resource)
    }
}

/// The arrangement of a keyword's subschemas in a document.
package enum SchemaForm {
    case one, list, named

    package static func of(_ keyword: String) -> SchemaForm? {
        switch keyword {
        case "additionalProperties", "unevaluatedProperties", "propertyNames", "items", "unevaluatedItems", "contains",
            "not", "if", "then", "else", "contentSchema":
            .one
        case "prefixItems", "allOf", "anyOf", "oneOf": .list
        case "$defs", "definitions", "properties", "patternProperties", "dependentSchemas": .named
        default: nil
        }
    }
}
