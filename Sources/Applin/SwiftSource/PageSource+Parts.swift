import Backlot

/// The parts of a call.
extension PageSource {
    /// The function, with its arguments and the contents of its braces.
    mutating func mainPart(_ node: inout SourceNode, _ form: DSLForm) throws(DocumentError) -> SwiftCall.Part {
        if node.kind == GroupedRowTable.vocabulary, let key = form.arguments.first {
            let groups = try table(key, node)
            let rows = groups.map { $0.map { SwiftCall(parts: [SwiftCall.Part(text: "row", inside: .list($0))]) } }
            let isOneGroup = rows.count == 1 && !rows[0].isEmpty
            let calls =
                isOneGroup
                ? rows[0] : rows.map { SwiftCall(parts: [SwiftCall.Part(text: "rowGroup", inside: .braces($0))]) }
            return SwiftCall.Part(text: form.function, inside: .braces(calls))
        }
        var arguments: [String] = []
        for (index, key) in form.arguments.enumerated() {
            guard let value = try source(key, &node) ?? DSLForm.absent(key.name, of: node.kind) else { continue }
            arguments.append(index == 0 ? value : "\(DSLForm.name(key.name)): \(DSLForm.value(key.name, value))")
        }
        guard let key = form.braces else {
            return SwiftCall.Part(text: "\(form.function)(\(arguments.joined(separator: ", ")))")
        }
        var function = form.function
        var calls = try calls(key, node)
        if node.kind == NavPage.vocabulary {
            if let (name, widgets) = Self.shortPage(calls) { (function, calls) = (name, widgets) }
            if let key = node.kind.keys.first(where: { $0.name == "start" }),
                let start = try self.calls(key, node).first?.line
            {
                arguments.append("start: \(start)")
                node.object["start"] = nil
            }
        }
        let text = arguments.isEmpty ? function : "\(function)(\(arguments.joined(separator: ", ")))"
        // A checkbox button without a text can't have actions among its arguments.
        let isList = key.name == "actions" && !(arguments.isEmpty && node.kind == CheckboxButton.vocabulary)
        return SwiftCall.Part(text: text, inside: isList ? .list(calls) : .braces(calls))
    }

    /// The function for a page with a form or a column that scrolls, and its widgets; nil for other pages.
    private static func shortPage(_ calls: [SwiftCall]) -> (function: String, widgets: [SwiftCall])? {
        guard let inner = calls.only("scroll") else { return nil }
        if let widgets = inner.only("form") { return ("formPage", widgets) }
        return inner.only("column").map { ("listPage", $0) }
    }

    /// A modifier; nil for a missing key, or for a value without an effect.
    mutating func modifier(_ key: Key, _ node: inout SourceNode) throws(DocumentError) -> SwiftCall.Part? {
        switch key.type {
        case .node, .list(.node, _):
            guard let value = try node.value(key), value != key.defaultValue else { return nil }
            return SwiftCall.Part(text: ".\(key.name.lowerCamelCase)", inside: .braces(try calls(key, node)))
        default:
            guard let value = try source(key, &node) else { return nil }
            return SwiftCall.Part(text: DSLForm.modifier(key.name, value))
        }
    }

    /// The second and third choice of a selector.
    mutating func choices(_ node: inout SourceNode) throws(DocumentError) -> [SwiftCall.Part] {
        var parts: [SwiftCall.Part] = []
        for (names, modifier) in zip(DSLForm.choices, DSLForm.choiceModifiers) {
            var values: [String?] = []
            for name in names {
                guard let key = node.kind.keys.first(where: { $0.name == name }) else { continue }
                values.append(try source(key, &node))
            }
            if let variable = values[0] {
                let (options, initial) = (values[1] ?? "[]", values[2] ?? "nil")
                let text = "\(modifier)(\(variable), options: \(options), initialValue: \(initial))"
                parts.append(SwiftCall.Part(text: text))
            } else {
                for name in names { omit(name, of: &node, "it needs \(names[0].quoted)") }
            }
        }
        return parts
    }

