/// A call of the DSL with its modifiers: `textfield("Name", varName: "name").maxLines(1)`.
struct SwiftCall {
    /// A function or a modifier: `scroll` and its contents.
    struct Part {
        enum Inside {
            case nothing
            case braces([SwiftCall])
            /// Further arguments if they fit on the line, otherwise the contents of braces; nil stands for `nil`.
            case list([SwiftCall?])
        }

        let text: String
        var inside = Inside.nothing
    }

    /// The comments above the call, one per line.
    var comments: [String] = []
    var parts: [Part]

    /// The call on one line; nil if it needs several.
    var line: String? {
        guard comments.isEmpty else { return nil }
        var line = ""
        for part in parts {
            guard let text = part.line else { return nil }
            line += text
        }
        return line
    }
}

extension [SwiftCall] {
    /// The contents of the only call's braces, if it is this function without arguments and modifiers.
    func only(_ function: String) -> [SwiftCall]? {
        guard count == 1, self[0].comments.isEmpty, self[0].parts.count == 1, self[0].parts[0].text == function,
            case .braces(let calls) = self[0].parts[0].inside
        else { return nil }
        return calls
    }
}

extension SwiftCall.Part {
    /// The part on one line: at most one call between its braces, which itself has no braces.
    fileprivate var line: String? {
        switch inside {
        case .nothing: return text
        case .braces(let calls) where calls.isEmpty: return text + " {}"
        case .braces(let calls):
            guard calls.count == 1, calls[0].parts.allSatisfy(\.hasNoBraces), let line = calls[0].line
            else { return nil }
            return "\(text) { \(line) }"
        case .list(let calls) where calls.isEmpty: return text + " {}"
        case .list(let calls):
            var arguments: [String] = []
            for call in calls {
                guard call?.parts.allSatisfy(\.hasNoBraces) != false, let line = call.map(\.line) ?? "nil" else {
                    return nil
                }
                arguments.append(line)
            }
            let head = text.hasSuffix(")") ? text.dropLast() + ", " : text + "("
            return "\(head)\(arguments.joined(separator: ", ")))"
        }
    }

    private var hasNoBraces: Bool {
        switch inside {
        case .nothing: true
        case .braces(let calls): calls.isEmpty
        case .list(let calls): calls.allSatisfy { $0?.parts.allSatisfy(\.hasNoBraces) ?? true }
        }
    }
}

/// Lays calls out on lines.
struct SwiftLayout {
    /// The maximum length of a line. Lines that can't be broken may be longer.
    private static let width = 120
    /// The indentation of one level.
    private static let indent = 4

    private(set) var text = ""

    /// Writes a call.
    mutating func write(_ call: SwiftCall, depth: Int = 0) {
        for comment in call.comments { write("// \(comment)", depth) }
        if let line = SwiftCall(parts: call.parts).line, fits(line, depth) { return write(line, depth) }
        var (level, current) = (depth, "")
        // Each modifier after a closing brace on a separate line gets a new line.
        var isClosed = false
        for part in call.parts {
            let line = part.line
            if !current.isEmpty, isClosed || !fits(current + (line ?? part.text), level) {
                write(current, level)
                current = ""
                if !isClosed { level = depth + 1 }
            }
            switch part.inside {
            case .nothing: current += part.text
            case _ where line.map { fits(current + $0, level) } == true: current += line ?? ""
            case .braces(let calls):
                write("\(current)\(part.text) {", level)
                for call in calls { write(call, depth: level + 1) }
                (current, isClosed) = ("}", true)
            case .list(let calls):
                write("\(current)\(part.text) {", level)
                for call in calls {
                    if let call { write(call, depth: level + 1) } else { write("nil", level + 1) }
                }
                (current, isClosed) = ("}", true)
            }
        }
        write(current, level)
    }

    private func fits(_ line: String, _ depth: Int) -> Bool {
        let room = Self.width - depth * Self.indent
        return line.utf8.count <= room || line.utf8.count <= 8 * room && line.count <= room
    }

    private mutating func write(_ line: String, _ depth: Int) {
        text += String(repeating: " ", count: depth * Self.indent) + line + "\n"
    }
}
