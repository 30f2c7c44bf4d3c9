import Backlot

/// The grammar of JSON paths: each rule removes what it reads from the text, and returns nil if the text doesn't fit.
struct JSONPathParser {
    /// The most levels of nested filters, parentheses and negations.
    private static let mostDepth = 32

    private var rest: Substring
    private var depth = 0

    init(_ source: String) {
        rest = source[...]
    }

    mutating func parse() -> [JSONPath.Step]? {
        guard take("$"), let steps = steps(), rest.isEmpty else { return nil }
        return steps
    }

    private mutating func steps() -> [JSONPath.Step]? {
        var steps: [JSONPath.Step] = []
        while let first = rest.first, first == "." || first == "[" {
            if take("..") {
                steps.append(.descendants)
                if rest.first == "[" { continue }
            } else if take("[") {
                guard let step = bracket(), takeSign("]") else { return nil }
                steps.append(step)
                continue
            } else {
                rest.removeFirst()
            }
            guard let step = nameOrAll() else { return nil }
            steps.append(step)
        }
        return steps
    }

    private mutating func nameOrAll() -> JSONPath.Step? {
        if take("*") { return .all }
        let name = word { $0.isLetter || $0.isNumber || "_-#%".contains($0) }
        guard !name.isEmpty else { return nil }
        guard take("(") else { return .name(name) }
        guard let function = JSONPath.Function(rawValue: name), takeSign(")") else { return nil }
        return .function(function)
    }

    private mutating func bracket() -> JSONPath.Step? {
        if takeSign("*") { return .all }
        if take("?") {
            let isWrapped = takeSign("(")
            guard let filter = alternatives(), !isWrapped || takeSign(")") else { return nil }
            return .filter(filter)
        }
        guard let steps = list({ $0.nameOrSlice() }) else { return nil }
        return steps.count == 1 ? steps[0] : .union(steps)
    }

    private mutating func nameOrSlice() -> JSONPath.Step? {
        skipBlanks()
        if let text = quoted() { return .name(text) }
        let from = integer()
        guard take(":") else { return from.map(JSONPath.Step.index) }
        return .slice(from, integer())
    }

    /// One or more elements of a kind.
    private mutating func list<Element>(
        separatedBy separator: String = ",",
        _ element: (inout JSONPathParser) -> Element?
    ) -> [Element]? {
        var list: [Element] = []
        repeat {
            guard let next = element(&self) else { return nil }
            list.append(next)
        } while takeSign(separator)
        return list
    }

    // MARK: Filters

    private mutating func alternatives() -> JSONPath.Filter? {
        list(separatedBy: "||") { $0.conditions() }.map { $0.count == 1 ? $0[0] : .any($0) }
    }

    private mutating func conditions() -> JSONPath.Filter? {
        list(separatedBy: "&&") { $0.condition() }.map { $0.count == 1 ? $0[0] : .all($0) }
    }

    private mutating func condition() -> JSONPath.Filter? {
        guard depth < Self.mostDepth else { return nil }
        depth += 1
        defer { depth -= 1 }
        if takeSign("!") { return condition().map(JSONPath.Filter.not) }
        if take("(") {
            guard let filter = alternatives(), takeSign(")") else { return nil }
            return filter
        }
        guard let left = operand() else { return nil }
        if takeSign("=~") { return pattern().map { .matches(left, $0) } }
        if take("nin ") { return values().map { .not(.isOne(left, of: $0)) } }
        if take("in ") { return values().map { .isOne(left, of: $0) } }
        if take("empty ") {
            if takeSign("true") { return .isEmpty(left, true) }
            return takeSign("false") ? .isEmpty(left, false) : nil
        }
        guard let comparison = JSONPath.Comparison.allCases.first(where: { take($0.rawValue) }) else {
            if case .path(let steps) = left { return .exists(steps) }
            return nil
        }
        return operand().map { .compare(left, comparison, $0) }
    }

    private mutating func operand() -> JSONPath.Operand? {
        if takeSign("@") { return steps().map(JSONPath.Operand.path) }
        if let text = quoted() { return .value(.string(text)) }
        let word = word { $0.isLetter || $0.isNumber || "-+.".contains($0) }
        return (try? JSONValue(parsing: word)).map(JSONPath.Operand.value)
    }

    /// `/Jo.*/i`
    private mutating func pattern() -> PCRERegex? {
        guard takeSign("/") else { return nil }
        var source = ""
        while let character = rest.popFirst(), character != "/" {
            // A slash in it is escaped; all other characters belong to the pattern.
            if character != "\\" || rest.first != "/" { source.append(character) }
            if character == "\\", let next = rest.popFirst() { source.append(next) }
            if rest.isEmpty { return nil }
        }
        let flags = word { $0.isLetter }
        guard flags.allSatisfy({ "imsxu".contains($0) }) else { return nil }
        return try? PCRERegex(flags.isEmpty ? source : "(?\(flags))\(source)")
    }

    /// `['a', 7]`
    private mutating func values() -> [JSONValue]? {
        guard takeSign("[") else { return nil }
        if takeSign("]") { return [] }
        let values = list { parser -> JSONValue? in
            if case .value(let value)? = parser.operand() { value } else { nil }
        }
        return takeSign("]") ? values : nil
    }

    // MARK: Words

    private mutating func take(_ text: String) -> Bool {
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    /// Takes a text, and blanks before it.
    private mutating func takeSign(_ text: String) -> Bool {
        skipBlanks()
        return take(text)
    }

    private mutating func skipBlanks() {
        rest = rest.drop { $0 == " " }
    }

    private mutating func word(_ isPart: (Character) -> Bool) -> String {
        let word = rest.prefix(while: isPart)
        rest = rest[word.endIndex...]
        return String(word)
    }

    private mutating func quoted() -> String? {
        guard let quote = rest.first, quote == "'" || quote == "\"" else { return nil }
        var left = rest.dropFirst()
        var text = ""
        while let character = left.popFirst() {
            if character == quote {
                rest = left
                return text
            }
            guard let plain = character == "\\" ? left.popFirst() : character else { return nil }
            text.append(plain)
        }
        return nil
    }

    private mutating func integer() -> Int? {
        let digits = rest.prefix { $0.isNumber || $0 == "-" }
        guard let number = Int(digits) else { return nil }
        rest = rest[digits.endIndex...]
        return number
    }
}
