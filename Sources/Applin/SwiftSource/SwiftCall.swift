/// A call of the DSL with its modifiers: `textfield("name").label("Name")`.
struct SwiftCall {
    /// A function or a modifier: `scroll` and what is inside of it.
    struct Part {
        enum Inside {
            case nothing
            case braces([SwiftCall])
            case rows([[SwiftCall?]])
            case groups([[[SwiftCall?]]])
        }

        let text: String
        var inside = Inside.nothing
    }

    /// What stands above the call, a line each.
    var comments: [String] = []
    var parts: [Part]

    /// The call on one line; nil where it needs several.
    fileprivate var line: String? {
        guard comments.isEmpty else { return nil }
        var line = ""
        for part in parts {
            guard let text = part.line else { return nil }
            line += text
        }
        return line
    }
}

extension SwiftCall.Part {
    /// The part on one line: with at most one call inside, which has none itself.
    fileprivate var line: String? {
        switch inside {
        case .nothing: return text
        case .braces(let calls) where calls.isEmpty: return text + " {}"
        case .braces(let calls):
            guard calls.count == 1, calls[0].parts.allSatisfy({ $0.hasNothingInside }), let line = calls[0].line
            else { return nil }
            return "\(text) { \(line) }"
        case .rows(let rows): return rows.isEmpty ? text + "([])" : nil
        case .groups(let groups): return groups.isEmpty ? text + "([])" : nil
        }
    }

    private var hasNothingInside: Bool {
        switch inside {
        case .nothing: true
        case .braces(let calls): calls.isEmpty
        case .rows, .groups: false
        }
    }
}

/// Lays calls out on lines.
struct SwiftLayout {
    /// How long lines are at most, as far as they can be broken.
    private static let width = 120
    /// The indentation of one level.
    private static let indent = 4

    private(set) var text = ""

    /// Writes a call.
    ///
    /// - Parameter end: what follows on its last line.
    mutating func write(_ call: SwiftCall, depth: Int = 0, end: String = "") {
        for comment in call.comments { write("// \(comment)", depth) }
        if let line = SwiftCall(parts: call.parts).line, fits(line + end, depth) { return write(line + end, depth) }
        var (level, current) = (depth, "")
        // After a closing brace on its own line, each modifier gets its own line.
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
            case .rows(let rows):
                write("\(current)\(part.text)([", level)
                for row in rows { write(row, depth: level + 1) }
                (current, isClosed) = ("])", true)
            case .groups(let groups):
                write("\(current)\(part.text)([", level)
                for group in groups { write(group, depth: level + 1) }
                (current, isClosed) = ("])", true)
            }
        }
        write(current + end, level)
    }

    /// A group of a table.
    private mutating func write(_ rows: [[SwiftCall?]], depth: Int) {
        guard !rows.isEmpty else { return write("[],", depth) }
        write("[", depth)
        for row in rows { write(row, depth: depth + 1) }
        write("],", depth)
    }

    private mutating func write(_ row: [SwiftCall?], depth: Int) {
        let cells = row.map { cell in cell.map(\.line) ?? "nil" }
        let line = "[\(cells.compactMap(\.self).joined(separator: ", "))],"
        if !cells.contains(nil), fits(line, depth) { return write(line, depth) }
        write("[", depth)
        for cell in row {
            if let cell { write(cell, depth: depth + 1, end: ",") } else { write("nil,", depth + 1) }
        }
        write("],", depth)
    }

    private func fits(_ line: String, _ depth: Int) -> Bool {
        let room = Self.width - depth * Self.indent
        return line.utf8.count <= room || line.utf8.count <= 8 * room && line.count <= room
    }

    private mutating func write(_ line: String, _ depth: Int) {
        text += String(repeating: " ", count: depth * Self.indent) + line + "\n"
    }
}
