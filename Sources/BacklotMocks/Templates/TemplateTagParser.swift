import Backlot
import BacklotJSON

/// Reads what stands between the braces of a tag.
struct TemplateTagParser {
    /// What was read.
    struct Result {
        var expression: TemplateExpression
        /// The names after `as`.
        var parameters: [String] = []
    }

    private enum Token: Equatable {
        case word(String)
        /// A word with a parenthesis right after it, as in `uppercased(name)`.
        case transform(String)
        case text(String)
        case open, close, equals, bar
    }

    /// How deep expressions may stand in each other.
    private static let mostNested = 32

    private let text: String
    private var tokens: [Token] = []
    private var index = 0
    private var depth = 0
    /// Whether the text between the tag and its end is an argument of the tag's helper.
    private var isBlock = false

    private init(_ text: String) throws(TemplateMistake) {
        self.text = text
        try scan()
    }

    /// Reads a tag.
    ///
    /// - Parameter isWhole: whether all of `variables`, `query` and so on may be meant, as in a section.
    static func read(
        _ text: String,
        isWhole: Bool = false,
        isBlock: Bool = false,
        _ scope: inout TemplateScope
    ) throws(TemplateMistake) -> Result {
        var parser = try TemplateTagParser(text)
        parser.isBlock = isBlock
        var result = Result(expression: try parser.tag(isWhole, &scope))
        result.parameters = try parser.blockParameters()
        if parser.index < parser.tokens.count { throw parser.unreadable }
        return result
    }

    /// Reads the arguments after the name of a block, such as the list of `#each`.
    static func readArgument(
        _ text: String,
        of block: String,
        _ scope: inout TemplateScope
    ) throws(TemplateMistake) -> Result {
        var parser = try TemplateTagParser(text)
        guard !parser.tokens.isEmpty else {
            throw TemplateMistake(
                "{{#\(block)}} is about nothing; write a name after it, as in {{#\(block) variables.list}}"
            )
        }
        var result = Result(expression: try parser.argument(&scope))
        result.parameters = try parser.blockParameters()
        if parser.index < parser.tokens.count {
            throw TemplateMistake(
                "{{#\(block) \(text)}} can't be read; after #\(block) stands one value, such as a name or (helper …)"
            )
        }
        return result
    }

    private var unreadable: TemplateMistake {
        TemplateMistake("{{\(text)}} can't be read; write a name in it, such as variables.username")
    }

    // MARK: Tokens

