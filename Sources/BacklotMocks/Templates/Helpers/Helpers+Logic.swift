import Backlot
import BacklotJSON

/// Comparisons, logic, variables and lookups.
extension TemplateHelper {
    static let logic: [TemplateHelper] = [
        condition("eq", 2...2) { arguments, _ in areEqual(arguments[0], arguments[1]) },
        condition("neq", 2...2) { arguments, _ in !areEqual(arguments[0], arguments[1]) },
        condition("gt", 2...2) { arguments, _ in compare(arguments[0], arguments[1]).map { $0 > 0 } ?? false },
        condition("gte", 2...2) { arguments, _ in compare(arguments[0], arguments[1]).map { $0 >= 0 } ?? false },
        condition("lt", 2...2) { arguments, _ in compare(arguments[0], arguments[1]).map { $0 < 0 } ?? false },
        condition("lte", 2...2) { arguments, _ in compare(arguments[0], arguments[1]).map { $0 <= 0 } ?? false },
        condition("and", 1...(.max)) { arguments, _ in arguments.values.allSatisfy(\.isTruthy) },
        condition("or", 1...(.max)) { arguments, _ in arguments.values.contains(where: \.isTruthy) },
        condition("not", 1...1) { arguments, _ in !arguments[0].isTruthy },
        condition("contains", 2...2) { arguments, _ in
            if let elements = arguments[0].elements, !arguments[0].isOneOrMany {
                return elements.contains { areEqual(.json($0), arguments[1]) }
            }
            if let elements = arguments[0].elements, elements.contains(where: { areEqual(.json($0), arguments[1]) }) {
                return true
            }
            let part = arguments[1].text
            return !arguments[0].isMissing && !part.isEmpty && arguments[0].text.contains(part)
        },
        TemplateHelper("matches", 2...2, block: .condition, preparation: .pattern(1)) {
            arguments,
            run throws(TemplateTooLarge) in
            guard let pattern = arguments.pattern(1) else { return .failed(badPattern(arguments[1].text)) }
            switch run.matchBudget.match(pattern, whole: arguments[0].text) {
            case .matches: return .bool(true)
            case .differs: return .bool(false)
            case .givenUp: return .failed("the pattern \(pattern.source.shown) takes too many steps")
            }
        },
        TemplateHelper("assign", 2...2, block: .content(1), variable: 0) { arguments, run throws(TemplateTooLarge) in
            try run.set(arguments[0].text, to: arguments[1])
            return .nothing
        },
        TemplateHelper("val", 0...1, named: ["or", "default", "assign"], block: .content(0), variable: 1) {
            arguments,
            run throws(TemplateTooLarge) in
            var value = arguments[0]
            if value.isMissing { value = arguments["or"] }
            if value.isMissing { value = arguments["default"] }
            let name = arguments["assign"]
            guard !name.isMissing else { return value }
            try run.set(name.text, to: value)
            return .nothing
        },
        TemplateHelper("lookup", 2...2, block: .none) { arguments, _ in
            let name = arguments[1].text
            let whole = arguments[0][name]
            guard whole.isMissing else { return whole }
            return TemplateContext.follow(TemplatePath.words(name)[...], from: arguments[0])
        },
        TemplateHelper("defaultIfEmpty", 2...2) { arguments, _ in
            arguments[0].isTruthy ? arguments[0] : arguments[1]
        },
        TemplateHelper("yesno", 1...1, named: ["yes", "no", "maybe"]) { arguments, _ in
            let (name, usual) =
                arguments[0].isMissing ? ("maybe", "maybe") : arguments[0].isTruthy ? ("yes", "yes") : ("no", "no")
            return arguments[name].isMissing ? .text(usual) : arguments[name]
        },
    ]

    /// A helper that tells whether something is so; `yes=` and `no=` say what is written instead of true and false.
    private static func condition(
        _ name: String,
        _ arguments: ClosedRange<Int>,
        _ holds: @escaping @Sendable (TemplateArguments, inout TemplateRun) throws(TemplateTooLarge) -> Bool
    ) -> TemplateHelper {
        TemplateHelper(name, arguments, named: ["yes", "no"], block: .condition) {
            arguments,
            run throws(TemplateTooLarge) in
            let holds = try holds(arguments, &run)
            let word = arguments[holds ? "yes" : "no"]
            return word.isMissing ? .bool(holds) : word
        }
    }

    static func badPattern(_ source: String) -> String { "\(source.shown) is no pattern that is known here" }

    /// Numbers are equal to texts that say the same number.
    static func areEqual(_ one: TemplateValue, _ other: TemplateValue) -> Bool {
        switch (one, other) {
        case (.date(let one), .date(let other)): return one.milliseconds == other.milliseconds
        case (.values, _), (_, .values), (.segments, _), (_, .segments), (.written, _), (_, .written):
            return one.text == other.text
        default: break
        }
        if one.isMissing || other.isMissing { return one.isMissing == other.isMissing }
        let (left, right) = (one.json, other.json)
        if left == right { return true }
        switch (left, right) {
        case (.string(let text), .number), (.string(let text), .bool): return text == other.text
        case (.number, .string(let text)), (.bool, .string(let text)): return text == one.text
        default: return false
        }
    }

    /// Below 0, 0 or above: numbers and dates by value, texts by their letters. Nil for what has no order.
    static func compare(_ one: TemplateValue, _ other: TemplateValue) -> Int? {
        if let left = one.number, let right = other.number { return left < right ? -1 : left > right ? 1 : 0 }
        guard !one.isMissing, !other.isMissing else { return nil }
        let (left, right) = (one.text, other.text)
        return left < right ? -1 : left > right ? 1 : 0
    }
}

extension TemplateValue {
    /// Whether it is the values of a header field, cookie or parameter, which are usually one.
    var isOneOrMany: Bool {
        switch self {
        case .values, .segments: true
        default: false
        }
    }
}

extension TemplateArguments {
    /// The pattern at a place; nil for a text that is none.
    func pattern(_ index: Int) -> Pattern? {
        if case .pattern(let pattern) = call.prepared { return pattern }
        return try? Pattern(self[index].text)
    }
}
