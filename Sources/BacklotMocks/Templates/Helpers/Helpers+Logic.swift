import Backlot

/// Comparisons, logic, variables and lookups.
extension TemplateHelper {
    static let logic: [TemplateHelper] = [
        TemplateHelper("if", 1...1, block: .condition) { arguments, _ in .bool(arguments[0].isTruthy) },
        TemplateHelper("unless", 1...1, block: .condition) { arguments, _ in .bool(!arguments[0].isTruthy) },
        TemplateHelper("each", 1...1, block: .each) { arguments, _ in arguments[0] },
        TemplateHelper("with", 1...1, block: .with) { arguments, _ in arguments[0] },
        condition("eq", 2...2) { areEqual($0[0], $0[1]) },
        condition("neq", 2...2) { !areEqual($0[0], $0[1]) },
        condition("gt", 2...2) { compare($0[0], $0[1]).map { $0 > 0 } ?? false },
        condition("gte", 2...2) { compare($0[0], $0[1]).map { $0 >= 0 } ?? false },
        condition("lt", 2...2) { compare($0[0], $0[1]).map { $0 < 0 } ?? false },
        condition("lte", 2...2) { compare($0[0], $0[1]).map { $0 <= 0 } ?? false },
        condition("and", 1...(.max)) { $0.values.allSatisfy(\.isTruthy) },
        condition("or", 1...(.max)) { $0.values.contains(where: \.isTruthy) },
        condition("not", 1...1) { !$0[0].isTruthy },
        condition("contains", 2...2) { arguments in
            let (whole, part) = (arguments[0], arguments[1])
            if whole.elements?.contains(where: { areEqual(.json($0), part) }) == true { return true }
            let isList = if case .texts = whole { false } else { whole.elements != nil }
            return !isList && !whole.isMissing && !part.text.isEmpty && whole.text.contains(part.text)
        },
        TemplateHelper("matches", 2...2, block: .condition, preparing: [.pattern(1)]) { arguments, run in
            let pattern = try arguments.prepared(arguments[1].text, pattern)
            let outcome = run.matchBudget.match(pattern, whole: arguments[0].text)
            guard outcome != .givenUp else {
                throw MessageError("the pattern \(pattern.source.shown) takes too many steps")
            }
            return .bool(outcome == .matches)
        },
        TemplateHelper("assign", 2...2, block: .content(1), variable: 0) { arguments, run in
            run.set(arguments[0].text, to: arguments[1])
            return .nothing
        },
        TemplateHelper("val", 0...1, named: ["or", "default", "assign"], variable: 1) { arguments, run in
            let values = [arguments[0], arguments["or"], arguments["default"]]
            let value = values.first { !$0.isMissing } ?? arguments["default"]
            return assigning(value, to: arguments["assign"], &run)
        },
        TemplateHelper("lookup", 2...2, block: .none) { arguments, _ in
            let whole = arguments[0][arguments[1].text]
            return whole.isMissing ? arguments[0].following(TemplatePath.words(arguments[1].text)) : whole
        },
        TemplateHelper("defaultIfEmpty", 2...2) { arguments, _ in arguments[arguments[0].isTruthy ? 0 : 1] },
        TemplateHelper("yesno", 1...1, named: ["yes", "no", "maybe"]) { arguments, _ in
            let name = arguments[0].isMissing ? "maybe" : arguments[0].isTruthy ? "yes" : "no"
            return arguments[name].isMissing ? .text(name) : arguments[name]
        },
    ]

    /// A helper for a condition; `yes=` and `no=` replace true and false.
    private static func condition(
        _ name: String,
        _ arguments: ClosedRange<Int>,
        _ holds: @escaping @Sendable (TemplateArguments) -> Bool
    ) -> TemplateHelper {
        TemplateHelper(name, arguments, named: ["yes", "no"], block: .condition) { arguments, _ in
            let holds = holds(arguments)
            let word = arguments[holds ? "yes" : "no"]
            return word.isMissing ? .bool(holds) : word
        }
    }

    /// Sets a variable, and writes nothing; without a variable's name, returns the value.
    static func assigning(_ value: TemplateValue, to name: TemplateValue, _ run: inout TemplateRun) -> TemplateValue {
        guard !name.isMissing else { return value }
        run.set(name.text, to: value)
        return .nothing
    }

    static func pattern(_ source: String) throws(TemplateError) -> PCRERegex {
        try mapErrors({ TemplateError("'\(source)' isn't a known pattern: \($0)") }) {
            try PCRERegex(source)
        }
    }

    /// Numbers are equal to texts with the same number.
    static func areEqual(_ one: TemplateValue, _ other: TemplateValue) -> Bool {
        switch (one, other) {
        case (.date(let one), .date(let other)): return one.milliseconds == other.milliseconds
        case (.texts, _), (_, .texts), (.written, _), (_, .written): return one.text == other.text
        default: break
        }
        if one.isMissing || other.isMissing { return one.isMissing == other.isMissing }
        switch (one.json, other.json) {
        case (.string, .number), (.string, .bool), (.number, .string), (.bool, .string): return one.text == other.text
        case (let left, let right): return left == right
        }
    }

    /// Below 0, 0 or above: numbers and dates by value, texts by their letters. nil for values without an order.
    static func compare(_ one: TemplateValue, _ other: TemplateValue) -> Int? {
        if let left = one.number, let right = other.number { return left < right ? -1 : left > right ? 1 : 0 }
        guard !one.isMissing, !other.isMissing else { return nil }
        return one.text < other.text ? -1 : one.text > other.text ? 1 : 0
    }
}

extension TemplateHelper.Preparation {
    static func pattern(_ position: Int) -> Self { Self(position: position, read: TemplateHelper.pattern) }
}
