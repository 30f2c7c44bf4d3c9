import A2UI
import Backlot

/// A value in a tree, before the version of the client is known.
indirect enum Term: Sendable {
    case literal(JSONValue)
    case path(ModelPath)
    case call(String, [Entry])
    /// Text with paths and calls.
    case text([Term])
    case list([Term])
    case object([Entry])
    case event(String, [Entry], Term?)
    case child(Element)
    case children([PlacedElement])
    case template(Element, ModelPath)
    /// The values before 1.0, and in it; nil for no value.
    case versions(Term?, Term?)
    /// A mistake in the program, which the surface reports.
    case mistake(String)
}

/// A member of a component, of a call or of a context.
struct Entry: Sendable {
    let name: String
    let term: Term

    init(_ name: String, _ term: Term) { (self.name, self.term) = (name, term) }
}

extension [Entry] {
    /// The members with a value.
    static func present(_ entries: [(String, Term?)]) -> [Entry] {
        entries.compactMap { name, term in term.map { Entry(name, $0) } }
    }
}

extension RawRepresentable where RawValue == String {
    var term: Term { .literal(.string(rawValue)) }
}

/// The path of a value in a model. Lists on the way have the segment `*`.
struct ModelPath: Equatable, Sendable {
    private(set) var segments: [String] = []
    /// The number of segments that lead to the element of the innermost template.
    private(set) var scope = 0
    /// Whether the value may be missing in the model.
    private(set) var isOptional = false

    func appending(_ names: [String], isOptional: Bool) -> ModelPath {
        changing(self) {
            $0.segments += names
            $0.isOptional = isOptional || self.isOptional
        }
    }

    /// The path of a list's elements.
    var element: ModelPath {
        changing(self) {
            $0.segments.append("*")
            $0.scope = $0.segments.count
        }
    }

    /// The path of the element that relative paths begin at.
    var scopePath: ArraySlice<String> { segments[..<scope] }

    /// The path on the wire.
    var text: String {
        let steps = segments[scope...].map { $0.replacing("~", with: "~0").replacing("/", with: "~1") }
        return scope == 0 ? "/" + steps.joined(separator: "/") : steps.joined(separator: "/")
    }

    /// Whether a model has a value here, or a list without elements on the way.
    func isThere(in model: JSONValue) -> Bool {
        var value = model
        for segment in segments {
            if segment == "*" {
                guard let first = value.array?.first else { return true }
                value = first
            } else {
                guard let part = value[segment] ?? Int(segment).flatMap({ value[$0] }) else { return false }
                value = part
            }
        }
        return true
    }
}

/// Writes a tree as the flat components of one version.
struct ElementWriter {
    let version: ProtocolVersion
    let model: JSONValue
    /// The components, children before parents.
    private(set) var components: [JSONObject] = []
    /// The names of events.
    private(set) var events: Set<String> = []
    /// The mistakes in the tree, each with the id of its component.
    private(set) var mistakes: [String] = []
    private var ids: Set<String> = []
    private var scope: ArraySlice<String> = []
    private var current = "root"

    init(_ root: Element, version: ProtocolVersion, model: JSONValue) {
        (self.version, self.model) = (version, model)
        write(root, "root")
    }

    private mutating func write(_ element: Element, _ id: String) {
        let outer = current
        current = id
        if !ids.insert(id).inserted { mistake("two components have this id; give them different ones with .id(\"…\")") }
        let sign = version == .v1_0 ? "@" : ""
        var object: JSONObject = ["id": .string(id), "component": .string(element.type)]
        for entry in element.entries { object[entry.name] = json(entry.term, as: entry.name) }
        if !element.checks.isEmpty {
            object["\(sign)checks"] = .array(element.checks.compactMap { json($0) })
        }
        if !element.accessibility.isEmpty {
            object["\(sign)accessibility"] = members(element.accessibility)
        }
        components.append(object)
        current = outer
    }

    private mutating func mistake(_ text: String) {
        mistakes.append("\(current): \(text)")
    }

    /// Writes a component within the current one.
    private mutating func child(_ element: Element, _ position: String) -> JSONValue {
        let prefix = current == "root" ? "" : "\(current)_"
        let id = element.id ?? "\(prefix)\(element.type.lowercased())\(position)"
        write(element, id)
        return .string(id)
    }

    private mutating func members(_ entries: [Entry]) -> JSONValue {
        var object = JSONObject()
        for entry in entries { object[entry.name] = json(entry.term, as: entry.name) }
        return .object(object)
    }

