import BacklotJSON

/// JSON: reading, changing and writing it.
extension TemplateHelper {
    static let json: [TemplateHelper] = [
        TemplateHelper("jsonPath", 2...2, named: ["default"], block: .none, preparation: .jsonPath(1)) {
            arguments,
            run throws(TemplateTooLarge) in
            let path: JSONPath
            if case .jsonPath(let prepared) = arguments.call.prepared {
                path = prepared
            } else if let read = try? JSONPath(Field(.string(arguments[1].text))) {
                path = read
            } else {
                return .failed("\(arguments[1].text.shown) is not a valid JSONPath expression")
            }
            guard let document = try document(arguments[0], &run) else {
                return .failed("\(arguments[0].text.shown) is not valid JSON")
            }
            let found = try run.values(of: path, in: document)
            if path.isIndefinite { return .json(.array(found)) }
            guard let value = found.first, !value.isNull else { return arguments["default"] }
            return .json(value)
        },
        TemplateHelper("parseJson", 1...2, block: .content(0), variable: 1) { arguments, run throws(TemplateTooLarge) in
            guard let value = try document(arguments[0], &run) else {
                return .failed("\(arguments[0].text.shown) is not valid JSON")
            }
            guard !arguments[1].isMissing else { return .json(value) }
            try run.set(arguments[1].text, to: .json(value))
            return .nothing
        },
        TemplateHelper("toJson", 1...1, block: .none) { arguments, _ in .written(PrettyJSON.text(arguments[0].json)) },
        TemplateHelper("formatJson", 1...1, named: ["format"]) { arguments, run throws(TemplateTooLarge) in
            guard let value = try document(arguments[0], &run) else {
                return .failed("\(arguments[0].text.shown) is not valid JSON")
            }
            return .written(arguments["format"].text == "compact" ? value.description : PrettyJSON.text(value))
        },
        TemplateHelper("jsonArrayAdd", 2...2, named: ["maxItems", "flatten", "jsonPath"], block: .content(1)) {
            arguments,
            run throws(TemplateTooLarge) in
            guard let list = try document(arguments[0], &run), let item = try document(arguments[1], &run) else {
                return .failed("jsonArrayAdd takes a list and a value, both as JSON")
            }
            let path = arguments["jsonPath"].isMissing ? "$" : arguments["jsonPath"].text
            let isFlat = arguments.flag("flatten") ?? false
            let most = arguments["maxItems"].int
            guard let steps = JSONChange.steps(of: path) else { return .failed("\(path.shown) is no path to one list") }
            let changed = JSONChange.change(list, steps[...]) { value in
                guard var elements = value.array else { return nil }
                elements += isFlat ? item.array ?? [item] : [item]
                if let most, elements.count > most { elements.removeFirst(elements.count - max(0, most)) }
                return .array(elements)
            }
            return changed.map(TemplateValue.json) ?? .failed("\(path.shown) leads to no list")
        },
        TemplateHelper("jsonMerge", 2...2, named: ["removeNulls"], block: .content(1)) {
            arguments,
            run throws(TemplateTooLarge) in
            guard let base = try document(arguments[0], &run)?.object,
                let change = try document(arguments[1], &run)?.object
            else { return .failed("jsonMerge takes two objects, both as JSON") }
            return .json(.object(JSONChange.merge(base, change, removesNulls: arguments.flag("removeNulls") ?? false)))
        },
        TemplateHelper("jsonRemove", 2...2, block: .none, preparation: .jsonPath(1)) {
            arguments,
            run throws(TemplateTooLarge) in
            guard let value = try document(arguments[0], &run) else {
                return .failed("\(arguments[0].text.shown) is not valid JSON")
            }
            let text = arguments[1].text
            if let steps = JSONChange.steps(of: text), let last = steps.last {
                let changed = JSONChange.change(value, steps.dropLast()) { JSONChange.removing(last, from: $0) }
                return .json(changed ?? value)
            }
            // What a filter finds is removed from the list or object that holds it.
            guard let path = try? JSONPath(Field(.string(text))) else {
                return .failed("\(text.shown) is no JSON path")
            }
            let found = try run.values(of: path, in: value)
            return .json(JSONChange.removing(found, from: value))
        },
        TemplateHelper("jsonSort", 2...2, named: ["order"], block: .none) { arguments, run throws(TemplateTooLarge) in
            guard let list = try document(arguments[0], &run)?.array else { return .failed("jsonSort takes a list") }
            let words = TemplatePath.words(arguments[1].text).filter { $0 != "$" && $0 != "*" && $0 != "$[*]" }
            try run.output.spend(list.count * 16)
            let isDescending = arguments["order"].text == "desc" || arguments["order"].text == "descending"
            func key(_ value: JSONValue) -> TemplateValue { TemplateContext.follow(words[...], from: .json(value)) }
            let sorted = list.enumerated().sorted { one, other in
                let order = compare(key(one.element), key(other.element)) ?? 0
                return order == 0 ? one.offset < other.offset : isDescending ? order > 0 : order < 0
            }
            return .json(.array(sorted.map(\.element)))
        },
    ]

