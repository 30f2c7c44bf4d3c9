import Backlot
import BacklotJSON

/// Random values, which a seed repeats.
extension TemplateHelper {
    static let random: [TemplateHelper] = [
        TemplateHelper("randomValue", 0...0, named: ["length", "type", "uppercase", "mixedcase"], block: .none) {
            arguments,
            run throws(TemplateTooLarge) in
            let type = arguments["type"].isMissing ? "ALPHANUMERIC" : arguments["type"].text.uppercased()
            guard let sources = run.context?.sources else { return .missing }
            guard type != "UUID" else {
                let id = sources.random("uuid").text
                return .text(arguments.flag("uppercase") == true ? id.uppercased() : id)
            }
            let length = arguments["length"].isMissing ? 36 : arguments["length"].int
            guard let length, (0...100_000).contains(length) else {
                return .failed("length must be a number up to 100000")
            }
            guard var letters = alphabets[type] else {
                let hint = Suggestion.hint(for: type, among: alphabets.keys.sorted() + ["UUID"])
                return .failed("randomValue knows no type \(type.shown)\(hint)")
            }
            let isUpper = arguments.flag("uppercase") == true
            if isUpper { letters = letters.uppercased() }
            if arguments.flag("mixedcase") == true { letters += letters.uppercased() }
            try run.output.spend(length)
            let characters = Array(letters)
            return .text(
                sources.draw { random in
                    String((0..<length).map { _ in characters.randomElement(using: &random) ?? "a" })
                }
            )
        },
        TemplateHelper("randomInt", 0...0, named: ["lower", "upper"], block: .none) { arguments, run in
            let lower = arguments["lower"].isMissing ? Int(Int32.min) : arguments["lower"].int
            let upper = arguments["upper"].isMissing ? Int(Int32.max) : arguments["upper"].int
            guard let lower, let upper, lower <= upper else {
                return .failed("lower and upper must be whole numbers, the lower one first")
            }
            return run.context.map { .int($0.sources.draw { Int.random(in: lower...upper, using: &$0) }) } ?? .missing
        },
        TemplateHelper("randomDecimal", 0...0, named: ["lower", "upper"], block: .none) { arguments, run in
            let lower = arguments["lower"].isMissing ? -1e9 : arguments["lower"].number
            let upper = arguments["upper"].isMissing ? 1e9 : arguments["upper"].number
            guard let lower, let upper, lower <= upper, (upper - lower).isFinite else {
                return .failed("lower and upper must be numbers, the lower one first")
            }
            return run.context.map { number($0.sources.draw { Double.random(in: lower...upper, using: &$0) }) }
                ?? .missing
        },
        TemplateHelper("pickRandom", 1...(.max), named: ["count"], block: .none) { arguments, run in
            let isList = arguments.values.count == 1 && arguments[0].elements != nil
            let choices = isList ? arguments[0].elements ?? [] : arguments.values.map(\.json)
            guard let sources = run.context?.sources else { return .missing }
            guard !choices.isEmpty else {
                return .failed("Must specify either a single list argument or a set of single value arguments.")
            }
            guard !arguments["count"].isMissing else {
                return .json(sources.draw { choices.randomElement(using: &$0) } ?? .null)
            }
            guard let count = arguments["count"].int, count >= 0 else { return .failed("count must be a number") }
            return .list(sources.draw { Array(choices.shuffled(using: &$0).prefix(count)) })
        },
        TemplateHelper("random", 1...1, named: ["locale"], block: .none) { arguments, run in
            guard let sources = run.context?.sources else { return .missing }
            let name = arguments[0].text
            let locale = arguments["locale"].text
            return sources.draw { random in Faker(locale).value(name, &random) }
        },
    ]

    private static let letters = "abcdefghijklmnopqrstuvwxyz"
    private static let alphabets = [
        "ALPHANUMERIC": letters + "0123456789", "ALPHABETIC": letters, "NUMERIC": "0123456789",
        "HEXADECIMAL": "0123456789abcdef",
        "ALPHANUMERIC_AND_SYMBOLS": letters + letters.uppercased() + "0123456789!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~",
    ]
}
