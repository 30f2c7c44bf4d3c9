import Backlot
import HTTPTypes

/// What a tag names: `path.id`, `variables.username`, `request.pathSegments.[1]`.
struct TemplatePath: Sendable, Hashable {
    /// What the first word can be.
    enum Root: String, Sendable, CaseIterable {
        case path, variables, query, headers, cookies, session, request, counter, now, random, data, row
    }

    let root: Root
    let names: [String]
    /// What follows the root.
    let name: String
    /// The header field that it names; nil for other paths.
    let field: HTTPField.Name?
    /// The whole path, as it is written.
    let text: String

    /// - Throws: `TemplateMistake`.
    ///
    /// - Parameter isSection: whether a section may be about all of `variables`, `query` and so on.
    init(_ text: String, isSection: Bool = false) throws(TemplateMistake) {
        self.text = text
        let words = Self.words(text)
        guard let first = words.first, let root = Root(rawValue: first) else {
            let roots = Root.allCases.map(\.rawValue)
            let hint = words.first.map { Suggestion.hint(for: $0, among: roots) } ?? ""
            throw TemplateMistake("{{\(text)}} begins with none of \(roots.alternatives)\(hint)")
        }
        self.root = root
        names = Array(words.dropFirst())
        name = names.joined(separator: ".")
        field = root == .headers ? HTTPField.Name(name) : nil
        if !isSection { try check() }
    }

    static func words(_ text: String) -> [String] {
        text.split(separator: ".", omittingEmptySubsequences: false).map { word in
            word.hasPrefix("[") && word.hasSuffix("]") ? String(word.dropFirst().dropLast()) : String(word)
        }
    }

    private static let requestParts = [
        "url", "path", "pathSegments", "query", "headers", "cookies", "method", "body", "host", "scheme", "port",
    ]

    private func check() throws(TemplateMistake) {
        switch root {
        case .path, .variables, .query, .headers, .cookies, .data, .row:
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
            guard ["", "date", "seconds", "milliseconds"].contains(names.joined(separator: ".")) else {
                throw TemplateMistake(
                    "{{\(text)}} is not known; write {{now}}, {{now.date}}, {{now.seconds}} or {{now.milliseconds}}"
                )
            }
        case .random:
            guard ["", "uuid", "number", "word"].contains(names.joined(separator: ".")) else {
                throw TemplateMistake(
                    "{{\(text)}} is not known; write {{random}}, {{random.number}}, {{random.word}} or {{random.uuid}}"
                )
            }
        case .request:
            guard let part = names.first, Self.requestParts.contains(part) else {
                let hint = names.first.map { Suggestion.hint(for: $0, among: Self.requestParts) } ?? ""
                throw TemplateMistake(
                    "{{\(text)}} is not known; after request. write \(Self.requestParts.alternatives)\(hint)"
                )
            }
        }
    }
}

/// What is wrong with a template.
struct TemplateMistake: Error {
    let text: String
    /// Where in the template, in bytes; nil where it is unknown.
    var offset: Int?

    init(_ text: String, offset: Int? = nil) {
        self.text = text
        self.offset = offset
    }
}
