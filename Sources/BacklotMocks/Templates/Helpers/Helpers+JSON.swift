import BacklotJSON

/// JSON and XML: reading, changing and writing it.
extension TemplateHelper {
    static let json: [TemplateHelper] = [
        TemplateHelper("jsonPath", 2...2, named: ["default"], block: .none, preparing: [.jsonPath]) { arguments, run in
            let path = try arguments.prepared(arguments[1].text, jsonPath)
            let found = try run.values(of: path, in: try document(arguments[0]))
            if path.isIndefinite { return .json(.array(found)) }
            return found.first.flatMap { $0.isNull ? nil : .json($0) } ?? arguments["default"]
        },
        TemplateHelper("parseJson", 1...2, variable: 1) { arguments, run in
            assigning(.json(try document(arguments[0])), to: arguments[1], &run)
        },
        TemplateHelper("toJson", 1...1, block: .none) { arguments, _ in .written(arguments[0].json.prettyText()) },
        TemplateHelper("formatJson", 1...1, named: ["format"]) { arguments, _ in
            let value = try document(arguments[0])
            return .written(arguments["format"].text == "compact" ? value.description : value.prettyText())
        },
        TemplateHelper("jsonArrayAdd", 2...2, named: ["maxItems", "flatten", "jsonPath"], block: .content(1)) {
            arguments,
            _ in
            let problem = "jsonArrayAdd takes a list and a value, both as JSON"
            let (list, item) = (try document(arguments[0], or: problem), try document(arguments[1], or: problem))
            let source = arguments["jsonPath"].isMissing ? "$" : arguments["jsonPath"].text
            let steps = try (JSONPath(source)?.place).or("\(source.shown) isn't a path to one list")
            var isChanged = false
            let changed = list.changing(steps[...]) { value in
                guard var elements = value.array else { return value }
                isChanged = true
                elements += arguments.flag("flatten") == true ? item.array ?? [item] : [item]
                return .array(arguments["maxItems"].int.map { elements.suffix(max(0, $0)) } ?? elements)
            }
            guard isChanged, let changed else { throw MessageError("\(source.shown) doesn't lead to a list") }
            return .json(changed)
        },
        TemplateHelper("jsonMerge", 2...2, named: ["removeNulls"], block: .content(1)) { arguments, _ in
            let problem = "jsonMerge takes two objects, both as JSON"
            let base = try document(arguments[0], or: problem).object.or(problem)
            let change = try document(arguments[1], or: problem).object.or(problem)
            let removesNulls = arguments.flag("removeNulls") ?? false
            return .json(JSONValue.object(base).merged(with: .object(change), removesNulls: removesNulls))
        },
        TemplateHelper("jsonRemove", 2...2, block: .none, preparing: [.jsonPath]) { arguments, run in
            let value = try document(arguments[0])
            let path = try arguments.prepared(arguments[1].text, jsonPath)
            if let place = path.place, !place.isEmpty { return .optional(value.changing(place[...]) { _ in nil }) }
            // The values that a filter finds are removed from their list or object.
            return .json(value.removing(Set(try run.values(of: path, in: value))))
        },
        TemplateHelper("jsonSort", 2...2, named: ["order"], block: .none) { arguments, run in
            let problem = "jsonSort takes a list"
            let list = try document(arguments[0], or: problem).array.or(problem)
            let words = TemplatePath.words(arguments[1].text).filter { !["$", "*", "$[*]"].contains($0) }
            try run.output.spend(list.count * 16)
            let isDescending = ["desc", "descending"].contains(arguments["order"].text)
            let keys = list.map { TemplateValue.json($0).following(words) }
            let sorted = list.indices.sorted { one, other in
                let order = compare(keys[one], keys[other]) ?? 0
                return order == 0 ? one < other : isDescending ? order > 0 : order < 0
            }
            return .json(.array(sorted.map { list[$0] }))
        },
        TemplateHelper("xPath", 2...2, block: .none, preparing: [.init(position: 1, read: xPath)]) { arguments, run in
            try follow(try arguments.prepared(arguments[1].text, xPath), in: arguments[0].text, &run)
        },
        TemplateHelper("soapXPath", 2...2, block: .none) { arguments, run in
            try follow(try xPath("/Envelope/Body\(arguments[1].text)"), in: arguments[0].text, &run)
        },
    ]

    /// JSON that is a value already, or a text.
    private static func document(
        _ value: TemplateValue,
        or problem: String? = nil
    ) throws(MessageError) -> JSONValue {
        switch value {
        case .json(.string), .written, .texts: if let document = try? JSONValue(parsing: value.text) { return document }
        case .missing, .nothing: break
        default: return value.json
        }
        throw MessageError(problem ?? "\(value.text.shown) is not valid JSON")
    }

    static func jsonPath(_ source: String) throws(TemplateError) -> JSONPath {
        guard let path = JSONPath(source) else { throw TemplateError(JSONPath.problem(source)) }
        return path
    }

    private static func xPath(_ source: String) throws(TemplateError) -> XPath {
        try mapErrors({ TemplateError("'\(source)' isn't an XPath: \($0)") }) { try XPath(source) }
    }

    private static func follow(_ path: XPath, in text: String, _ run: inout TemplateRun) throws -> TemplateValue {
        guard !text.isEmpty else { return .missing }
        // Parsing takes far longer than copying.
        try run.output.spend(1000 + text.utf8.count * 8)
        let value: XPath.Value
        do throws(XMLError) {
            value = try path.values(inText: text)
        } catch {
            if error.isGivenUp { try run.output.spend(.max) }
            throw MessageError("\(text.shown) is not valid XML: \(error)")
        }
        switch value {
        case .nodes(let nodes): return nodes.isEmpty ? .missing : .nodes(nodes)
        case .text(let text): return .text(text)
        case .number(let value): return value.isNaN ? .text("NaN") : try number(value)
        case .bool(let value): return .bool(value)
        }
    }
}

extension TemplateHelper.Preparation {
    fileprivate static let jsonPath = Self(position: 1, read: TemplateHelper.jsonPath)
}

extension TemplateRun {
    /// The values that a path leads to.
    fileprivate mutating func values(of path: JSONPath, in document: JSONValue) throws -> [JSONValue] {
        var left = output.left
        let values = try? path.values(in: document, within: &left)
        try output.spend(values == nil ? .max : output.left - max(0, left))
        return values ?? []
    }
}

extension JSONValue {
    /// The same value without the elements and members that equal one of some values.
    fileprivate func removing(_ values: Set<JSONValue>) -> JSONValue {
        switch self {
        case .array(let elements): return .array(elements.filter { !values.contains($0) }.map { $0.removing(values) })
        case .object(let object):
            var result = JSONObject()
            for member in object.members where !values.contains(member.value) {
                result.append(member.key, member.value.removing(values))
            }
            return .object(result)
        default: return self
        }
    }

    /// JSON in WireMock's form for people: two blanks for each level, and lists on one line.
    fileprivate func prettyText(depth: Int = 0) -> String {
        switch self {
        case .array(let elements):
            if elements.isEmpty { return "[ ]" }
            return "[ \(elements.map { $0.prettyText(depth: depth) }.joined(separator: ", ")) ]"
        case .object(let object):
            if object.count == 0 { return "{ }" }
            let indent = String(repeating: "  ", count: depth + 1)
            let members = object.members.map { member in
                "\(indent)\(JSONValue.string(member.key)) : \(member.value.prettyText(depth: depth + 1))"
            }
            return "{\n\(members.joined(separator: ",\n"))\n\(indent.dropLast(2))}"
        default: return description
        }
    }
}
