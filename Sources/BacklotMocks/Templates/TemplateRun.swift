import BacklotJSON

/// The output of a template so far, and its budget: the work that it may still take.
///
/// One number limits bytes and work, since both grow in the same way. Nested sections multiply the lengths of lists that clients
/// send, so that a request of a kilobyte could produce gigabytes. A written byte takes 1, a tag or a round of a block takes ``step``,
/// and a helper takes the size of its arguments and its result.
struct TemplateOutput {
    /// The cost of a tag, and of each round of a block, in addition to its output.
    static let step = 8
    /// The number of an object's members that a search covers for the cost of a byte.
    private static let membersPerByte = 2

    private(set) var bytes: [UInt8] = []
    /// The rest of the budget.
    private(set) var left: Int
    private let limit: Int

    init(limit: Int, capacity: Int = 0) {
        (left, self.limit) = (limit, limit)
        bytes.reserveCapacity(capacity)
    }

    mutating func spend(_ count: Int) throws(TemplateTooLarge) {
        guard count <= left else { throw TemplateTooLarge(limit: limit) }
        left -= count
    }

    /// A member of an object, found by a search.
    mutating func member(_ name: String, of object: JSONObject) throws(TemplateTooLarge) -> JSONValue? {
        try spend(object.count / Self.membersPerByte)
        return object[name]
    }

    mutating func append(_ more: some Collection<UInt8>) throws(TemplateTooLarge) {
        try spend(more.count)
        bytes += more
    }

    /// Appends a comma, unless a list or an object has just started.
    mutating func appendComma() throws(TemplateTooLarge) {
        guard let last = bytes.last, last != UInt8(ascii: "["), last != UInt8(ascii: "{") else { return }
        try append(CollectionOfOne(UInt8(ascii: ",")))
    }

    /// Appends a text in the form between the quotes of a JSON string.
    mutating func appendEscaped(_ text: String) throws(TemplateTooLarge) {
        try spend(text.utf8.count)
        let start = bytes.count
        JSONQuotes.appendEscaped(text, to: &bytes)
        try spend(bytes.count - start - text.utf8.count)
    }

    /// Removes and returns the output after a place.
    mutating func cut(from start: Int) -> String {
        defer { bytes.removeSubrange(start...) }
        return String(decoding: bytes[start...], as: UTF8.self).withFewMarks
    }
}

/// The error for a template that takes more than its budget.
struct TemplateTooLarge: Error, Equatable {
    /// The budget in bytes.
    let limit: Int
}

/// Whether a place in a JSON text is inside a string.
struct JSONQuotes {
    private(set) var isInside = false
    private var isEscaped = false
    /// Whether the last byte was the opening quote.
    var hasJustOpened = false

    mutating func read(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            hasJustOpened = false
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\"), isInside {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInside.toggle()
                hasJustOpened = isInside
            }
        }
    }

    /// Appends a text in the form between the quotes of a JSON string (RFC 8259, section 7).
    static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
        let plain = text.utf8.span
        var isPlain = true
        for index in plain.indices {
            let byte = plain[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { isPlain = false }
        }
        if isPlain { bytes += text.utf8 } else { bytes += JSONValue.string(text).bytes.dropFirst().dropLast() }
    }
}

/// The process of filling in a template.
struct TemplateRun {
    /// The element of a block.
    struct Frame {
        var value: TemplateValue
        var index = 0
        var count = 1
        var key: String?
    }