    /// A value on the wire; nil for one that the version doesn't have.
    ///
    /// - Parameter position: the end of the ids of components in it.
    private mutating func json(_ term: Term, as name: String = "", at index: String = "") -> JSONValue? {
        switch term {
        case .literal(let value): return value
        case .path(let path): return [version.pathKey: .string(text(of: path))]
        case .call(let function, let arguments):
            return [version.callKey: .string(function), "args": members(arguments)]
        case .text(let parts):
            guard let format = format(parts) else { return .string(plain(parts)) }
            return [version.callKey: "formatString", "args": ["value": .string(format)]]
        case .list(let terms):
            return .array(terms.enumerated().compactMap { json($1, as: name, at: "_\($0)") })
        case .object(let entries):
            var object = JSONObject()
            for entry in entries { object[entry.name] = json(entry.term, as: entry.name, at: index) }
            return .object(object)
        case .event(let name, let context, let message):
            events.insert(name)
            var event: JSONObject = ["name": .string(name)]
            if !context.isEmpty { event["context"] = members(context) }
            if version.isOne, let message { event["userMessage"] = json(message) }
            return .object(event)
        case .child(let element): return child(element, name == "child" ? index : "_\(name)\(index)")
        case .children(let placed): return .array(placed.map { child($0.element, $0.position) })
        case .template(let element, let list):
            let outer = scope
            let path = text(of: list)
            scope = list.element.scopePath
            defer { scope = outer }
            return ["componentId": child(element, ""), "path": .string(path)]
        case .versions(let before, let one): return (version.isOne ? one : before).flatMap { json($0, as: name) }
        case .mistake(let text):
            mistake(text)
            return nil
        }
    }

    private mutating func text(of path: ModelPath) -> String {
        if path.scope > 0, path.scopePath != scope {
            mistake(
                "the path /\(path.segments.joined(separator: "/")) leads out of its list; a template sees only its own elements"
            )
        } else if !path.isOptional, !path.isThere(in: model) {
            mistake("the model has no /\(path.segments.joined(separator: "/")); CodingKeys may not rename it")
        }
        return path.text
    }

    /// The parts of a text, with those of the texts in it.
    private static func flat(_ parts: [Term]) -> [Term] {
        parts.flatMap { part -> [Term] in
            guard case .text(let inner) = part else { return [part] }
            return flat(inner)
        }
    }

    private func plain(_ parts: [Term]) -> String {
        Self.flat(parts).reduce(into: "") { if case .literal(let value) = $1 { $0 += Evaluator.text(of: value) } }
    }

    /// The text of a `formatString`; nil for a text without paths and calls.
    private mutating func format(_ parts: [Term]) -> String? {
        var (text, literal, isDynamic) = ("", "", false)
        for part in Self.flat(parts) {
            if case .literal(let value) = part {
                literal += Evaluator.text(of: value)
            } else {
                text += "\(Self.escaped(literal, isBeforeExpression: true))${\(expression(part))}"
                (literal, isDynamic) = ("", true)
            }
        }
        return isDynamic ? text + Self.escaped(literal, isBeforeExpression: false) : nil
    }

    /// Plain text within a `formatString`. Backslashes before an expression would escape it, so they become an expression too.
    private static func escaped(_ text: String, isBeforeExpression: Bool) -> String {
        let count = isBeforeExpression ? text.utf8.reversed().prefix { $0 == UInt8(ascii: "\\") }.count : 0
        let start = String(text.unicodeScalars.dropLast(count)).replacingScalars("${", with: "\\${")
        return count == 0 ? start : "\(start)${'\(String(repeating: "\\\\", count: count))'}"
    }

    private mutating func expression(_ term: Term) -> String {
        switch term {
        case .literal(.string(let text)):
            return "'\(text.replacingScalars("\\", with: "\\\\").replacingScalars("'", with: "\\'"))'"
        case .literal(let value) where value.array == nil && value.object == nil: return value.description
        case .path(let path):
            let text = text(of: path)
            let shown = text.isEmpty ? "." : text
            // Clients read a path such as 0 or true as a literal, and can't read one with a space.
            if (try? Expression.parts(of: "${\(shown)}")) != [.path(shown)] {
                mistake("the path \(text.quoted) can't stand in a text; bind the text to it alone")
            }
            return shown
        case .call(let name, let arguments):
            let values = arguments.map { "\($0.name): \(expression($0.term))" }
            return "\(name)(\(values.joined(separator: ", ")))"
        case .text(let parts) where format(parts) == nil: return expression(.literal(.string(plain(parts))))
        case .text(let parts):
            return expression(.call("formatString", [Entry("value", .literal(.string(format(parts) ?? "")))]))
        case .versions:
            mistake("@index can't stand within a text; let .number(.index()) be all of the text")
            return "''"
        default:
            mistake("a list or an object can't stand in a text; write the text in parts")
            return "''"
        }
    }
}

extension String {
    /// Replaces a text by code points, as clients read expressions: a combining accent doesn't hide the brace before it.
    fileprivate func replacingScalars(_ text: String, with other: String) -> String {
        guard let first = text.utf8.first, utf8.contains(first) else { return self }
        return String(unicodeScalars.replacing(text.unicodeScalars, with: other.unicodeScalars))
    }
}
