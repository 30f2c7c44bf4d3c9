import BacklotJSON
import Mustache

/// A body with sections and the rest of Mustache.
struct MustacheBody: Sendable {
    private static let contentType: String = {
        MustacheContentTypes.register(JSONContentType(), named: "BACKLOT_JSON")
        return "BACKLOT_JSON"
    }()

    private let template: MustacheTemplate

    /// - Parameter tags: the tags of `text`.
    init(_ text: String, tags: [(name: String, offset: Int)], isJSON: Bool) throws(TemplateMistake) {
        try Self.check(tags)
        let prefix = "{{% CONTENT_TYPE:\(isJSON ? Self.contentType : "TEXT")}}"
        do {
            template = try MustacheTemplate(string: prefix + text)
        } catch let error as MustacheTemplate.ParserError {
            throw Self.mistake(error, in: text)
        } catch {
            throw TemplateMistake("the template can't be read: \(error)")
        }
    }

    /// Names outside sections are known beforehand; inside, they may be those of an element.
    private static func check(_ tags: [(name: String, offset: Int)]) throws(TemplateMistake) {
        var depth = 0
        for (name, offset) in tags {
            guard let sign = name.first else {
                throw TemplateMistake("the tag is empty; write a name in it", offset: offset)
            }
            if sign == ">" || sign == "<" || sign == "$" {
                throw TemplateMistake(
                    "{{\(name)}} takes text from another template, and there are no others here",
                    offset: offset
                )
            }
            if sign == "/" { depth -= 1 }
            let word = String("#^".contains(sign) ? name.dropFirst().drop { $0 == " " } : name[...])
            if depth == 0, TemplateScanner.isPlain(word) {
                do {
                    _ = try TemplatePath(word, isSection: word != name)
                } catch {
                    throw TemplateMistake(error.text, offset: offset)
                }
            }
            if sign == "#" || sign == "^" { depth += 1 }
        }
    }

    private static func mistake(_ error: MustacheTemplate.ParserError, in text: String) -> TemplateMistake {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let before = lines.prefix(max(0, error.context.lineNumber - 1)).reduce(0) { $0 + $1.utf8.count + 1 }
        let problem =
            switch error.error as? MustacheTemplate.Error {
            case .sectionCloseNameIncorrect:
                "a section is closed that isn't the one that is open; write {{/name}} with its name"
            case .expectedSectionEnd: "a section has no end; write {{/name}} after it"
            case .unfinishedName: "a tag has no end, or a name that can't be read"
            case let other: "the template can't be read: \(other.map { "\($0)" } ?? "\(error.error)")"
            }
        return TemplateMistake(problem, offset: before)
    }

    func bytes(_ context: TemplateContext) -> [UInt8] {
        Array(template.render(MustacheContextView(context: context)).utf8)
    }

    /// The body for a request that says nothing.
    func sample() -> [UInt8] {
        Array(template.render([String: String]()).utf8)
    }
}

private struct JSONContentType: MustacheContentType {
    func escapeText(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONQuotes.appendEscaped(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// What swift-mustache asks for values.
private struct MustacheContextView: MustacheParent {
    let context: TemplateContext

    func child(named name: String) -> Any? {
        guard let root = TemplatePath.Root(rawValue: name) else { return nil }
        let request = context.request
        switch root {
        case .path: return context.pathParameters
        case .variables: return Self.value(.object(request.variables))
        case .query: return Self.dictionary(request.queryParameters)
        case .cookies: return Self.dictionary(request.cookies)
        case .session: return context.user.map { ["user": $0] } ?? [:]
        case .headers, .request, .counter, .now, .random: return MustachePathView(context: context, words: [name])
        }
    }

    private static func dictionary(_ values: [NamedValue]) -> [String: String] {
        Dictionary(values.map { ($0.name, $0.value) }) { first, _ in first }
    }

    static func value(_ value: JSONValue) -> Any? {
        switch value {
        case .null: nil
        case .bool(let bool): bool
        case .number(let number): number.int64 ?? number.double
        case .string(let string): string
        case .array(let elements): elements.map { Self.value($0) ?? "" }
        case .object(let object):
            object.members.reduce(into: [String: Any]()) { all, member in all[member.key] = Self.value(member.value) }
        }
    }
}

/// A path whose value is looked up once all of it is known.
private struct MustachePathView: MustacheParent, MustacheCustomRenderable {
    let context: TemplateContext
    let words: [String]

    private var value: TemplateValue {
        (try? TemplatePath(words.joined(separator: "."))).map(context.value) ?? .missing
    }

    func child(named name: String) -> Any? { MustachePathView(context: context, words: words + [name]) }

    var renderText: String { value.text }

    var isNull: Bool { words.first != "counter" && value.text.isEmpty }
}
