import Backlot
import BacklotJSON

/// The grammar of JSON paths: each rule removes what it reads from the text, and returns nil where the text doesn't fit.
struct JSONPathParser {
    /// How many filters, parentheses and negations may stand in each other.
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
        while true {
            if take("..") {
                steps.append(.descendants)
                if rest.first == "[" { continue }
                guard let step = nameOrAll() else { return nil }
                steps.append(step)
            } else if take(".") {
                guard let step = nameOrAll() else { return nil }
                steps.append(step)
            } else if take("[") {
                guard let step = bracket(), take("]", blanks: true) else { return nil }
                steps.append(step)
            } else {
                return steps
            }
        }
    }

    private mutating func nameOrAll() -> JSONPath.Step? {
        if take("*") { return .all }
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "#" || $0 == "%" }
        guard !name.isEmpty else { return nil }
        rest = rest[name.endIndex...]
        guard take("(") else { return .name(String(name)) }
        guard let function = JSONPath.Function(rawValue: String(name)), take(")", blanks: true) else { return nil }
        return .function(function)
    }

    private mutating func bracket() -> JSONPath.Step? {
        skipBlanks()
        if take("*") { return .all }
        if take("?") {
            let isWrapped = take("(", blanks: true)
            guard let filter = alternatives(), !isWrapped || take(")", blanks: true) else { return nil }
            return .filter(filter)
        }
        guard let first = nameOrSlice() else { return nil }
        var steps = [first]
        while take(",", blanks: true) {
            skipBlanks()
            guard let next = nameOrSlice() else { return nil }
            steps.append(next)
        }
        return steps.count == 1 ? first : .union(steps)
    }

    private mutating func nameOrSlice() -> JSONPath.Step? {
        if let text = quoted() { return .name(text) }
        let from = integer()
        guard take(":") else { return from.map(JSONPath.Step.index) }
        return .slice(from, integer())
    }

    // MARK: Filters

    private mutating func alternatives() -> JSONPath.Filter? {
        guard var left = conditions() else { return nil }
        while take("||", blanks: true) {
            guard let right = conditions() else { return nil }
            left = .or(left, right)
        }
        return left
    }

    private mutating func conditions() -> JSONPath.Filter? {
        guard var left = condition() else { return nil }
        while take("&&", blanks: true) {
            guard let right = condition() else { return nil }
            left = .and(left, right)
        }
        return left
    }

    private mutating func condition() -> JSONPath.Filter? {
        guard depth < Self.mostDepth else { return nil }
        depth += 1
        defer { depth -= 1 }
        skipBlanks()
        if take("!") { return condition().map(JSONPath.Filter.not) }
        if take("(") {
            guard let filter = alternatives(), take(")", blanks: true) else { return nil }
            return filter
        }
        guard let left = operand() else { return nil }
        skipBlanks()
        if take("=~") { return pattern().map { .matches(left, $0) } }
        if take("nin ") { return list().map { .not(.isOne(left, of: $0)) } }
        if take("in ") { return list().map { .isOne(left, of: $0) } }
        if take("empty ") {
            skipBlanks()
            return take("true") ? .isEmpty(left, true) : take("false") ? .isEmpty(left, false) : nil
        }
        guard let comparison = JSONPath.Comparison.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else {
            if case .path(let steps) = left { return .exists(steps) }
            return nil
        }
        rest = rest.dropFirst(comparison.rawValue.count)
        return operand().map { .compare(left, comparison, $0) }
    }

    private mutating func operand() -> JSONPath.Operand? {
        skipBlanks()
        if take("@") { return steps().map(JSONPath.Operand.path) }
        if let text = quoted() { return .value(.string(text)) }
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "+" || $0 == "." }
        guard let value = try? JSONValue(parsing: String(word)) else { return nil }
        rest = rest[word.endIndex...]
        return .value(value)
    }

    /// `/Jo.*/i`
    private mutating func pattern() -> Pattern? {
        skipBlanks()
        guard take("/") else { return nil }
        var source = ""
        while let character = rest.first, character != "/" {
            rest = rest.dropFirst()
            // A slash in it is escaped; whatever else is belongs to the pattern.
            if character == "\\", rest.first == "/" {
                source.append("/")
                rest = rest.dropFirst()
            } else {
                source.append(character)
                if character == "\\", let next = rest.first {
                    source.append(next)
                    rest = rest.dropFirst()
                }
            }
        }
        guard take("/") else { return nil }
        let flags = rest.prefix { $0.isLetter }
        guard flags.allSatisfy({ "imsxu".contains($0) }) else { return nil }
        rest = rest[flags.endIndex...]
        return try? Pattern(flags.isEmpty ? source : "(?\(flags))\(source)")
    }

    /// `['a', 7]`
    private mutating func list() -> [JSONValue]? {
        guard take("[", blanks: true) else { return nil }
        var values: [JSONValue] = []
        while !take("]", blanks: true) {
            if !values.isEmpty, !take(",", blanks: true) { return nil }
            guard case .value(let value)? = operand() else { return nil }
            values.append(value)
        }
        return values
    }

    // MARK: Words

    private mutating func take(_ text: String, blanks: Bool = false) -> Bool {
        if blanks { skipBlanks() }
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    private mutating func skipBlanks() {
        rest = rest.drop { $0 == " " }
    }

    private mutating func quoted() -> String? {
        guard let quote = rest.first, quote == "'" || quote == "\"" else { return nil }
        var text = ""
        var index = rest.index(after: rest.startIndex)
        while index < rest.endIndex, rest[index] != quote {
            if rest[index] == "\\" { index = rest.index(after: index) }
            guard index < rest.endIndex else { return nil }
            text.append(rest[index])
            index = rest.index(after: index)
        }
        guard index < rest.endIndex else { return nil }
        rest = rest[rest.index(after: index)...]
        return text
    }

    private mutating func integer() -> Int? {
        let digits = rest.prefix { $0.isNumber || $0 == "-" }
        guard let number = Int(digits) else { return nil }
        rest = rest[digits.endIndex...]
        return number
    }
}
