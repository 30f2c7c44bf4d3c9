internal import BacklotHTTP
import BacklotJSON

/// Texts: WireMock's own helpers and those of its Handlebars.
extension TemplateHelper {
    static let strings: [TemplateHelper] = [
        text("upper") { $0.uppercased() },
        text("lower") { $0.lowercased() },
        text("trim") { $0.withoutBlanks },
        text("capitalizeFirst") { $0.prefix(1).uppercased() + $0.dropFirst() },
        text("slugify", slug),
        text("stripTags", withoutTags),
        TemplateHelper("capitalize", 1...1, named: ["fully"]) { arguments, _ in
            .text(capitalized(arguments[0].text, fully: arguments.flag("fully") ?? false))
        },
        TemplateHelper("substring", 2...3, block: .none) { arguments, _ in
            let text = Array(arguments[0].text)
            guard let start = arguments[1].int, arguments[2].isMissing || arguments[2].int != nil else {
                return .failed("substring takes a text, a start and perhaps an end, as in {{substring 'abc' 0 1}}")
            }
            let end = min(text.count, max(0, arguments[2].int ?? text.count))
            return .text(String(text[min(max(0, start), end)..<end]))
        },
        TemplateHelper("replace", 3...3, block: .none) { arguments, run throws(TemplateTooLarge) in
            let (text, part) = (arguments[0].text, arguments[1].text)
            guard !part.isEmpty else { return .text(text) }
            let count = text.utf8.count / part.utf8.count * arguments[2].text.utf8.count
            try run.output.spend(text.utf8.count * 4 + min(count, text.utf8.count * 8))
            let result = text.replacing(part, with: arguments[2].text)
            try run.output.spend(result.utf8.count)
            return .text(result)
        },
        TemplateHelper("abbreviate", 2...2, block: .none) { arguments, _ in
            guard let width = arguments[1].int, width >= 4 else {
                return .failed("abbreviate takes a text and a width of at least 4")
            }
            let text = arguments[0].text
            return .text(text.count <= width ? text : text.prefix(width - 3) + "...")
        },
        TemplateHelper("wordWrap", 2...2, block: .none) { arguments, _ in
            guard let width = arguments[1].int, width > 0 else {
                return .failed("wordWrap takes a text and a width above 0")
            }
            return .text(wrapped(arguments[0].text, width))
        },
        TemplateHelper("cut", 1...2, block: .none) { arguments, _ in
            let part = arguments[1].isMissing ? " " : arguments[1].text
            return .text(part.isEmpty ? arguments[0].text : arguments[0].text.replacing(part, with: ""))
        },
        padding("ljust") { missing in (0, missing) },
        padding("rjust") { missing in (missing, 0) },
        padding("center") { missing in (missing / 2, missing - missing / 2) },
        TemplateHelper("stringFormat", 1...(.max), block: .none) { arguments, _ in
            .text(formatted(arguments[0].text, arguments.values.dropFirst()))
        },
    ]

    private static func text(_ name: String, _ change: @escaping @Sendable (String) -> String) -> TemplateHelper {
        TemplateHelper(name, 1...1) { arguments, _ in
            arguments[0].isMissing ? .missing : .text(change(arguments[0].text))
        }
    }

    /// The longest text that is padded to.
    private static let widest = 100_000

    private static func padding(
        _ name: String,
        _ share: @escaping @Sendable (Int) -> (before: Int, after: Int)
    ) -> TemplateHelper {
        TemplateHelper(name, 1...2, named: ["size", "pad"], block: .none) { arguments, run throws(TemplateTooLarge) in
            let size = arguments["size"].int ?? arguments[1].int
            let pad = arguments["pad"].isMissing ? " " : arguments["pad"].text
            guard let size, (0...widest).contains(size), pad.count == 1 else {
                return .failed("\(name) takes size=, up to \(widest), and perhaps pad=, which is one character")
            }
            let text = arguments[0].text
            let missing = max(0, size - text.count)
            try run.output.spend(missing)
            let (before, after) = share(missing)
            return .text(String(repeating: pad, count: before) + text + String(repeating: pad, count: after))
        }
    }

    /// Each word with a capital; other letters stay, unless all are to be changed.
    private static func capitalized(_ text: String, fully: Bool) -> String {
        var result = ""
        var beginsWord = true
        for character in text {
            result += beginsWord ? character.uppercased() : fully ? character.lowercased() : String(character)
            beginsWord = character.isWhitespace
        }
        return result
    }

    private static func slug(_ text: String) -> String {
        var result = ""
        for character in text.withoutBlanks.lowercased() {
            if character.isLetter || character.isNumber || character == "_" {
                result.append(character)
            } else if (character.isWhitespace || character == "-"), result.last != "-" {
                result.append("-")
            }
        }
        return result
    }

    private static func withoutTags(_ text: String) -> String {
        var result = ""
        var isInside = false
        for character in text {
            if character == "<" { isInside = true }
            if !isInside { result.append(character) }
            if character == ">" { isInside = false }
        }
        return result
    }

    private static func wrapped(_ text: String, _ width: Int) -> String {
        var result = ""
        var length = 0
        for word in text.split(whereSeparator: \.isWhitespace) {
            if length > 0 { result += length + 1 + word.count > width ? "\n" : " " }
            length = length > 0 && length + 1 + word.count <= width ? length + 1 + word.count : word.count
            result += word
        }
        return result
    }

    /// `%s` and `%d` stand for the values in their order, `%%` for a percent sign.
    private static func formatted(_ format: String, _ values: ArraySlice<TemplateValue>) -> String {
        var values = values
        var result = ""
        var isSign = false
        for character in format {
            if isSign {
                isSign = false
                result +=
                    character == "s" || character == "d"
                    ? values.popFirst()?.text ?? "" : character == "%" ? "%" : "%\(character)"
            } else if character == "%" {
                isSign = true
            } else {
                result.append(character)
            }
        }
        return result
    }
}
