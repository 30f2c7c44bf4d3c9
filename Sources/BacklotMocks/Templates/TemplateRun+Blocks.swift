import BacklotJSON

/// Blocks: written conditionally, or for each element.
extension TemplateRun {
    mutating func write(_ block: TemplateBlock) throws(TemplateTooLarge) {
        switch block.kind {
        case .condition(let isInverted):
            let value = try value(block.expression)
            let holds = value.isUnknown ? !takesElse : value.isTruthy != isInverted
            try write(holds ? block.main : block.other)
        case .each: try writeEach(block)
        case .with:
            let value = try value(block.expression)
            guard value.isUnknown ? !takesElse : value.isTruthy else { return try write(block.other) }
            try write(block.main, about: Frame(value: value))
        case .section: try writeSection(block)
        case .inverted:
            let value = try sectionValue(block.expression)
            let holds = value.isUnknown ? takesElse : value.isAbsent
            try write(holds ? block.main : block.other)
        case .content(let form):
            guard case .call(let call) = block.expression else { return }
            let start = output.bytes.count
            try write(block.main)
            let text = String(decoding: output.cut(from: start), as: UTF8.self)
            try write(try self.value(of: call, content: text), as: form)
        case .join(let form): try writeJoined(block, form)
        }
    }

    private mutating func write(_ nodes: [TemplateNode], about frame: Frame) throws(TemplateTooLarge) {
        frames.append(frame)
        try write(nodes)
        frames.removeLast()
    }

    /// Writes a part for each element, and tells whether there were any.
    private mutating func repeatWriting(
        _ nodes: [TemplateNode],
        _ value: TemplateValue,
        between separator: [UInt8] = []
    ) throws(TemplateTooLarge) -> Bool {
        switch value {
        case .json(.object(let object)):
            guard object.count > 0 else { return false }
            frames.append(Frame(value: .missing, count: object.count))
            for (index, member) in object.members.enumerated() {
                try nextRound(.json(member.value), index, member.key, separator)
                try write(nodes)
            }
        case .nodes(let parts):
            guard !parts.isEmpty else { return false }
            frames.append(Frame(value: .missing, count: parts.count))
            for index in parts.indices {
                try nextRound(.nodes([parts[index]]), index, nil, separator)
                try write(nodes)
            }
        case .form: return try repeatWriting(nodes, .json(value.json), between: separator)
        case .unknown:
            guard !takesElse else { return false }
            frames.append(Frame(value: value))
            try write(nodes)
        default:
            guard let elements = value.elements, !elements.isEmpty else { return false }
            frames.append(Frame(value: .missing, count: elements.count))
            for index in elements.indices {
                try nextRound(.json(elements[index]), index, nil, separator)
                try write(nodes)
            }
        }
        frames.removeLast()
        return true
    }

    private mutating func nextRound(
        _ value: TemplateValue,
        _ index: Int,
        _ key: String?,
        _ separator: [UInt8]
    ) throws(TemplateTooLarge) {
        try output.spend(Self.tagCost)
        if index > 0, !separator.isEmpty { try output.append(separator) }
        let last = frames.count - 1
        frames[last].value = value
        frames[last].index = index
        frames[last].key = key
    }

    private mutating func writeEach(_ block: TemplateBlock) throws(TemplateTooLarge) {
        let value = try value(block.expression)
        if try !repeatWriting(block.main, value) { try write(block.other) }
    }

    private mutating func writeSection(_ block: TemplateBlock) throws(TemplateTooLarge) {
        let value = try sectionValue(block.expression)
        switch value {
        case .json(.array), .list, .nodes, .unknown:
            if try !repeatWriting(block.main, value) { try write(block.other) }
        case .json(.bool(true)): try write(block.main, about: frames.last ?? Frame(value: .missing))
        case .values(let texts): try write(block.main, about: Frame(value: .text(texts.first)))
        default:
            if value.isAbsent { try write(block.other) } else { try write(block.main, about: Frame(value: value)) }
        }
    }

    /// A section about a counter is always written, and doesn't count.
    private mutating func sectionValue(_ expression: TemplateExpression) throws(TemplateTooLarge) -> TemplateValue {
        switch expression {
        case .root(let path, _) where path.root == .counter: .bool(true)
        case .nearest(_, _, let fallback) where fallback.path?.root == .counter: .bool(true)
        default: try value(expression)
        }
    }

    private mutating func writeJoined(_ block: TemplateBlock, _ form: TemplateForm) throws(TemplateTooLarge) {
        guard case .call(let call) = block.expression else { return }
        let arguments = try arguments(call)
        let start = output.bytes.count
        try output.append(arguments["prefix"].text.utf8)
        _ = try repeatWriting(block.main, arguments[1], between: Array(arguments[0].text.utf8))
        try output.append(arguments["suffix"].text.utf8)
        guard form != .text else { return }
        try write(.text(String(decoding: output.cut(from: start), as: UTF8.self)), as: form)
    }
}

extension TemplateValue {
    /// Whether a section about it is not written.
    fileprivate var isAbsent: Bool {
        switch self {
        case .missing, .nothing, .json(.null), .json(.bool(false)), .failed: true
        case .json(.array(let elements)), .list(let elements): elements.isEmpty
        case .nodes(let nodes): nodes.isEmpty
        default: false
        }
    }
}
