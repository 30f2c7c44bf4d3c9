import Backlot

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Texts: WireMock's own helpers and those of its Handlebars.
extension TemplateHelper {
    static let texts: [TemplateHelper] = [
        text("upper") { $0.uppercased() },
        text("lower") { $0.lowercased() },
        text("trim") { $0.withoutBlanks },
        text("capitalizeFirst") { $0.prefix(1).uppercased() + $0.dropFirst() },
        text("slugify") { text in
            text.withoutBlanks.lowercased().reduce(into: "") { slug, character in
                if character.isLetter || character.isNumber || character == "_" {
                    slug.append(character)
                } else if (character.isWhitespace || character == "-"), slug.last != "-" {
                    slug.append("-")
                }
            }
        },
        text("stripTags") { text in
            var isInside = false
            return text.filter { character in
                if character == "<" { isInside = true }
                defer { if character == ">" { isInside = false } }
                return !isInside
            }
        },
        // Capitalizes each word; other letters stay, unless `fully` is set.
        TemplateHelper("capitalize", 1...1, named: ["fully"]) { arguments, _ in
            let isFull = arguments.flag("fully") ?? false
            var (result, beginsWord) = ("", true)
            for character in arguments[0].text {
                result += beginsWord ? character.uppercased() : isFull ? character.lowercased() : String(character)
                beginsWord = character.isWhitespace
            }
            return .text(result)
        },
        TemplateHelper("substring", 2...3, block: .none) { arguments, _ in
            let problem = "substring takes a text, a start and perhaps an end, as in {{substring 'abc' 0 1}}"
            let text = Array(arguments[0].text)
            let start = try arguments.int(1, or: problem)
            let end = arguments[2].isMissing ? text.count : try arguments.int(2, in: 0 ... .max, or: problem)
            let range = min(max(0, start), min(text.count, end))..<min(text.count, end)
            return .text(String(text[range]))
        },
        TemplateHelper("replace", 3...3, block: .none) { arguments, run in
            let (text, part, other) = (arguments[0].text, arguments[1].text, arguments[2].text)
            guard !part.isEmpty else { return .text(text) }
            let parts = text.split(separator: part, omittingEmptySubsequences: false)
            // The result may be far longer than its parts.
            try run.output.spend((parts.count - 1) * other.utf8.count)
            return .text(parts.joined(separator: other))
        },
        TemplateHelper("abbreviate", 2...2, block: .none) { arguments, _ in
            let width = try arguments.int(1, in: 4 ... .max, or: "abbreviate takes a text and a width of at least 4")
            let text = arguments[0].text
            return .text(text.count <= width ? text : text.prefix(width - 3) + "...")
        },
        TemplateHelper("wordWrap", 2...2, block: .none) { arguments, _ in
            let width = try arguments.int(1, in: 1 ... .max, or: "wordWrap takes a text and a width above 0")
            var (result, length) = ("", 0)
            for word in arguments[0].text.split(whereSeparator: \.isWhitespace) {
                let fits = length > 0 && length + 1 + word.count <= width
                if length > 0 { result += fits ? " " : "\n" }
                length = fits ? length + 1 + word.count : word.count
                result += word
            }
            return .text(result)
        },
        TemplateHelper("cut", 1...2, block: .none) { arguments, _ in
            let part = arguments[1].isMissing ? " " : arguments[1].text
            return .text(part.isEmpty ? arguments[0].text : arguments[0].text.replacing(part, with: ""))
        },
        padding("ljust") { _ in 0 }, padding("rjust") { $0 }, padding("center") { $0 / 2 },
        // %s and %d are replaced by the values in their order, %% for a percent sign.
        TemplateHelper("stringFormat", 1...(.max), block: .none) { arguments, _ in
            var values = arguments.values.dropFirst()
            var (result, isSign) = ("", false)
            for character in arguments[0].text {
                switch character {
                case "%" where !isSign:
                    isSign = true
                    continue
                case "s" where isSign, "d" where isSign: result += values.popFirst()?.text ?? ""
                default: result += isSign && character != "%" ? "%\(character)" : String(character)
                }
                isSign = false
            }
            return .text(result)
        },
    ]

    private static func text(_ name: String, _ change: @escaping @Sendable (String) -> String) -> TemplateHelper {
        TemplateHelper(name, 1...1) { arguments, _ in
            arguments[0].isMissing ? .missing : .text(change(arguments[0].text))
        }
    }

    /// The longest text after padding.
    private static let widest = 100_000

    /// - Parameter before: the number of missing characters before the text.
    private static func padding(_ name: String, _ before: @escaping @Sendable (Int) -> Int) -> TemplateHelper {
        TemplateHelper(name, 1...2, named: ["size", "pad"], block: .none) { arguments, _ in
            let pad = arguments["pad"].isMissing ? " " : arguments["pad"].text
            guard let size = arguments["size"].int ?? arguments[1].int, (0...widest).contains(size), pad.count == 1,
                pad.utf8.count <= 40
            else {
                throw MessageError(
                    "\(name) takes size=, up to \(widest), and perhaps pad=, which is one character of at most 40 bytes"
                )
            }
            let text = arguments[0].text
            let missing = max(0, size - text.count)
            let start = String(repeating: pad, count: before(missing))
            return .text(start + text + String(repeating: pad, count: missing - before(missing)))
        }
    }

    /// Encodings, forms, and matches of patterns.
    static let encodings: [TemplateHelper] = [
        TemplateHelper("base64", 1...1, named: ["decode", "padding"]) { arguments, _ in
            let text = arguments[0].text
            if arguments.flag("decode") == true {
                let bytes = try Base64.decode(text).or("\(text.shown) is no base64")
                return .text(String(decoding: bytes, as: UTF8.self).withFewMarks)
            }
            let encoded = Base64.encode(text)
            return .text(arguments.flag("padding") == false ? String(encoded.prefix { $0 != "=" }) : encoded)
        },
        TemplateHelper("urlEncode", 1...1, named: ["decode"]) { arguments, _ in
            let text = arguments[0].text
            return .text(arguments.flag("decode") == true ? FormText.decode(text[...]) : FormText.encode(text))
        },
        TemplateHelper("formData", 1...2, named: ["urlDecode"], block: .none, variable: 1) { arguments, run in
            let decodes = arguments.flag("urlDecode") ?? false
            // A field that occurs several times is a list.
            let form = arguments[0].text.split(separator: "&").map { pair in
                let name = pair.prefix { $0 != "=" }
                let value = pair.dropFirst(name.count + 1)
                return NamedValue(
                    name: FormText.decode(name),
                    value: decodes ? FormText.decode(value) : String(value)
                )
            }
            return assigning(.form(form), to: arguments[1], &run)
        },
        TemplateHelper("regexExtract", 2...3, named: ["default"], block: .none, variable: 2, preparing: [.pattern(1)]) {
            arguments,
            run in
            let pattern = try arguments.prepared(arguments[1].text, pattern)
            let found = run.matchBudget.firstMatch(of: pattern, in: arguments[0].text)
            if found == nil, !arguments["default"].isMissing { return arguments["default"] }
            let groups = try found.or("Nothing matched \(pattern.source)")
            guard !arguments[2].isMissing else { return .text(groups[0]) }
            let parts = groups.dropFirst().map { $0.map(JSONValue.string) ?? .null }
            return assigning(.list(parts), to: arguments[2], &run)
        },
        TemplateHelper("hostname", 0...0, block: .none) { _, _ in .text(ProcessInfo.processInfo.hostName) },
    ]
}
