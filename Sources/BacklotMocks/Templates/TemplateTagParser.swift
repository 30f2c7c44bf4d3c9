import Backlot

/// Reads the text between the braces of a tag.
struct TemplateTagParser {
    /// The result of reading.
    struct Result {
        var expression: TemplateExpression
        /// The names after `as`.
        var parameters: [String] = []
    }

    private enum Token: Equatable {
        case word(String)
        case text(String)
        case sign(Character)
    }

    /// The most levels of nested expressions.
    private static let mostNested = 32

    private let text: String
    private let scope: TemplateScope
    private var tokens: [Token] = []
    private var index = 0
    private var depth = 0
    /// Whether the text between the tag and its end is an argument of the tag's helper.
    private var isBlock = false

    private init(_ text: String, _ scope: TemplateScope) throws(TemplateError) {
        (self.text, self.scope) = (text, scope)
        try scan()
    }

    /// Reads a tag.
    ///
    /// - Parameters:
    ///   - isWhole: whether it may name all of `variables`, `query` and so on, as in a section.
    ///   - isBlock: whether the tag begins a block with a text that goes to a helper.
    static func read(
        _ text: String,
        isWhole: Bool = false,
        isBlock: Bool = false,
        _ scope: TemplateScope
    ) throws(TemplateError) -> Result {
        var parser = try TemplateTagParser(text, scope)
        parser.isBlock = isBlock
        let result = Result(expression: try parser.tag(isWhole), parameters: try parser.blockParameters())
        if parser.index < parser.tokens.count { throw parser.unreadable }
        return result
    }

    private var unreadable: TemplateError { unreadable(text) }

    private func unreadable(_ text: String) -> TemplateError {
        TemplateError("{{\(text)}} can't be read; write a name in it, such as variables.username")
    }

    // MARK: Tokens