    private mutating func scan() throws(TemplateMistake) {
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            case UInt8(ascii: "("):
                tokens.append(.open)
                index += 1
            case UInt8(ascii: ")"):
                tokens.append(.close)
                index += 1
            case UInt8(ascii: "="):
                tokens.append(.equals)
                index += 1
            case UInt8(ascii: "|"):
                tokens.append(.bar)
                index += 1
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                guard let (text, end) = Self.quoted(bytes, from: index) else {
                    throw TemplateMistake(
                        "a quote in {{\(self.text)}} has no end: write \(Unicode.Scalar(byte)) after the text"
                    )
                }
                tokens.append(.text(text))
                index = end
            default:
                let start = index
                var isInBrackets = false
                while index < bytes.count, isInBrackets || !Self.endsWord(bytes[index]) {
                    if bytes[index] == UInt8(ascii: "[") { isInBrackets = true }
                    if bytes[index] == UInt8(ascii: "]") { isInBrackets = false }
                    guard isInBrackets || Self.isInName(bytes[index]) else { throw unreadable }
                    index += 1
                }
                // A control character is neither blank nor part of a name.
                guard index > start else { throw unreadable }
                if isInBrackets { throw TemplateMistake("a bracket in {{\(text)}} has no end: write ] after the name") }
                let word = String(decoding: bytes[start..<index], as: UTF8.self)
                if index < bytes.count, bytes[index] == UInt8(ascii: "(") {
                    tokens.append(.transform(word))
                    index += 1
                } else {
                    tokens.append(.word(word))
                }
            }
        }
    }

    private static func quoted(_ bytes: [UInt8], from start: Int) -> (String, Int)? {
        var text: [UInt8] = []
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == bytes[start] { return (String(decoding: text, as: UTF8.self), index + 1) }
            // Only the quote itself needs a backslash; regular expressions keep theirs.
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1] == bytes[start] {
                index += 1
            }
            text.append(bytes[index])
            index += 1
        }
        return nil
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        // Other control characters are in no word: they are refused.
        " \t\n\r()=|".utf8.contains(byte)
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
            true
        default: ".-_?[]*@/+$:#".utf8.contains(byte)
        }
    }

    private func token(_ offset: Int = 0) -> Token? {
        tokens.indices.contains(index + offset) ? tokens[index + offset] : nil
    }

    // MARK: Grammar

    private mutating func tag(
        _ isWhole: Bool,
        _ scope: inout TemplateScope
    ) throws(TemplateMistake) -> TemplateExpression {
        guard case .word(let word)? = token() else { return try argument(&scope) }
        index += 1
        let isAlone = token() == nil || token() == .word("as")
        guard isAlone, !isBlock else { return .call(try call(word, &scope)) }
        return try name(word, isWhole: isWhole, mayCall: true, &scope)
    }

    /// A call, after the helper's name.
    private mutating func call(_ name: String, _ scope: inout TemplateScope) throws(TemplateMistake) -> TemplateCall {
        guard let helper = TemplateHelper.all[name] else {
            if let refusal = TemplateHelper.refused[name] { throw TemplateMistake("{{\(text)}}: \(refusal)") }
            let names = TemplateHelper.all.keys.sorted()
            throw TemplateMistake(
                "there is no helper '\(name)'\(Suggestion.hint(for: name, among: names)) in {{\(text)}}"
            )
        }
        var positional: [TemplateExpression] = []
        var named: [(name: String, value: TemplateExpression)] = []
        while let token = token(), token != .close, token != .word("as") {
            if case .word(let key) = token, self.token(1) == .equals {
                index += 2
                guard helper.named.contains(key) || helper.takesAnyName else {
                    let known = helper.named.isEmpty ? "it takes none" : "it knows \(helper.named.alternatives)"
                    throw TemplateMistake(
                        "the helper '\(name)' knows no '\(key)='\(Suggestion.hint(for: key, among: helper.named)); \(known)"
                    )
                }
                named.append((key, try argument(&scope)))
            } else {
                guard named.isEmpty || helper.takesAnyName else {
                    throw TemplateMistake(
                        "{{\(text)}} can't be read; values with a name, such as x=1, stand after the others"
                    )
                }
                positional.append(try argument(&scope))
            }
        }
        return try helper.call(
            positional,
            named,
            text: depth == 0 ? text : name,
            isBlock: isBlock && depth == 0,
            &scope
        )
    }

    private mutating func argument(_ scope: inout TemplateScope) throws(TemplateMistake) -> TemplateExpression {
        guard depth < Self.mostNested else {
            throw TemplateMistake("more than \(Self.mostNested) expressions stand in each other")
        }
        depth += 1
        defer { depth -= 1 }
        guard let token = token() else { throw unreadable }
        index += 1
        switch token {
        case .text(let text): return .literal(.text(text))
        case .word(let word): return try name(word, isWhole: true, mayCall: false, &scope)
        case .transform(let name): return try transform(name, &scope)
        case .open:
            guard case .word(let word)? = self.token() else { throw unreadable }
            index += 1
            let isAlone = self.token() == .close
            let expression: TemplateExpression
            if isAlone, TemplateHelper.all[word] == nil {
                expression = try name(word, isWhole: true, mayCall: false, &scope)
            } else {
                expression = .call(try call(word, &scope))
            }
            guard self.token() == .close else {
                throw TemplateMistake("a parenthesis in {{\(text)}} has no end: write ) after the helper's values")
            }
            index += 1
            return expression
        case .close, .equals, .bar: throw unreadable
        }
    }

    private mutating func transform(
        _ name: String,
        _ scope: inout TemplateScope
    ) throws(TemplateMistake) -> TemplateExpression {
        guard let transform = TemplateTransform(rawValue: name) else {
            let all = TemplateTransform.allCases.map(\.rawValue)
            throw TemplateMistake(
                "there is no transform '\(name)'\(Suggestion.hint(for: name, among: all)); there are \(all)"
            )
        }
        if token() == .close {
            index += 1
            guard let place = transform.place else { throw unreadable }
            return scope.loop(0).map { .place(place, up: $0) } ?? .literal(.missing)
        }
        let expression = try argument(&scope)
        guard token() == .close else { throw unreadable }
        index += 1
        return .transform(transform, expression)
    }

    private mutating func blockParameters() throws(TemplateMistake) -> [String] {
        guard token() == .word("as"), token(1) == .bar else { return [] }
        index += 2
        var names: [String] = []
        while case .word(let name)? = token() {
            names.append(name)
            index += 1
        }
        guard token() == .bar, (1...2).contains(names.count) else {
            throw TemplateMistake("{{\(text)}} can't be read; after 'as' stand one or two names, as in as |item index|")
        }
        index += 1
        return names
    }
}
