import Backlot

/// The first words of tags, each with its own values.
///
/// A new one needs a case here, and one in `TemplateContext.value`.
enum TemplateRoot: String, Sendable, CaseIterable {
    case path, variables, query, headers, cookies, session, request, counter, now, random, data, parameters, row,
        message, round
    case originalRequest

    /// The roots that a file for WireMock may name.
    static let ofWireMock: [TemplateRoot] = [.request, .parameters, .originalRequest, .data]
    /// The roots that a message lists.
    static let listed = allCases.filter { $0 != .originalRequest }

    /// Whether its values stay the same while a template is filled in.
    var isConstant: Bool { self != .counter && self != .random && self != .now }

    /// The names that may follow, if they are few.
    var parts: [String]? {
        switch self {
        case .session: ["user"]
        case .now: ["", "date", "seconds", "milliseconds"]
        case .random: ["", "number", "word", "uuid"]
        default: nil
        }
    }
}

/// The path in a tag: `path.id`, `variables.username`, `request.pathSegments.[1]`.
struct TemplatePath: Sendable {
    /// The parts of a request.
    enum RequestPart: String, Sendable, CaseIterable {
        case url, path, pathSegments, query, headers, cookies, method, body, host, scheme, port, baseUrl, bodyAsBase64
        case id, requestLine, clientIp
    }

    let root: TemplateRoot
    let names: [String]
    /// The part after the root.
    let name: String
    /// The header field that it names; nil for other paths.
    let field: HTTPField.Name?
    /// The part of the request; nil for other roots.
    let part: RequestPart?
    /// The whole path, as written.
    let text: String

    /// - Parameters:
    ///   - isWhole: whether it may name all of `variables`, `query` and so on.
    ///   - roots: the known roots.
    init(_ text: String, isWhole: Bool = false, roots: [TemplateRoot] = TemplateRoot.listed) throws(TemplateError) {
        self.text = text
        let words = Self.words(text)
        guard let root = TemplateRoot(rawValue: words[0]), roots.contains(root) || root == .originalRequest else {
            let names = roots.map(\.rawValue)
            let hint = Suggestion.hint(for: words[0], among: names)
            throw TemplateError("{{\(text)}} begins with none of \(names.alternatives)\(hint)")
        }
        self.root = root
        names = Array(words.dropFirst())
        name = names.joined(separator: ".")
        field = root == .headers ? HTTPField.Name(name) : nil
        part = root == .request || root == .originalRequest ? names.first.flatMap(RequestPart.init) : nil
        if !isWhole || !names.isEmpty { try check() }
    }

    /// The words between the dots, at least one; in brackets, a word may hold dots too.
    static func words(_ text: String) -> [String] {
        var words = [""]
        var isInBrackets = false
        for character in text {
            switch character {
            case "[" where words.last == "": isInBrackets = true
            case "]" where isInBrackets: isInBrackets = false
            case "." where !isInBrackets: words.append("")
            default: words[words.count - 1].append(character)
            }
        }
        return words
    }

    private func check() throws(TemplateError) {
        switch root {
        case .message, .round: return
        case .path, .variables, .query, .headers, .cookies, .data, .parameters, .row:
            guard names.isEmpty || names.contains("") else { return }
            throw TemplateError("{{\(text)}} names no value; write {{\(root.rawValue).name}}")
        case .counter:
            guard names.count > 1 else { return }
            throw TemplateError("{{\(text)}} is not known; write {{counter}} or {{counter.name}}")
        case .session, .now, .random:
            guard let parts = root.parts, !parts.contains(name) else { return }
            let tags = parts.map { $0.isEmpty ? "{{\(root.rawValue)}}" : "{{\(root.rawValue).\($0)}}" }
            throw TemplateError("{{\(text)}} is not known; write \(tags.alternatives)")
        case .request, .originalRequest:
            guard part == nil else { return }
            if let name = names.first, ["multipart", "parts"].contains(name) {
                throw TemplateError("{{\(text)}} is not supported here; request.body has the whole body")
            }
            let parts = RequestPart.allCases.map(\.rawValue)
            let hint = names.first.map { Suggestion.hint(for: $0, among: parts) } ?? ""
            throw TemplateError("{{\(text)}} is not known; after request. write \(parts.alternatives)\(hint)")
        }
    }
}

/// The place of a tag.
struct TemplatePlace {
    /// The way to the part of a document that holds the text.
    var path: [StubError.Step] = []
    /// Whether the text is the key at the end of the way.
    var isAboutKey = false
    var text = ""
    /// The start of the tag in the text, in bytes.
    var offset = 0
}

/// A mistake in a template.
struct TemplateError: Error, CustomStringConvertible {
    let text: String
    /// The start of the tag in its text, in bytes; nil if unknown.
    private(set) var offset: Int?
    /// The number of tags before it in the same text.
    private(set) var ordinal = 0
    /// The way from the template to the part of a document that holds the text.
    var path: [StubError.Step] = []
    /// Whether the text is the key at the end of the way.
    private(set) var isAboutKey = false
    private var isLocated = false

    var description: String { text }

    init(_ text: String, _ offset: Int? = nil) {
        (self.text, self.offset) = (text, offset)
    }

    /// The mistake with its place, unless that is known already.
    func located(at place: TemplatePlace) -> TemplateError {
        guard !isLocated else { return self }
        var mistake = self
        let offset = offset ?? place.offset
        (mistake.offset, mistake.path, mistake.isAboutKey) = (offset, place.path, place.isAboutKey)
        mistake.ordinal = TemplateScanner.openings(in: Array(place.text.utf8.prefix(offset))).count
        mistake.isLocated = true
        return mistake
    }
}

/// Finds tags in the source of a file, with escapes and line folding between them.
enum TemplatePlaces {
    /// The place of a tag, in bytes.
    ///
    /// - Parameters:
    ///   - ordinal: the number of tags before it.
    ///   - start: the start of the text.
    static func offset(of ordinal: Int, in bytes: [UInt8], from start: Int) -> Int? {
        let openings = TemplateScanner.openings(in: bytes.dropFirst(start))
        return openings.indices.contains(ordinal) ? start + openings[ordinal] : nil
    }
}