    private mutating func scan() throws(TemplateError) {
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            if " \t\n\r".utf8.contains(byte) {
                rest.removeFirst()
            } else if "()=|".utf8.contains(byte) {
                tokens.append(.sign(Character(Unicode.Scalar(byte))))
                rest.removeFirst()
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                tokens.append(.text(try quoted(&rest)))
            } else {
                tokens.append(.word(try word(&rest)))
            }
        }
    }

    private func quoted(_ rest: inout ArraySlice<UInt8>) throws(TemplateError) -> String {
        let quote = rest.removeFirst()
        var content: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote { return String(decoding: content, as: UTF8.self) }
            // Only the quote itself needs a backslash; regular expressions keep theirs.
            let isEscaped = byte == UInt8(ascii: "\\") && rest.first == quote
            content.append(isEscaped ? rest.removeFirst() : byte)
        }
        throw TemplateError("a quote in {{\(text)}} has no end: write \(Unicode.Scalar(quote)) after the text")
    }

    private func word(_ rest: inout ArraySlice<UInt8>) throws(TemplateError) -> String {
        var isInBrackets = false
        let word = rest.prefix { byte in
            if byte == UInt8(ascii: "[") { isInBrackets = true }
            if byte == UInt8(ascii: "]") { isInBrackets = false }
            return isInBrackets || Self.isInName(byte)
        }
        if isInBrackets { throw TemplateError("a bracket in {{\(text)}} has no end: write ] after the name") }
        rest.removeFirst(word.count)
        // Other characters, such as control characters, can't be in a word.
        guard !word.isEmpty, rest.first.map(" \t\n\r()=|".utf8.contains) ?? true else { throw unreadable }
        return String(decoding: word, as: UTF8.self)
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

    private mutating func take(_ token: Token) -> Bool {
        guard self.token() == token else { return false }
        index += 1
        return true
    }

    private mutating func takeWord() -> String? {
        guard case .word(let word)? = token() else { return nil }
        index += 1
        return word
    }

    // MARK: Grammar

    private mutating func tag(_ isWhole: Bool) throws(TemplateError) -> TemplateExpression {
        guard let word = takeWord() else { return try argument() }
        let isAlone = token() == nil || token() == .word("as")
        guard isAlone, !isBlock else { return .call(try call(word)) }
        return try name(word, isWhole: isWhole, mayCall: true)
    }

    /// A call, after the helper's name.
    private mutating func call(_ name: String) throws(TemplateError) -> TemplateCall {
        guard let helper = TemplateHelper.all[name] else { throw TemplateHelper.unknown(name, in: text) }
        var positional: [TemplateExpression] = []
        var named: [(name: String, value: TemplateExpression)] = []
        while let token = token(), token != .sign(")"), token != .word("as") {
            if case .word(let key) = token, self.token(1) == .sign("=") {
                index += 2
                guard helper.named.contains(key) || helper.takesAnyName else {
                    let known = helper.named.isEmpty ? "it takes none" : "it knows \(helper.named.alternatives)"
                    let hint = Suggestion.hint(for: key, among: helper.named)
                    throw TemplateError("the helper '\(name)' knows no '\(key)='\(hint); \(known)")
                }
                named.append((key, try argument()))
            } else {
                guard named.isEmpty || helper.takesAnyName else {
                    throw TemplateError(
                        "{{\(text)}} can't be read; values with a name, such as x=1, stand after the others"
                    )
                }
                positional.append(try argument())
            }
        }
        let isOuter = depth == 0
        return try helper.call(positional, named, text: isOuter ? text : name, isBlock: isBlock && isOuter, scope)
    }

    private mutating func argument() throws(TemplateError) -> TemplateExpression {
        guard depth < Self.mostNested else {
            throw TemplateError("more than \(Self.mostNested) expressions stand in each other")
        }
        depth += 1
        defer { depth -= 1 }
        if let word = takeWord() { return try name(word, isWhole: true, mayCall: false) }
        if case .text(let text)? = token() {
            index += 1
            return .literal(.text(text))
        }
        guard take(.sign("(")), let word = takeWord() else { throw unreadable }
        let isName = token() == .sign(")") && TemplateHelper.all[word] == nil
        let expression: TemplateExpression =
            isName ? try name(word, isWhole: true, mayCall: false) : .call(try call(word))
        guard take(.sign(")")) else {
            throw TemplateError("a parenthesis in {{\(text)}} has no end: write ) after the helper's values")
        }
        return expression
    }

    private mutating func blockParameters() throws(TemplateError) -> [String] {
        guard token() == .word("as"), token(1) == .sign("|") else { return [] }
        index += 2
        var names: [String] = []
        while let name = takeWord() { names.append(name) }
        guard take(.sign("|")), (1...2).contains(names.count) else {
            throw TemplateError("{{\(text)}} can't be read; after 'as' stand one or two names, as in as |item index|")
        }
        return names
    }

    // MARK: Names

    /// The meaning of a word: a literal, a variable of a block, a name, or a helper without arguments.
    private func name(_ word: String, isWhole: Bool, mayCall: Bool) throws(TemplateError) -> TemplateExpression {
        if let literal = Self.literal(word) { return .literal(literal) }
        if word.hasPrefix("@") { return try data(word) }
        var rest = word[...]
        let up = Self.takeUps(&rest)
        var isElement = up > 0 && rest.isEmpty || ["this", ".", "./", "this/"].contains(rest)
        if isElement {
            rest = ""
        } else if let prefix = ["this.", "./", "this/", "."].first(where: { rest.hasPrefix($0) }) {
            isElement = true
            rest = rest.dropFirst(prefix.count)
        }
        let names = rest.isEmpty ? [] : TemplatePath.words(String(rest))
        if isElement || up > 0 {
            if up < scope.frames.count {
                return isElement ? .element(up: up, names: names) : .nearest(up: up, names: names, .init())
            }
            // The values of the request are around all blocks.
            guard !names.isEmpty, scope.dialect == .wireMock || up > 0 else { return .literal(.missing) }
        }
        guard let first = names.first, !first.isEmpty || names.count == 1 else { throw unreadable(word) }
        if up == 0, let parameter = scope.parameter(names) { return parameter }
        return try free(String(rest), names, isWhole: isWhole, mayCall: mayCall)
    }

    /// A name that no block defines.
    private func free(
        _ word: String,
        _ names: [String],
        isWhole: Bool,
        mayCall: Bool
    ) throws(TemplateError) -> TemplateExpression {
        var fallback = TemplateExpression.Fallback()
        if mayCall, names.count == 1, let helper = TemplateHelper.all[word], helper.arguments.contains(0) {
            fallback.call = try helper.call([], [], text: word, scope)
        }
        if scope.dialect == .wireMock, let call = fallback.call { return .call(call) }
        let isRoot = scope.roots.contains { $0.rawValue == names[0] } || names[0] == "originalRequest"
        if scope.frames.isEmpty {
            if isRoot { return scope.root(try TemplatePath(word, isWhole: isWhole, roots: scope.roots)) }
            if let call = fallback.call { return .call(call) }
            do throws(TemplateError) {
                _ = try TemplatePath(word, roots: scope.roots)
            } catch {
                scope.note(names[0], error)
            }
            return .nearest(up: 0, names: names, .init())
        }
        if isRoot, let path = try? TemplatePath(word, isWhole: isWhole, roots: scope.roots),
            case .root(_, let slot) = scope.root(path)
        {
            (fallback.path, fallback.slot) = (path, slot)
        }
        return .nearest(up: 0, names: names, fallback)
    }

    /// `@index` and similar names, `@root`, and variables.
    private func data(_ word: String) throws(TemplateError) -> TemplateExpression {
        var rest = word.dropFirst()
        let up = Self.takeUps(&rest)
        if rest.hasPrefix("root.") {
            return scope.root(try TemplatePath(String(rest.dropFirst(5)), isWhole: true, roots: scope.roots))
        }
        if let place = TemplateExpression.Place(rawValue: String(rest)) {
            guard let frame = scope.loop(up) else {
                throw TemplateError("{{\(word)}} isn't in {{#each}}, so there is nothing to count")
            }
            return .place(place, up: frame)
        }
        let names = TemplatePath.words(String(rest))
        let known = "write @index, @first, @last, @key, @odd, @even or @root.request"
        scope.note(names[0], TemplateError("{{\(word)}} is not known; \(known)"))
        return .nearest(up: 0, names: names, .init())
    }

    /// Removes each `../` at the start, and counts them.
    private static func takeUps(_ rest: inout Substring) -> Int {
        var count = 0
        while rest == ".." || rest.hasPrefix("../") {
            count += 1
            rest = rest.dropFirst(3)
        }
        return count
    }

    private static func literal(_ word: String) -> TemplateValue? {
        switch word {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null", "undefined": return .missing
        default:
            guard let first = word.utf8.first, first == UInt8(ascii: "-") || first.isDigit,
                case .number(let number)? = try? JSONValue(parsing: word)
            else { return nil }
            return .json(.number(number))
        }
    }
}
