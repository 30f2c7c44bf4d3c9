import Backlot
import HTTPTypes

/// The first words of tags, each with values of its own.
///
/// A new one needs a case here, and one in `TemplateContext.value`.
enum TemplateRoot: String, Sendable, CaseIterable {
    case path, variables, query, headers, cookies, session, request, counter, now, random, data, parameters, row
    case originalRequest

    /// The roots that a file for WireMock may name.
    static let ofWireMock: [TemplateRoot] = [.request, .parameters, .originalRequest, .data]
    /// The roots that a message lists.
    static let listed = allCases.filter { $0 != .originalRequest }

    /// Whether its values stay the same while a template is filled in.
    var isConstant: Bool { self != .counter && self != .random && self != .now }
}

/// What a tag names: `path.id`, `variables.username`, `request.pathSegments.[1]`.
struct TemplatePath: Sendable {
    /// The parts of a request.
    enum RequestPart: String, Sendable, CaseIterable {
        case url, path, pathSegments, query, headers, cookies, method, body, host, scheme, port, baseUrl, bodyAsBase64
        case id, requestLine, clientIp, multipart, parts
    }

    let root: TemplateRoot
    let names: [String]
    /// What follows the root.
    let name: String
    /// The header field that it names; nil for other paths.
    let field: HTTPField.Name?
    /// The part of the request; nil for other roots.
    let part: RequestPart?
    /// The whole path, as it is written.
    let text: String

    /// - Parameters:
    ///   - isWhole: whether all of `variables`, `query` and so on may be meant.
    ///   - roots: the roots that are known here.
    /// - Throws: `TemplateMistake`.
    init(_ text: String, isWhole: Bool = false, roots: [TemplateRoot] = TemplateRoot.listed) throws(TemplateMistake) {
        self.text = text
        let words = Self.words(text)
        guard let first = words.first, let root = TemplateRoot(rawValue: first),
            roots.contains(root) || root == .originalRequest
        else {
            let names = roots.map(\.rawValue)
            let hint = words.first.map { Suggestion.hint(for: $0, among: names) } ?? ""
            throw TemplateMistake("{{\(text)}} begins with none of \(names.alternatives)\(hint)")
        }
        self.root = root
        names = Array(words.dropFirst())
        name = names.joined(separator: ".")
        field = root == .headers ? HTTPField.Name(name) : nil
        part = root == .request || root == .originalRequest ? names.first.flatMap(RequestPart.init) : nil
        if !isWhole || !names.isEmpty { try check() }
    }

    /// The words between the dots; in brackets, a word may hold dots too.
    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isInBrackets = false
        for character in text {
            switch character {
            case "[" where word.isEmpty: isInBrackets = true
            case "]" where isInBrackets: isInBrackets = false
            case "." where !isInBrackets:
                words.append(word)
                word = ""
            default: word.append(character)
            }
        }
        words.append(word)
        return words
    }

    private func check() throws(TemplateMistake) {
        switch root {
        case .path, .variables, .query, .headers, .cookies, .data, .parameters, .row:
            guard !names.isEmpty, !names.contains("") else {
                throw TemplateMistake("{{\(text)}} names no value; write {{\(root.rawValue).name}}")
            }
        case .session:
            guard names == ["user"] else { throw TemplateMistake("{{\(text)}} is not known; write {{session.user}}") }
        case .counter:
            guard names.count <= 1 else {
                throw TemplateMistake("{{\(text)}} is not known; write {{counter}} or {{counter.name}}")
            }
        case .now:
            guard ["", "date", "seconds", "milliseconds"].contains(name) else {
                throw TemplateMistake(
                    "{{\(text)}} is not known; write {{now}}, {{now.date}}, {{now.seconds}} or {{now.milliseconds}}"
                )
            }
        case .random:
            guard ["", "uuid", "number", "word"].contains(name) else {
                throw TemplateMistake(
                    "{{\(text)}} is not known; write {{random}}, {{random.number}}, {{random.word}} or {{random.uuid}}"
                )
            }
        case .request, .originalRequest:
            guard part != nil else {
                let parts = RequestPart.allCases.filter { $0 != .multipart && $0 != .parts }.map(\.rawValue)
                let hint = names.first.map { Suggestion.hint(for: $0, among: parts) } ?? ""
                throw TemplateMistake(
                    "{{\(text)}} is not known; after request. write \(parts.alternatives)\(hint)"
                )
            }
            if part == .multipart || part == .parts {
                throw TemplateMistake("{{\(text)}} is not supported here; request.body has the whole body")
            }
        }
    }
}

/// What is wrong with a template.
struct TemplateMistake: Error {
    let text: String
    /// Where the tag begins in its text, in bytes; nil where it is unknown.
    var offset: Int?
    /// How many tags begin before it in the same text.
    var ordinal = 0
    /// The way from the template to the part of a document that holds the text.
    var path: [StubProblem.Step] = []
    /// Whether the text is the key at the end of the way.
    var isAboutKey = false

    init(_ text: String, offset: Int? = nil) {
        self.text = text
        self.offset = offset
    }

    /// The same mistake with its place.
    func located(at offset: Int, in text: String) -> TemplateMistake {
        var mistake = self
        mistake.offset = offset
        mistake.ordinal = TemplatePlaces.count(in: Array(text.utf8.prefix(offset)))
        return mistake
    }
}

/// Finds tags in the source of a file, where escapes and line folding may stand between them.
enum TemplatePlaces {
    /// How many tags begin in a text.
    static func count(in bytes: [UInt8]) -> Int {
        var count = 0
        var index = 0
        while let place = next(in: bytes, from: index) {
            count += 1
            index = end(of: place, in: bytes)
        }
        return count
    }

    /// The place of a tag, in bytes.
    ///
    /// - Parameters:
    ///   - ordinal: how many tags begin before it.
    ///   - start: where the text begins.
    static func offset(of ordinal: Int, in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        for _ in 0..<ordinal {
            guard let place = next(in: bytes, from: index) else { return nil }
            index = end(of: place, in: bytes)
        }
        return next(in: bytes, from: index)
    }

    private static func next(in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index + 1 < bytes.count {
            if bytes[index] == UInt8(ascii: "{"), bytes[index + 1] == UInt8(ascii: "{") { return index }
            index += 1
        }
        return nil
    }

    private static func end(of place: Int, in bytes: [UInt8]) -> Int {
        var index = place
        while index < bytes.count, bytes[index] == UInt8(ascii: "{") { index += 1 }
        return index
    }
}
