package import Backlot

/// A part of the text of `formatString`: plain text, or what stands within `${…}`.
///
/// Source: the A2UI specification, formatString.
package indirect enum Expression: Equatable {
    case literal(JSONValue)
    case path(String)
    case call(String, [String: Expression])

    /// The largest number of characters of a text with expressions.
    static let lengthLimit = 10_000
    /// The largest number of parts of a text.
    static let partLimit = 1000
    /// The deepest nesting of expressions.
    static let depthLimit = 100

    /// Reads a text with expressions.
    ///
    /// - Throws: a parse error that names the position.
    package static func parts(of text: String) throws(A2UIError) -> [Expression] {
        var parser = ExpressionParser(bytes: Array(text.utf8))
        guard text.utf8.count <= lengthLimit || text.count <= lengthLimit else {
            throw parser.error("the text has more than \(lengthLimit) characters")
        }
        return try parser.template()
    }
}

private struct ExpressionParser {
    let bytes: [UInt8]
    var position = 0
    var depth = 0

    func error(_ text: String) -> A2UIError {
        A2UIError(.parse, "invalid_expression", "\(text), at byte \(position) of a formatString.")
    }

    mutating func template() throws(A2UIError) -> [Expression] {
        var parts: [Expression] = []
        var text: [UInt8] = []
        func add(_ part: Expression?) {
            if !text.isEmpty { parts.append(.literal(.string(String(decoding: text, as: UTF8.self)))) }
            text = []
            if let part { parts.append(part) }
        }
        while position < bytes.count {
            if starts(with: "\\${") {
                position += 3
                text += Array("${".utf8)
            } else if starts(with: "${") {
                position += 2
                add(try interpolation())
            } else {
                text.append(bytes[position])
                position += 1
            }
            guard parts.count < Expression.partLimit else {
                throw error("a text has more than \(Expression.partLimit) parts")
            }
        }
        add(nil)
        return parts
    }

    /// The expression between `${` and its brace; nil for an empty one and for null.
    private mutating func interpolation() throws(A2UIError) -> Expression? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Expression.depthLimit else {
            throw error("expressions are nested more than \(Expression.depthLimit) deep")
        }
        skipSpace()
        if take("}") { return nil }
        let expression = try expression()
        skipSpace()
        guard position < bytes.count else { throw error("an expression isn't closed; write }") }
        guard take("}") else { throw error("an expression goes on after its end; write }") }
        return expression == .literal(.null) ? nil : expression
    }

    private mutating func expression() throws(A2UIError) -> Expression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Expression.depthLimit else {
            throw error("expressions are nested more than \(Expression.depthLimit) deep")
        }
        skipSpace()
        guard position < bytes.count else { throw error("an expression isn't closed; write }") }
        if starts(with: "${") {
            position += 2
            return try interpolation() ?? .literal(.null)
        }
        if bytes[position] == UInt8(ascii: "'") || bytes[position] == UInt8(ascii: "\"") {
            return .literal(.string(try quotedText()))
        }
        if let number = try number() { return .literal(number) }
        let name = takeName(slashes: true)
        guard !name.isEmpty else { throw error("an expression must begin with a path, a literal or a function") }
        let end = position
        skipSpace()
        if take("(") { return .call(name, try arguments(of: name)) }
        position = end
        switch name {
        case "true": return .literal(true)
        case "false": return .literal(false)
        case "null": return .literal(.null)
        default: return .path(name)
        }
    }

    private mutating func arguments(of name: String) throws(A2UIError) -> [String: Expression] {
        var arguments: [String: Expression] = [:]
        while true {
            skipSpace()
            if take(")") { return arguments }
            guard position < bytes.count, bytes[position] != UInt8(ascii: "}") else {
                throw error("the arguments of \(name.quoted) aren't closed; write )")
            }
            let argument = takeName(slashes: false)
            skipSpace()
            guard !argument.isEmpty, take(":") else {
                throw error("an argument of \(name.quoted) has no name; write name: value")
            }
            arguments[argument] = try expression()
            skipSpace()
            _ = take(",")
        }
    }

    private mutating func quotedText() throws(A2UIError) -> String {
        let quote = bytes[position]
        position += 1
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != quote {
            if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count {
                position += 1
                let escapes: [UInt8: UInt8] = [UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13]
                text.append(escapes[bytes[position]] ?? bytes[position])
            } else {
                text.append(bytes[position])
            }
            position += 1
        }
        guard position < bytes.count else { throw error("a text isn't closed; write its quote") }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// A number, if one begins here; a minus alone begins a path.
    private mutating func number() throws(A2UIError) -> JSONValue? {
        let start = position
        var ahead = position
        if bytes[ahead] == UInt8(ascii: "-") { ahead += 1 }
        if ahead < bytes.count, bytes[ahead] == UInt8(ascii: ".") { ahead += 1 }
        guard ahead < bytes.count, bytes[ahead].isDigit else { return nil }
        let signs: Set<UInt8> = [UInt8(ascii: "e"), UInt8(ascii: "E")]
        while position < bytes.count {
            let byte = bytes[position]
            let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            guard
                byte.isDigit || byte == UInt8(ascii: ".") || signs.contains(byte)
                    || isSign && (position == start || signs.contains(bytes[position - 1]))
            else { break }
            position += 1
        }
        var text = String(decoding: bytes[start..<position], as: UTF8.self)
        if text.hasSuffix(".") { text += "0" }
        guard let value = Double(text).flatMap(JSONNumber.init) else { throw error("\(text.quoted) isn't a number") }
        return .number(value)
    }

    private mutating func takeName(slashes: Bool) -> String {
        let start = position
        let signs = Set((slashes ? "_.-/" : "_.-").utf8)
        while position < bytes.count {
            let byte = bytes[position]
            guard byte.isLetter || byte.isDigit || byte >= 0x80 || signs.contains(byte) else { break }
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private func starts(with text: StaticString) -> Bool { bytes[position...].starts(with: "\(text)".utf8) }

    private mutating func take(_ text: StaticString) -> Bool {
        guard starts(with: text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position].isJSONSpace { position += 1 }
    }
}
