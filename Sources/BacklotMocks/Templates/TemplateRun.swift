import BacklotJSON

/// A template while it is filled in.
struct TemplateRun {
    /// An element that a block is about.
    struct Frame {
        var value: TemplateValue
        var index = 0
        var count = 1
        var key: String?
    }

    /// What a tag, and each round of a block, costs in addition to what it writes, in bytes.
    static let tagCost = 8
    /// How many members of an object are searched at the cost of a byte.
    private static let membersPerByte = 2

    /// What names stand for; nil while a file is judged.
    let context: TemplateContext?
    /// While a file is judged: whether the parts after `else` are written.
    var takesElse = false
    var output: TemplateOutput
    /// The processor's time that is left for regular expressions.
    var matchBudget = MatchBudget()
    var frames: [Frame] = []
    private var variables: [(name: String, value: TemplateValue)] = []
    /// Values that were already found in the request, because some take a while to find.
    private var known: [TemplateValue?]

    init(_ context: TemplateContext?, slots: Int, limit: Int, capacity: Int) {
        self.context = context
        output = TemplateOutput(limit: limit, capacity: capacity)
        known = slots == 0 ? [] : Array(repeating: nil, count: slots)
    }

    mutating func write(_ nodes: [TemplateNode]) throws(TemplateTooLarge) {
        for node in nodes {
            switch node {
            case .bytes(let bytes): try output.append(bytes)
            case .comma: try output.appendComma()
            case .value(let expression, let form):
                try output.spend(Self.tagCost)
                try write(try value(expression), as: form)
            case .block(let block):
                try output.spend(Self.tagCost)
                try write(block)
            }
        }
    }

    mutating func write(_ value: TemplateValue, as form: TemplateForm) throws(TemplateTooLarge) {
        if case .nothing = value { return }
        switch form {
        case .text:
            if case .json(.string(let text)) = value { return try output.append(text.utf8) }
            if let number = value.wholeNumber { return try output.append(String(number).utf8) }
            try output.append(value.text.utf8)
        case .escaped:
            if case .json(.string(let text)) = value { return try output.appendEscaped(text) }
            if let number = value.wholeNumber { return try output.append(String(number).utf8) }
            try output.appendEscaped(value.text)
        case .value:
            if case .json(.string(let text)) = value { return try output.appendString(text) }
            if let number = value.wholeNumber { return try output.append(String(number).utf8) }
            if case .written(let text) = value { return try output.append(text.utf8) }
            try output.append(value.json.bytes)
        case .lone:
            switch value {
            case .json(.array), .json(.object), .list: try output.append(value.json.bytes)
            case .unknown: try output.append("null".utf8)
            case .written(let text): try output.append(text.utf8)
            default:
                try output.appendString(value.text)
            }
        }
    }

    // MARK: Values

    /// What an expression stands for.
    mutating func value(_ expression: TemplateExpression) throws(TemplateTooLarge) -> TemplateValue {
        switch expression {
        case .literal(let value): return value
        case .root(let path, let slot): return root(path, slot)
        case .element(let up, let names):
            guard frames.count > up else { return .missing }
            return try follow(names[...], from: frames[frames.count - 1 - up].value)
        case .nearest(let up, let names, let fallback): return try nearest(up, names, fallback)
        case .place(let place, let up): return self.place(place, up)
        case .transform(let transform, let expression):
            let value = try value(expression)
            if value.isUnknown { return value }
            let json = value.json
            try output.spend(transform.cost(for: json))
            return transform.value(of: json).map(TemplateValue.json) ?? .missing
        case .call(let call): return try self.value(of: call, content: nil)
        }
    }

    private mutating func nearest(
        _ up: Int,
        _ names: [String],
        _ fallback: TemplateExpression.Fallback
    ) throws(TemplateTooLarge) -> TemplateValue {
        let name = names[0]
        var index = frames.count - 1 - up
        while index >= 0 {
            switch frames[index].value {
            case .json(.object(let object)):
                try output.spend(object.count / Self.membersPerByte)
                if let child = object[name], !child.isNull { return try follow(names.dropFirst(), from: .json(child)) }
            case .form(let fields):
                let child = TemplateContext.follow(names[...], fields)
                if !child.isMissing { return child }
            case .unknown:
                if fallback.path == nil { return .unknown(names.joined(separator: ".")) }
            default: break
            }
            index -= 1
        }
        for variable in variables.reversed() where variable.name == name {
            return try follow(names.dropFirst(), from: variable.value)
        }
        if let path = fallback.path { return root(path, fallback.slot) }
        if let call = fallback.call { return try value(of: call, content: nil) }
        return .missing
    }

    private mutating func follow(
        _ names: ArraySlice<String>,
        from value: TemplateValue
    ) throws(TemplateTooLarge) -> TemplateValue {
        var value = value
        for name in names {
            if case .json(.object(let object)) = value { try output.spend(object.count / Self.membersPerByte) }
            value = value[name]
        }
        return value
    }

    private mutating func root(_ path: TemplatePath, _ slot: Int) -> TemplateValue {
        guard let context else { return .unknown(path.text) }
        guard slot >= 0 else { return context.value(path) }
        if let value = known[slot] { return value }
        let value = context.value(path)
        known[slot] = value
        return value
    }

    private func place(_ place: TemplateExpression.Place, _ up: Int) -> TemplateValue {
        guard frames.count > up else { return .missing }
        let frame = frames[frames.count - 1 - up]
        return switch place {
        case .index: .int(frame.index)
        case .position: .int(frame.index + 1)
        case .first: .bool(frame.index == 0)
        case .last: .bool(frame.index == frame.count - 1)
        case .odd: .bool(!frame.index.isMultiple(of: 2))
        case .even: .bool(frame.index.isMultiple(of: 2))
        case .key: frame.key.map { .text($0) } ?? .int(frame.index)
        case .root: .missing
        }
    }

    /// Sets a variable.
    mutating func set(_ name: String, to value: TemplateValue) throws(TemplateTooLarge) {
        try output.spend(value.size)
        if let index = variables.firstIndex(where: { $0.name == name }) {
            variables[index].value = value
        } else {
            variables.append((name, value))
        }
    }

    // MARK: Helpers

    mutating func arguments(
        _ call: TemplateCall,
        content: String? = nil
    ) throws(TemplateTooLarge) -> TemplateArguments {
        var arguments = TemplateArguments(call)
        for expression in call.positional { arguments.values.append(try value(expression)) }
        if let content, case .content(let position) = call.helper.block {
            arguments.values.insert(.text(content), at: min(position, arguments.values.count))
        }
        for (name, expression) in call.named { arguments.named.append((name, try value(expression))) }
        return arguments
    }

    mutating func value(of call: TemplateCall, content: String?) throws(TemplateTooLarge) -> TemplateValue {
        let arguments = try arguments(call, content: content)
        for value in arguments.values {
            if case .failed = value, !call.helper.isCondition { return value }
        }
        if context == nil, !call.helper.isCondition || arguments.areUnknown {
            return call.helper.isSilent(arguments) ? .nothing : .unknown(call.text)
        }
        // Twice the size of what it looks at is about what the dearest of them do.
        try output.spend(arguments.size)
        return try call.helper.body(arguments, &self)
    }
}

extension TemplateValue {
    /// The number, where it is whole: the most frequent value beside texts.
    fileprivate var wholeNumber: Int64? {
        if case .json(.number(let number)) = self { number.int64 } else { nil }
    }
}
