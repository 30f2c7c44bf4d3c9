import Backlot
import BacklotClients
import Foundation

@testable import BacklotMocks

/// An article that lists all kinds and keys of a vocabulary, as Markdown, below an introduction that people write.
struct ReferenceArticle: Sendable {
    /// The folder of the articles.
    static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .appending(path: "../../../../Sources/Backlot/Backlot.docc").standardizedFileURL
    /// Every generated article: one for each protocol, and that of mock files.
    static let all =
        AppProtocol.known.map { spoken in
            ReferenceArticle(
                name: "Protocols/\(spoken.title.replacing(" ", with: ""))Reference",
                of: spoken.name,
                spoken.vocabulary.kinds
            )
        } + [
            ReferenceArticle(
                name: "Mocks/MockReference",
                of: "mocks",
                MockVocabulary.kinds() + [AppContents.kind],
                sections: AppProtocol.known.compactMap { spoken in
                    guard case .app(let format) = spoken.format() else { return nil }
                    let own = format.vocabulary.kinds.filter { !spoken.vocabulary.kinds.contains($0) }
                    return ("\(spoken.title): NAME.\(format.kind).yaml", own)
                }
            )
        ]
    /// The end of an introduction.
    private static let note =
        "The tables are generated from the vocabulary that checks pages: `make reference` writes this article."

    /// The name of the file, without its ending.
    let name: String
    /// The beginning of the names of its pictures.
    private let prefix: String
    private let kinds: [Kind]
    /// More kinds, below separate headings.
    private let sections: [(heading: String, kinds: [Kind])]

    private init(
        name: String,
        of prefix: String,
        _ kinds: [Kind],
        sections: [(heading: String, kinds: [Kind])] = []
    ) {
        (self.name, self.prefix, self.kinds, self.sections) = (name, prefix, kinds, sections)
    }

    /// The file.
    var file: URL { Self.folder.appending(path: "\(name).md") }

    /// The whole file.
    ///
    /// - Throws: `CocoaError` without an introduction.
    var text: String {
        get throws {
            let written = try String(contentsOf: file, encoding: .utf8)
            guard let end = written.firstRange(of: Self.note)?.upperBound else {
                throw CocoaError(.fileReadCorruptFile)
            }
            var blocks = [String(written[..<end])]
            var heading = ""
            for kind in kinds {
                let next = kind.roles.first.map { Self.plural($0.noun).capitalizedFirst } ?? ""
                if next != heading { blocks.append("## \(next)") }
                heading = next
                blocks += section(kind)
            }
            for part in sections { blocks += ["## \(part.heading)"] + part.kinds.flatMap(section) }
            return blocks.joined(separator: "\n\n") + "\n"
        }
    }

    /// The picture of a kind, if the catalogue has one: `floki-news` for `News_view_controller`.
    private func picture(of kind: Kind) -> String? {
        let short = kind.name.lowercased().replacing("_view_controller", with: "")
        guard short == kind.name || !kinds.contains(where: { $0.name == short }) else { return nil }
        let picture = "\(prefix)-\(short)"
        let file = Self.folder.appending(path: "Pictures/\(picture).png")
        return FileManager.default.fileExists(atPath: file.path) ? picture : nil
    }

    private func section(_ kind: Kind) -> [String] {
        var blocks = ["### \(kind.name)", sentence(kind)]
        if let picture = picture(of: kind) { blocks.append("![\(kind.name)](\(picture))") }
        guard !kind.keys.isEmpty else { return blocks }
        blocks.append(
            (["| key | value | meaning |", "|---|---|---|"] + kind.keys.map { row($0) })
                .joined(separator: "\n")
        )
        return blocks + kind.groups.map(sentence)
    }

    private func sentence(_ kind: Kind) -> String {
        var sentences = [kind.meaning]
        if let support = Self.sentence(kind.support) { sentences.append(support) }
        return Self.escaped(sentences.joined(separator: " "))
    }

    private func sentence(_ group: KeyGroup) -> String {
        let keys = group.keys.map { "`\($0)`" }
        return switch group.rule {
        case .atLeastOne: "It needs \(keys.alternatives)."
        case .exactlyOne: "It needs exactly one of \(keys.joined(separator: ", "))."
        case .atMostOne: "It has at most one of \(keys.joined(separator: ", "))."
        }
    }

    private func row(_ key: Key) -> String {
        var sentences = [key.meaning].filter { !$0.isEmpty }
        switch key.presence {
        case .required: sentences.insert("**Required.**", at: 0)
        case .recommended(let value): sentences.append("Some clients need it; the others assume `\(value)`.")
        case .unwritten: sentences.append("Clients read it; Backlot never writes it.")
        case .optional: if let value = key.defaultValue { sentences.append("Default: `\(value)`.") }
        }
        if let support = Self.sentence(key.support) { sentences.append(support) }
        return
            "| `\(key.name)` | \(Self.escaped(Self.value(key.type))) | \(Self.escaped(sentences.joined(separator: " "))) |"
    }

    /// The type in words; names with a meaning are explained.
    private static func value(_ type: ValueType) -> String {
        switch type {
        case .oneOf(let names, _):
            let texts = names.map { $0.meaning.isEmpty ? "`\($0.text)`" : "`\($0.text)` (\(lowercased($0.meaning)))" }
            return "one of " + texts.joined(separator: ", ")
        case .node(_, let only) where !only.isEmpty:
            return only.map { "`\($0)`" }.alternatives
        default: return type.noun
        }
    }

    /// A meaning in parentheses: without its full stop, and with a small letter at its start.
    private static func lowercased(_ meaning: String) -> String {
        let text = meaning.hasSuffix(".") ? String(meaning.dropLast()) : meaning
        let second = text.dropFirst().first
        return second?.isUppercase == true ? text : text.prefix(1).lowercased() + text.dropFirst()
    }

    /// The clients that know it; nil where all do.
    private static func sentence(_ support: Support) -> String? {
        var parts: [String] = []
        if let since = support.since { parts.append("since \(since)") }
        if let until = support.until { parts.append("until \(until)") }
        let places = support.platforms + support.dialects.map { "dialect \($0)" }
        if !places.isEmpty { parts.append("only \(places.alternatives)") }
        return parts.isEmpty ? nil : "*Clients: \(parts.joined(separator: ", ")).*"
    }

    private static func plural(_ noun: String) -> String {
        noun.hasSuffix("s") ? noun : noun.hasSuffix("y") ? noun.dropLast() + "ies" : noun + "s"
    }

    private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