    // MARK: Values

    /// A value in Swift; nil for a missing or default value, and for one that clients ignore.
    private mutating func source(_ key: Key, _ node: inout SourceNode) throws(DocumentError) -> String? {
        guard let value = try node.value(key) else { return nil }
        let pointer = node.pointer(key)
        guard key.type.fits(value) else {
            throw DocumentError(pointer: pointer, problem: "is \(value.summary), but must be \(key.type.noun)")
        }
        if !key.isRequired, value == key.defaultValue { return nil }
        switch (key.type, value) {
        case (.bool, .bool(let value)): return "\(value)"
        case (.string, .string(let text)): return text.swiftLiteral
        case (.oneOf(let names, _), .string(let text)):
            if names.contains(where: { $0.text == text }) { return ".\(text.lowerCamelCase)" }
            omit(key.name, of: &node, "clients don't know the value")
            return nil
        case (.numeric(let bounds), .number(let number)):
            guard bounds.allow(number) else {
                throw DocumentError(
                    pointer: pointer,
                    problem: "is \(value.description.excerpt), but must be \(key.type.noun)"
                )
            }
            return value.description
        case (.list(.string, _), .array(let elements)):
            var texts: [String] = []
            for (index, element) in elements.enumerated() {
                guard let text = element.string else {
                    throw DocumentError(
                        pointer: "\(pointer)/\(index)",
                        problem: "is \(element.summary), but must be a string"
                    )
                }
                texts.append(text.swiftLiteral)
            }
            return "[\(texts.joined(separator: ", "))]"
        default: throw DocumentError(pointer: pointer, problem: "has no form in Swift")
        }
    }

    // MARK: Calls inside

    /// The contents of the braces of a call or a modifier.
    private mutating func calls(_ key: Key, _ node: SourceNode) throws(DocumentError) -> [SwiftCall] {
        let pointer = node.pointer(key)
        guard let value = try node.value(key) else { return [] }
        switch key.type {
        case .node(let role, let only):
            return [try call(value, as: role, only: only, at: pointer, depth: node.depth + 1)]
        case .list(.node(let role, _), let count):
            guard let elements = value.array else {
                throw DocumentError(pointer: pointer, problem: "is \(value.summary), but must be \(key.type.noun)")
            }
            if case .atLeast(let least) = count, elements.count < least {
                throw DocumentError(
                    pointer: pointer,
                    problem: "has \(elements.count) elements, but must be \(key.type.noun)"
                )
            }
            if role == .action { return try actions(elements, at: pointer, depth: node.depth + 1) }
            var calls: [SwiftCall] = []
            for (index, element) in elements.enumerated() {
                calls.append(try call(element, as: role, at: "\(pointer)/\(index)", depth: node.depth + 1))
            }
            return calls
        default: return []
        }
    }

    /// The groups of a table.
    private mutating func table(_ key: Key, _ node: SourceNode) throws(DocumentError) -> [[[SwiftCall?]]] {
        let depth = node.depth + 1
        return try list(try node.value(key) ?? [], node.pointer(key)) { source, group, place throws(DocumentError) in
            try source.list(group, place) { source, row, place throws(DocumentError) in
                try source.list(row, place) { source, cell, place throws(DocumentError) -> SwiftCall? in
                    cell.isNull ? nil : try source.call(cell, as: .widget, at: place, depth: depth)
                }
            }
        }
    }

    private mutating func list<Element>(
        _ value: JSONValue,
        _ pointer: String,
        _ make: (inout PageSource, JSONValue, String) throws(DocumentError) -> Element
    ) throws(DocumentError) -> [Element] {
        guard let values = value.array else {
            throw DocumentError(pointer: pointer, problem: "is \(value.summary), but must be an array")
        }
        var elements: [Element] = []
        for (index, value) in values.enumerated() {
            elements.append(try make(&self, value, "\(pointer)/\(index)"))
        }
        return elements
    }
}
