import BacklotJSON

extension SectionTemplate {
    /// Fills it in.
    ///
    /// - Parameter context: what names stand for; nil for an empty request.
    func write(_ context: TemplateContext?, to output: inout TemplateOutput) throws(TemplateTooLarge) {
        var filling = Filling(context: context, isJSON: isJSON)
        try filling.write(nodes, to: &output)
    }
}

/// A template while it is filled in.
private struct Filling {
    /// An element that a section is about.
    private struct Element {
        let value: JSONValue
        let place: Int
        let isLast: Bool
    }

    /// What a tag, and each round of a section, costs in addition to what it writes, in bytes.
    private static let tagCost = 8
    /// How many members of an object are searched at the cost of a byte.
    private static let membersPerByte = 2

    let context: TemplateContext?
    let isJSON: Bool
    private var elements: [Element] = []
    /// Values that were already found in the request, because some take a while to find.
    private var known: [String: JSONValue?] = [:]

    init(context: TemplateContext?, isJSON: Bool) {
        self.context = context
        self.isJSON = isJSON
    }

    mutating func write(_ nodes: [SectionTemplate.Node], to output: inout TemplateOutput) throws(TemplateTooLarge) {
        for node in nodes {
            try output.spend(Self.tagCost)
            switch node {
            case .text(let bytes): try output.append(bytes)
            case .value(let expression, let isRaw):
                let text = try value(expression, &output).map { TemplateValue.json($0).text } ?? ""
                if isRaw || !isJSON { try output.append(text.utf8) } else { try output.appendEscaped(text) }
            case .section(let expression, let isInverted, let nodes):
                try write(nodes, for: value(expression, isSection: true, &output), isInverted: isInverted, to: &output)
            }
        }
    }

    private mutating func write(
        _ nodes: [SectionTemplate.Node],
        for value: JSONValue?,
        isInverted: Bool,
        to output: inout TemplateOutput
    ) throws(TemplateTooLarge) {
        if isInverted {
            let isNothing =
                switch value {
                case nil, .null, .bool(false): true
                case .array(let list): list.isEmpty
                default: false
                }
            if isNothing { try write(nodes, to: &output) }
            return
        }
        switch value {
        case nil, .null, .bool(false): break
        case .bool(true): try write(nodes, to: &output)
        case .array(let list):
            for (place, element) in list.enumerated() {
                try output.spend(Self.tagCost)
                elements.append(Element(value: element, place: place, isLast: place == list.count - 1))
                try write(nodes, to: &output)
                elements.removeLast()
            }
        case .some(let value):
            elements.append(Element(value: value, place: 0, isLast: true))
            try write(nodes, to: &output)
            elements.removeLast()
        }
    }

    /// What an expression stands for; nil for nothing.
    private mutating func value(
        _ expression: TemplateExpression,
        isSection: Bool = false,
        _ output: inout TemplateOutput
    ) throws(TemplateTooLarge) -> JSONValue? {
        var value: JSONValue?
        var transforms = expression.transforms[...]
        switch expression.start {
        case .place:
            // The innermost list that is being written counts.
            guard let element = elements.last, let transform = transforms.popFirst() else { return nil }
            value = transform.value(at: element.place, isLast: element.isLast)
        case .element:
            guard let element = elements.last else { return nil }
            value = try follow(expression.names[...], from: element.value, &output)
        case .nearest: value = try search(expression, isSection: isSection, &output)
        }
        for transform in transforms {
            guard let current = value else { return nil }
            try output.spend(transform.cost(for: current))
            value = transform.value(of: current)
        }
        return value
    }

    private mutating func search(
        _ expression: TemplateExpression,
        isSection: Bool,
        _ output: inout TemplateOutput
    ) throws(TemplateTooLarge) -> JSONValue? {
        guard let name = expression.names.first else { return nil }
        for element in elements.reversed() {
            guard case .object(let object) = element.value else { continue }
            try output.spend(object.count / Self.membersPerByte)
            if let child = object[name], child != .null {
                return try follow(expression.names.dropFirst(), from: child, &output)
            }
        }
        return requested(expression, isSection: isSection)
    }

    private func follow(
        _ names: ArraySlice<String>,
        from value: JSONValue,
        _ output: inout TemplateOutput
    ) throws(TemplateTooLarge) -> JSONValue? {
        var value = value
        for name in names {
            if case .object(let object) = value { try output.spend(object.count / Self.membersPerByte) }
            guard let child = value[name] ?? Int(name).flatMap({ value[$0] }) else { return nil }
            value = child
        }
        return value
    }

    /// What a name means in the request.
    private mutating func requested(_ expression: TemplateExpression, isSection: Bool) -> JSONValue? {
        guard let context else { return nil }
        guard let path = expression.path else {
            guard expression.names.count == 1, let root = TemplatePath.Root(rawValue: expression.names[0]) else {
                return nil
            }
            return remembered(root.rawValue) { context.all(root) }
        }
        switch path.root {
        // A section about a counter is always written, and doesn't count.
        case .counter where isSection: return .bool(true)
        case .counter, .now, .random: return context.value(path).json
        case .headers, .request:
            return remembered(path.text) {
                if case .text("") = context.value(path) { nil } else { context.value(path).json }
            }
        case .path, .variables, .query, .cookies, .session, .data, .row:
            return remembered(path.text) { context.value(path).json }
        }
    }

    private mutating func remembered(_ name: String, _ find: () -> JSONValue?) -> JSONValue? {
        if let value = known[name] { return value }
        let value = find()
        known[name] = .some(value)
        return value
    }
}

extension TemplateTransform {
    /// About how many bytes could be written in the same time: transforms that visit every character take longest.
    fileprivate func cost(for value: JSONValue) -> Int {
        switch (self, value) {
        case (.reversed, .string(let text)), (.capitalized, .string(let text)): text.utf8.count * 8
        case (.lowercased, .string(let text)), (.uppercased, .string(let text)): text.utf8.count
        case (.reversed, .array(let elements)): elements.count * 4
        case (.sorted, .object(let object)), (.enumerated, .object(let object)): object.count * 32
        default: 0
        }
    }
}
