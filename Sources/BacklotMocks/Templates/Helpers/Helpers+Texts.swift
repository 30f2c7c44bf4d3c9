import Backlot
import BacklotHTTP
import BacklotJSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Encodings, forms, and parts of texts by patterns.
extension TemplateHelper {
    static let texts: [TemplateHelper] = [
        TemplateHelper("base64", 1...1, named: ["decode", "padding"]) { arguments, _ in
            let text = arguments[0].text
            if arguments.flag("decode") == true {
                guard let bytes = Base64.decode(text) else { return .failed("\(text.shown) is no base64") }
                return .text(String(decoding: bytes, as: UTF8.self))
            }
            let encoded = Base64.encode(text)
            guard arguments.flag("padding") == false else { return .text(encoded) }
            return .text(String(encoded.prefix { $0 != "=" }))
        },
        TemplateHelper("urlEncode", 1...1, named: ["decode"]) { arguments, _ in
            let text = arguments[0].text
            return .text(arguments.flag("decode") == true ? FormText.decode(text[...]) : FormText.encode(text))
        },
        TemplateHelper("formData", 1...2, named: ["urlDecode"], block: .none, variable: 1) {
            arguments,
            run throws(TemplateTooLarge) in
            let decodes = arguments.flag("urlDecode") ?? false
            let form = form(arguments[0].text, decodes: decodes)
            guard !arguments[1].isMissing else { return form }
            try run.set(arguments[1].text, to: form)
            return .nothing
        },
        TemplateHelper("regexExtract", 2...3, named: ["default"], block: .none, variable: 2, preparation: .pattern(1)) {
            arguments,
            run throws(TemplateTooLarge) in
            guard let pattern = arguments.pattern(1) else { return .failed(badPattern(arguments[1].text)) }
            guard let groups = run.matchBudget.firstMatch(of: pattern, in: arguments[0].text) else {
                return arguments["default"].isMissing
                    ? .failed("Nothing matched \(pattern.source)") : arguments["default"]
            }
            guard !arguments[2].isMissing else { return .text(groups[0]) }
            try run.set(arguments[2].text, to: .list(groups.dropFirst().map { $0.map(JSONValue.string) ?? .null }))
            return .nothing
        },
        TemplateHelper("hostname", 0...0, block: .none) { _, _ in
            var name = [CChar](repeating: 0, count: 256)
            guard unsafe gethostname(&name, name.count - 1) == 0 else { return .text("localhost") }
            return .text(String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        },
    ]

    /// A form's fields; one that comes several times is a list.
    private static func form(_ text: String, decodes: Bool) -> TemplateValue {
        .form(
            text.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let value = parts.count > 1 ? decodes ? FormText.decode(parts[1]) : String(parts[1]) : ""
                return NamedValue(name: FormText.decode(parts[0]), value: value)
            }
        )
    }
}