    /// The values of names; nil while a file is checked.
    let context: TemplateContext?
    /// The present, as the client's clock shows it.
    var now: TemplateDate { context.map { TemplateDate(milliseconds: $0.now) } ?? .now }
    /// While a file is checked: whether to write the parts after `else`.
    var takesElse = false
    var output: TemplateOutput
    /// The processor time that is left for regular expressions.
    var matchBudget = MatchBudget()
    private var frames: [Frame] = []
    private var variables: [String: TemplateValue] = [:]
    /// Values that were already found in the request, since some are slow to find.
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
                try output.spend(TemplateOutput.step)
                try write(try value(expression), as: form)
            case .block(let block):
                try output.spend(TemplateOutput.step)
                try write(block)
            }
        }
    }

    private mutating func write(_ value: TemplateValue, as form: TemplateForm) throws(TemplateTooLarge) {
        switch (form, value) {
        case (_, .nothing): return
        case (.text, _): try output.append(value.text.utf8)
        case (.escaped, _): try output.appendEscaped(value.text)
        case (.jsonPath(let place), _): try output.appendEscaped(place.form(of: value.text))
        case (_, .written(let text)): try output.append(text.utf8)
        case (.value, .json(.number)): try output.append(value.text.utf8)
        case (.lone, .unknown): try output.append("null".utf8)
        case (.lone, .json(.array)), (.lone, .json(.object)), (.lone, .list), (.value, _):
            guard case .json(.string(let text)) = value else { return try output.append(value.json.bytes) }
            try writeString(text)
        case (.lone, _): try writeString(value.text)
        }
    }

    private mutating func writeString(_ text: String) throws(TemplateTooLarge) {
        try output.append("\"".utf8)
        try output.appendEscaped(text)
        try output.append("\"".utf8)
    }

    // MARK: Values

    /// The value of an expression.
    mutating func value(_ expression: TemplateExpression) throws(TemplateTooLarge) -> TemplateValue {
        switch expression {
        case .literal(let value): return value
        case .root(let path, let slot): return root(path, slot)
        case .element(let up, let names):
            guard frames.count > up else { return .missing }
            return try follow(names[...], from: frames[frames.count - 1 - up].value)
        case .nearest(let up, let names, let fallback): return try nearest(up, names, fallback)
        case .place(let place, let up): return self.place(place, up)
        case .call(let call): return try self.value(of: call, content: nil)
        }
    }

    private mutating func nearest(
        _ up: Int,
        _ names: [String],
        _ fallback: TemplateExpression.Fallback
    ) throws(TemplateTooLarge) -> TemplateValue {
        for index in frames.indices.dropLast(up).reversed() {
            switch frames[index].value {
            case .json(.object(let object)):
                if let child = try output.member(names[0], of: object), !child.isNull {
                    return try follow(names.dropFirst(), from: .json(child))
                }
            case .form:
                try output.spend(frames[index].value.searchCost)
                let child = frames[index].value.following(names)
                if !child.isMissing { return child }
            case .unknown where fallback.path == nil: return .unknown(names.joined(separator: "."))
            default: break
            }
        }
        if let variable = variables[names[0]] {
            return try follow(names.dropFirst(), from: variable)
        }
        if let path = fallback.path { return root(path, fallback.slot) }
        guard let call = fallback.call else { return .missing }
        return try value(of: call, content: nil)
    }

    private mutating func follow(
        _ names: ArraySlice<String>,
        from value: TemplateValue
    ) throws(TemplateTooLarge) -> TemplateValue {
        var value = value
        for name in names {
            if case .json(.object(let object)) = value {
                value = .optional(try output.member(name, of: object))
            } else {
                try output.spend(value.searchCost)
                value = value[name]
            }
        }
        return value
    }

    private mutating func root(_ path: TemplatePath, _ slot: Int) -> TemplateValue {
        if slot >= 0, let value = known[slot] { return value }
        guard let value = context?.value(path) else { return .unknown(path.text) }
        if slot >= 0 { known[slot] = value }
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
        }
    }

    /// Sets a variable.
    mutating func set(_ name: String, to value: TemplateValue) {
        variables[name] = value
    }

    // MARK: Helpers

    private mutating func arguments(
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

    private mutating func value(of call: TemplateCall, content: String?) throws(TemplateTooLarge) -> TemplateValue {
        let arguments = try arguments(call, content: content)
        if call.helper.block != .condition {
            for case .failed(let text) in arguments.values { return .failed(text) }
        }
        if context == nil, call.helper.block != .condition || arguments.areUnknown {
            return call.helper.isSilent(arguments) ? .nothing : .unknown(call.text)
        }
        try output.spend(arguments.size)
        do {
            let value = try call.helper.body(arguments, &self)
            try output.spend(value.size)
            return value
        } catch let error as TemplateTooLarge {
            throw error
        } catch {
            return .failed("\(error)")
        }
    }

    // MARK: Blocks

    private mutating func write(_ block: TemplateBlock) throws(TemplateTooLarge) {
        switch block.kind {
        case .condition(let isInverted):
            let value = try value(block.expression)
            let holds = value.isUnknown ? !takesElse : value.isTruthy != isInverted
            try write(holds ? block.main : block.other)
        case .each:
            let value = try value(block.expression)
            if try !repeatWriting(block.main, value) { try write(block.other) }
        case .with:
            let value = try value(block.expression)
            guard value.isUnknown ? !takesElse : value.isTruthy else { return try write(block.other) }
            try write(block.main, about: Frame(value: value))
        case .section:
            let value = try sectionValue(block.expression)
            switch value {
            case .json(.array), .list, .nodes, .unknown:
                if try !repeatWriting(block.main, value) { try write(block.other) }
            case .json(.bool(true)): try write(block.main, about: frames.last ?? Frame(value: .missing))
            default:
                guard !value.isAbsent else { return try write(block.other) }
                try write(block.main, about: Frame(value: value))
            }
        case .inverted:
            let value = try sectionValue(block.expression)
            try write((value.isUnknown ? takesElse : value.isAbsent) ? block.main : block.other)
        case .content(let form):
            guard case .call(let call) = block.expression else { return }
            let start = output.bytes.count
            try write(block.main)
            try write(try self.value(of: call, content: output.cut(from: start)), as: form)
        case .join(let form):
            guard case .call(let call) = block.expression else { return }
            let arguments = try arguments(call)
            let start = output.bytes.count
            try output.append(arguments["prefix"].text.utf8)
            _ = try repeatWriting(block.main, arguments[1], between: arguments[0].text)
            try output.append(arguments["suffix"].text.utf8)
            if form != .text { try write(.text(output.cut(from: start)), as: form) }
        }
    }

    private mutating func write(_ nodes: [TemplateNode], about frame: Frame) throws(TemplateTooLarge) {
        frames.append(frame)
        try write(nodes)
        frames.removeLast()
    }

    /// Writes a part for each element. Returns whether there were any.
    private mutating func repeatWriting(
        _ nodes: [TemplateNode],
        _ value: TemplateValue,
        between separator: String = ""
    ) throws(TemplateTooLarge) -> Bool {
        let elements: [(key: String?, value: TemplateValue)]
        switch value {
        case .json(.object(let object)): elements = object.members.map { ($0.key, .json($0.value)) }
        case .form: return try repeatWriting(nodes, .json(value.json), between: separator)
        case .nodes(let parts): elements = parts.map { (nil, .nodes([$0])) }
        case .unknown: elements = takesElse ? [] : [(nil, value)]
        default: elements = value.elements?.map { (nil, .json($0)) } ?? []
        }
        frames.append(Frame(value: .missing, count: elements.count))
        for (index, element) in elements.enumerated() {
            try output.spend(TemplateOutput.step)
            if index > 0 { try output.append(separator.utf8) }
            let last = frames.count - 1
            (frames[last].value, frames[last].key, frames[last].index) = (element.value, element.key, index)
            try write(nodes)
        }
        frames.removeLast()
        return !elements.isEmpty
    }

    /// A section about a counter is always written, and doesn't increase it.
    private mutating func sectionValue(_ expression: TemplateExpression) throws(TemplateTooLarge) -> TemplateValue {
        switch expression {
        case .root(let path, _) where path.root == .counter: .bool(true)
        case .nearest(_, _, let fallback) where fallback.path?.root == .counter: .bool(true)
        default: try value(expression)
        }
    }
}
