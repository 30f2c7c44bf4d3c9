import Backlot

/// The value of a tag, or of a part of one, while a template is filled in.
enum TemplateValue: Sendable {
    /// Missing: written as an empty text, or as null.
    case missing
    /// The result of a helper that only has an effect, such as `assign`: it writes nothing in any place.
    case nothing
    case json(JSONValue)
    /// A list that a helper made. As text it looks as in WireMock, `[1, two]`.
    case list([JSONValue])
    /// Texts with one for all: for the values of a header field, cookie or parameter it is the first, for a path's segments it is the
    /// path.
    case texts(String, [String])
    /// The fields of a form. A field may occur several times.
    case form([NamedValue])
    /// Parts of an XML document; the first one as text.
    case nodes([XPath.Node])
    /// JSON in its final form.
    case written(String)
    case date(TemplateDate)
    /// The error of a helper: written as `[ERROR: …]`, as in WireMock.
    case failed(String)
    /// A value that is only known with a request, while a file is checked: the tag's text.
    case unknown(String)

    static func text(_ text: String?) -> TemplateValue { text.map { .json(.string($0)) } ?? .missing }

    static func int(_ number: some BinaryInteger) -> TemplateValue { .json(JSONValue(number)) }

    static func bool(_ bool: Bool) -> TemplateValue { .json(.bool(bool)) }

    static func optional(_ value: JSONValue?) -> TemplateValue { value.map(TemplateValue.json) ?? .missing }

    /// The first value of each name.
    static func object(_ values: [NamedValue]) -> TemplateValue {
        var (object, seen) = (JSONObject(), Set<ExactKey>())
        for value in values where seen.insert(ExactKey(text: value.name)).inserted {
            object.append(value.name, .string(value.value))
        }
        return .json(.object(object))
    }

    /// As text: strings without quotes, null as the empty text, other JSON unchanged.
    var text: String {
        switch self {
        case .missing, .nothing, .json(.null): ""
        case .json(.string(let text)), .texts(let text, _), .written(let text): text
        case .json(let value): wholeNumber.map { String($0) } ?? value.description
        case .list(let elements): "[\(elements.map { TemplateValue.json($0).text }.joined(separator: ", "))]"
        case .form: json.description
        case .nodes(let nodes): nodes.first?.source ?? ""
        case .date(let date): date.text
        case .failed(let text): "[ERROR: \(text)]"
        case .unknown(let text): "{{\(text)}}"
        }
    }

    /// As a JSON value.
    var json: JSONValue {
        switch self {
        case .missing, .nothing, .unknown: .null
        case .json(let value): value
        case .list(let elements): .array(elements)
        case .form(let fields): TemplateValue.object(fields).json
        case .nodes(let nodes): nodes.first.map { .string($0.source) } ?? .null
        case .written(let text): (try? JSONValue(parsing: text)) ?? .string(text)
        case .texts, .date, .failed: .string(text)
        }
    }

    /// The elements of a list; nil for other values.
    var elements: [JSONValue]? {
        switch self {
        case .json(.array(let elements)), .list(let elements): elements
        case .texts(_, let texts): texts.map(JSONValue.string)
        case .nodes(let nodes): nodes.map { .string($0.source) }
        case .written: json.array
        default: nil
        }
    }

    var isMissing: Bool {
        switch self {
        case .missing, .json(.null): true
        default: false
        }
    }

    /// Whether a section about it is left out.
    var isAbsent: Bool {
        switch self {
        case .missing, .nothing, .json(.null), .json(.bool(false)), .failed: true
        case .json(.array(let elements)), .list(let elements): elements.isEmpty
        case .nodes(let nodes): nodes.isEmpty
        default: false
        }
    }

    /// Whether it is true for `#if`: not absent, 0, or an empty text.
    var isTruthy: Bool {
        switch self {
        case .json(.string(let text)), .written(let text), .texts(let text, _): !text.isEmpty
        case .json(.number(let number)): number.double != 0
        default: !isAbsent
        }
    }