    /// JSON that is a value already, or a text.
    static func document(_ value: TemplateValue, _ run: inout TemplateRun) throws(TemplateTooLarge) -> JSONValue? {
        switch value {
        case .json(.string(let text)), .written(let text):
            try run.output.spend(text.utf8.count / 4)
            return try? JSONValue(parsing: text)
        case .values: return try? JSONValue(parsing: value.text)
        case .missing, .nothing: return nil
        default: return value.json
        }
    }
}

extension TemplateRun {
    /// The values that a path leads to.
    mutating func values(of path: JSONPath, in document: JSONValue) throws(TemplateTooLarge) -> [JSONValue] {
        var left = output.left
        let before = left
        let values = try? path.values(in: document, within: &left)
        try output.spend(values == nil ? .max : before - max(0, left))
        return values ?? []
    }
}

/// Changes to a JSON value at a place in it.
enum JSONChange {
    /// The steps of a path that leads to one place, such as `$.a[0].b`; nil for other paths.
    static func steps(of path: String) -> [StubProblem.Step]? {
        guard path.hasPrefix("$") else { return nil }
        var steps: [StubProblem.Step] = []
        var rest = path.dropFirst()
        while let first = rest.first {
            rest = rest.dropFirst()
            if first == "." {
                if rest.first == "[" { continue }
                let name = rest.prefix { $0 != "." && $0 != "[" }
                guard !name.isEmpty, !name.contains("*") else { return nil }
                steps.append(.key(String(name)))
                rest = rest[name.endIndex...]
            } else {
                guard first == "[", let end = rest.firstIndex(of: "]") else { return nil }
                let inner = rest[..<end]
                if let index = Int(inner) {
                    steps.append(.index(index))
                } else if inner.count >= 2, inner.first == inner.last, inner.first == "'" || inner.first == "\"" {
                    steps.append(.key(String(inner.dropFirst().dropLast())))
                } else {
                    return nil
                }
                rest = rest[rest.index(after: end)...]
            }
        }
        return steps
    }

    /// The same value with another at a place; nil where there is no such place.
    static func change(
        _ value: JSONValue,
        _ steps: ArraySlice<StubProblem.Step>,
        _ body: (JSONValue) -> JSONValue?
    ) -> JSONValue? {
        guard let step = steps.first else { return body(value) }
        switch (step, value) {
        case (.key(let key), .object(var object)):
            guard let child = object[key], let changed = change(child, steps.dropFirst(), body) else { return nil }
            object[key] = changed
            return .object(object)
        case (.index(let index), .array(var elements)):
            guard elements.indices.contains(index), let changed = change(elements[index], steps.dropFirst(), body)
            else { return nil }
            elements[index] = changed
            return .array(elements)
        default: return nil
        }
    }

    /// The same value without a member or element.
    static func removing(_ step: StubProblem.Step, from value: JSONValue) -> JSONValue? {
        switch (step, value) {
        case (.key(let key), .object(var object)):
            object[key] = nil
            return .object(object)
        case (.index(let index), .array(var elements)):
            guard elements.indices.contains(index) else { return nil }
            elements.remove(at: index)
            return .array(elements)
        default: return nil
        }
    }

    /// The same value without the elements and members that equal one of some values.
    static func removing(_ values: [JSONValue], from value: JSONValue) -> JSONValue {
        let values = Set(values)
        func cleaned(_ value: JSONValue) -> JSONValue {
            switch value {
            case .array(let elements): return .array(elements.filter { !values.contains($0) }.map(cleaned))
            case .object(let object):
                var result = JSONObject()
                for member in object.members where !values.contains(member.value) {
                    result[member.key] = cleaned(member.value)
                }
                return .object(result)
            default: return value
            }
        }
        return cleaned(value)
    }

    /// The first object with the members of the second; objects in both are merged in turn.
    static func merge(_ base: JSONObject, _ change: JSONObject, removesNulls: Bool) -> JSONObject {
        var result = base
        for member in change.members {
            if removesNulls, member.value.isNull {
                result[member.key] = nil
            } else if let one = result[member.key]?.object, let other = member.value.object {
                result[member.key] = .object(merge(one, other, removesNulls: removesNulls))
            } else {
                result[member.key] = member.value
            }
        }
        return result
    }
}

/// JSON as WireMock writes it for people: two blanks for each level, and lists on one line.
enum PrettyJSON {
    static func text(_ value: JSONValue, depth: Int = 0) -> String {
        switch value {
        case .array(let elements):
            guard !elements.isEmpty else { return "[ ]" }
            return "[ \(elements.map { text($0, depth: depth) }.joined(separator: ", ")) ]"
        case .object(let object):
            guard object.count > 0 else { return "{ }" }
            let indent = String(repeating: "  ", count: depth + 1)
            let members = object.members.map { member in
                "\(indent)\(JSONValue.string(member.key)) : \(text(member.value, depth: depth + 1))"
            }
            return "{\n\(members.joined(separator: ",\n"))\n\(indent.dropLast(2))}"
        default: return value.description
        }
    }
}
