import BacklotJSON

/// Lists, objects and their sizes.
extension TemplateHelper {
    /// The longest list that is made.
    static let longest = 10_000

    static let lists: [TemplateHelper] = [
        TemplateHelper("array", 0...(.max), block: .none) { arguments, _ in .list(arguments.values.map(\.json)) },
        TemplateHelper("range", 2...2, block: .none) { arguments, run throws(TemplateTooLarge) in
            guard let lower = arguments[0].int, let upper = arguments[1].int else {
                return .failed("The range helper requires both lower and upper bounds as integer parameters")
            }
            guard lower <= upper else { return .list([]) }
            let (count, isTooLong) = upper.subtractingReportingOverflow(lower)
            guard !isTooLong, count < longest else {
                return .failed(
                    "the range from \(lower) to \(upper) has more than \(longest) numbers, which is the limit"
                )
            }
            try run.output.spend(count * 8)
            return .list((lower...upper).map { .number(JSONNumber(Int64($0))) })
        },
        TemplateHelper("arrayAdd", 2...2, named: ["position"], block: .none) { arguments, _ in
            guard var list = arguments[0].elements else { return .failed("arrayAdd takes a list and a value") }
            guard let position = position(arguments["position"], in: 0...list.count, end: list.count) else {
                return .failed("position must be 'start', 'end' or a number from 0 to \(list.count)")
            }
            list.insert(arguments[1].json, at: position)
            return .list(list)
        },
        TemplateHelper("arrayRemove", 1...1, named: ["position"], block: .none) { arguments, _ in
            guard var list = arguments[0].elements else { return .failed("arrayRemove takes a list") }
            guard !list.isEmpty else { return .list([]) }
            guard let position = position(arguments["position"], in: 0...(list.count - 1), end: list.count - 1) else {
                return .failed("position must be 'start', 'end' or a number from 0 to \(list.count - 1)")
            }
            list.remove(at: position)
            return .list(list)
        },
        TemplateHelper("arrayJoin", 2...(.max), named: ["prefix", "suffix"], block: .join) { arguments, _ in
            join(arguments, arguments[0].text, arguments.values.dropFirst())
        },
        TemplateHelper("join", 2...(.max), named: ["prefix", "suffix"], block: .none) { arguments, _ in
            join(arguments, arguments.values.last?.text ?? "", arguments.values.dropLast())
        },
        TemplateHelper("split", 2...2, block: .none) { arguments, run throws(TemplateTooLarge) in
            let (text, separator) = (arguments[0].text, arguments[1].text)
            try run.output.spend(text.utf8.count * 4)
            guard !separator.isEmpty else { return .list(text.map { .string(String($0)) }) }
            return .list(text.split(separator: separator, omittingEmptySubsequences: false).map { .string(String($0)) })
        },
        TemplateHelper("size", 1...1) { arguments, _ in
            if let elements = arguments[0].elements { return .int(elements.count) }
            switch arguments[0].json {
            case .object(let object): return .int(object.count)
            case .null: return .int(0)
            default: return .int(arguments[0].text.count)
            }
        },
        TemplateHelper("object", 0...0, block: .none) { arguments, _ in
            var object = JSONObject()
            for (name, value) in arguments.named { object[name] = value.json }
            return .json(.object(object))
        },
        TemplateHelper("sum", 1...2, block: .none) { arguments, _ in
            guard let elements = arguments[0].elements else {
                return .failed("sum takes a list, and perhaps a member's name")
            }
            let name = arguments[1].isMissing ? nil : TemplatePath.words(arguments[1].text)
            var sum = 0.0
            for element in elements {
                let value = TemplateContext.follow((name ?? [])[...], from: .json(element))
                guard let number = value.number else {
                    return .failed("\(element.excerpt) has no number to add")
                }
                sum += number
            }
            // Sums of prices have no more than a few decimals.
            return Self.number((sum * 1e6).rounded() / 1e6)
        },
        TemplateHelper("pluck", 2...2, block: .none) { arguments, _ in
            guard let elements = arguments[0].elements else { return .failed("pluck takes a list and a member's name") }
            let names = TemplatePath.words(arguments[1].text)
            return .list(elements.map { TemplateContext.follow(names[...], from: .json($0)).json })
        },
    ]

    private static func position(_ value: TemplateValue, in range: ClosedRange<Int>, end: Int) -> Int? {
        switch value.text {
        case "", "end": return end
        case "start": return 0
        default:
            guard let index = value.int, range.contains(index) else { return nil }
            return index
        }
    }

    private static func join(
        _ arguments: TemplateArguments,
        _ separator: String,
        _ values: ArraySlice<TemplateValue>
    ) -> TemplateValue {
        let elements = values.count == 1 ? values.first?.elements : nil
        let texts = elements.map { $0.map { TemplateValue.json($0).text } } ?? values.map(\.text)
        return .text(arguments["prefix"].text + texts.joined(separator: separator) + arguments["suffix"].text)
    }
}
