import Backlot
import BacklotJSON

/// An article that lists all kinds and keys of a vocabulary, as Markdown.
struct ReferenceArticle: Sendable {
    /// The name of the file, without its ending.
    let name: String
    let title: String
    /// What is between the title and the kinds.
    let introduction: String
    let kinds: [Kind]
    /// More kinds, below headings of their own.
    var sections: [(heading: String, kinds: [Kind])] = []
    /// The pictures in the catalogue, by the names of kinds.
    var pictures: [String: String] = [:]

    /// The whole file.
    var text: String {
        var blocks = ["# \(title)", introduction]
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

    private func section(_ kind: Kind) -> [String] {
        var blocks = ["### \(kind.name)", sentence(kind)]
        if let picture = pictures[kind.name] { blocks.append("![\(kind.name)](\(picture))") }
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
