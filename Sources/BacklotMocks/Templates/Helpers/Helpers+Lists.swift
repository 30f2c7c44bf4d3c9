import Backlot

/// Lists, objects, their sizes and their rows.
extension TemplateHelper {
    /// The longest list that a helper makes.
    private static let longest = 10_000

    static let lists: [TemplateHelper] = [
        TemplateHelper("array", 0...(.max), block: .none) { arguments, _ in .list(arguments.values.map(\.json)) },
        TemplateHelper("range", 2...2, block: .none) { arguments, _ in
            let problem = "The range helper requires both lower and upper bounds as integer parameters"
            let (lower, upper) = (try arguments.int(0, or: problem), try arguments.int(1, or: problem))
            guard lower <= upper else { return .list([]) }
            let (count, isTooLong) = upper.subtractingReportingOverflow(lower)
            guard !isTooLong, count < longest else {
                throw MessageError(
                    "the range from \(lower) to \(upper) has more than \(longest) numbers, which is the limit"
                )
            }
            return .list((lower...upper).map { JSONValue($0) })
        },
        TemplateHelper("arrayAdd", 2...2, named: ["position"], block: .none) { arguments, _ in
            var list = try arguments.list(or: "arrayAdd takes a list and a value")
            list.insert(arguments[1].json, at: try position(arguments, last: list.count))
            return .list(list)
        },
        TemplateHelper("arrayRemove", 1...1, named: ["position"], block: .none) { arguments, _ in
            var list = try arguments.list(or: "arrayRemove takes a list")
            if !list.isEmpty { list.remove(at: try position(arguments, last: list.count - 1)) }
            return .list(list)
        },
        TemplateHelper("arrayJoin", 2...(.max), named: ["prefix", "suffix"], block: .join) { arguments, run in
            try join(arguments, &run, arguments[0].text, arguments.values.dropFirst())
        },
        TemplateHelper("join", 2...(.max), named: ["prefix", "suffix"], block: .none) { arguments, run in
            try join(arguments, &run, arguments.values.last?.text ?? "", arguments.values.dropLast())
        },
        TemplateHelper("split", 2...2, block: .none) { arguments, run in
            let (text, separator) = (arguments[0].text, arguments[1].text)
            // A part takes more memory than its bytes.
            try run.output.spend(text.utf8.count * 2)
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
            let names = arguments[1].isMissing ? [] : TemplatePath.words(arguments[1].text)
            var sum = 0.0
            for element in try arguments.list(or: "sum takes a list, and perhaps a member's name") {
                let number = TemplateValue.json(element).following(names).number
                sum += try number.or("\(element.excerpt) has no number to add")
            }
            // Sums of prices have only a few decimals.
            return try number((sum * 1e6).rounded() / 1e6)
        },
        TemplateHelper("pluck", 2...2, block: .none) { arguments, _ in
            let names = TemplatePath.words(arguments[1].text)
            let list = try arguments.list(or: "pluck takes a list and a member's name")
            return .list(list.map { TemplateValue.json($0).following(names).json })
        },
        // {{#with (find data.goods 'id' path.id)}}: the first row with this value of a member, compared as text.
        TemplateHelper("find", 3...3, block: .none) { arguments, _ in
            .optional(try fitting(arguments, "find").first)
        },
        // {{#each (filter data.orders 'userId' path.id)}}: all such rows.
        TemplateHelper("filter", 3...3, block: .none) { arguments, _ in .list(try fitting(arguments, "filter")) },
    ]

    /// The rows with a value of a member.
    private static func fitting(_ arguments: TemplateArguments, _ name: String) throws(MessageError) -> [JSONValue] {
        let (names, wanted) = (TemplatePath.words(arguments[1].text), arguments[2].text)
        let rows = try arguments.list(or: "\(name) takes a list, a member's name and its value")
        return rows.filter { TemplateValue.json($0).following(names).text == wanted }
    }

    private static func position(_ arguments: TemplateArguments, last: Int) throws(MessageError) -> Int {
        let position = arguments["position"]
        switch position.text {
        case "", "end": return last
        case "start": return 0
        default:
            guard let index = position.int, (0...last).contains(index) else {
                throw MessageError("position must be 'start', 'end' or a number from 0 to \(last)")
            }
            return index
        }
    }

    private static func join(
        _ arguments: TemplateArguments,
        _ run: inout TemplateRun,
        _ separator: String,
        _ values: ArraySlice<TemplateValue>
    ) throws -> TemplateValue {
        let elements = values.count == 1 ? values.first?.elements : nil
        let texts = elements.map { $0.map { TemplateValue.json($0).text } } ?? values.map(\.text)
        try run.output.spend(texts.count * separator.utf8.count)
        return .text(arguments["prefix"].text + texts.joined(separator: separator) + arguments["suffix"].text)
    }
}