    var isUnknown: Bool { if case .unknown = self { true } else { false } }

    /// The number, if it is an integer: the most frequent value besides texts.
    var wholeNumber: Int64? { if case .json(.number(let number)) = self { number.int64 } else { nil } }

    /// The number in the value or its text.
    var number: Double? {
        switch self {
        case .json(.number(let number)): number.double
        case .date(let date): Double(date.milliseconds)
        default: Double(text.withoutBlanks)
        }
    }

    /// The integer in the value or its text.
    var int: Int? {
        if case .json(.number) = self { return wholeNumber.map { Int($0) } }
        return Int(text.withoutBlanks)
    }

    /// The approximate size of the value, as the cost of reading all of it.
    var size: Int {
        switch self {
        case .json(let value): Self.size(of: value)
        case .list(let elements): elements.reduce(8) { $0 + Self.size(of: $1) }
        case .texts(let text, let texts): texts.reduce(8 + text.utf8.count) { $0 + $1.utf8.count }
        case .written(let text), .failed(let text): text.utf8.count
        case .nodes(let nodes): nodes.reduce(8) { $0 + $1.source.utf8.count }
        case .form(let fields): fields.reduce(8) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        case .missing, .nothing, .date, .unknown: 8
        }
    }

    private static func size(of value: JSONValue) -> Int {
        switch value {
        case .null, .bool, .number: 8
        case .string(let text): 8 + text.utf8.count
        case .array(let elements): elements.reduce(8) { $0 + size(of: $1) }
        case .object(let object): object.members.reduce(8) { $0 + 8 + $1.key.utf8.count + size(of: $1.value) }
        }
    }

    /// The cost of a search for a member in it, beside that of an object's.
    var searchCost: Int {
        switch self {
        case .form(let fields): fields.count
        case .texts(_, let texts): texts.count
        case .written(let text): text.utf8.count
        case .nodes(let nodes): nodes.first?.attributes.count ?? 0
        default: 0
        }
    }

    /// A member, by a step of a path.
    subscript(name: String) -> TemplateValue {
        switch self {
        case .json(.object(let object)): return .optional(object[name])
        case .json(.array), .list, .texts: return elements.map { Self.element(name, of: $0) } ?? .missing
        case .written: return TemplateValue.json(json)[name]
        case .form: return following([name])
        case .nodes(let nodes):
            if let index = Int(name) { return nodes.indices.contains(index) ? .nodes([nodes[index]]) : .missing }
            guard let node = nodes.first else { return .missing }
            switch name {
            case "name": return .text(node.name)
            case "text": return .text(node.text)
            case "attributes": return .object(node.attributes)
            case "first": return .nodes([node])
            case "last": return .nodes([nodes[nodes.count - 1]])
            default: return .missing
            }
        case .unknown(let text): return .unknown("\(text).\(name)")
        default: return .missing
        }
    }

    private static func element(_ name: String, of elements: [JSONValue]) -> TemplateValue {
        switch name {
        case "first": return .optional(elements.first)
        case "last": return .optional(elements.last)
        case "length", "size": return .int(elements.count)
        default:
            guard let index = Int(name), index >= -elements.count else { return .missing }
            // From the end, as WireMock counts: -1 stands for the last but one.
            let place = index < 0 ? elements.count - 1 + index : index
            return elements.indices.contains(place) ? .json(elements[place]) : .missing
        }
    }

    /// The value that a path leads to. For a form, the path begins with a field's name, which may contain dots.
    func following(_ names: some Collection<String>) -> TemplateValue {
        guard case .form(let fields) = self, let first = names.first else {
            // Values are at most 64 deep, so that nothing is further down.
            return names.prefix(65).reduce(self) { $0[$1] }
        }
        for (name, rest) in [(first, names.dropFirst()), (names.joined(separator: "."), names.suffix(0))] {
            let values = fields.filter { $0.name == name }.map(\.value)
            if let first = values.first { return TemplateValue.texts(first, values).following(rest) }
        }
        return .missing
    }
}
