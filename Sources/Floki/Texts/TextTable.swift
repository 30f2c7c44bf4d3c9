import BacklotJSON

/// All texts of an app in all its languages, complete: each language has each text of the master, which is the first.
struct TextTable: Sendable, Equatable {
    /// A mistake in what was declared.
    struct Mistake: Error, Equatable {
        let text: String
    }

    /// The languages, the master first, each with its texts by their numbers.
    private(set) var languages: [(code: String, texts: [Int: String])]
    let numbers: TextNumbers

    init(_ languages: [Language], earlier: [String: Int] = [:]) throws(Mistake) {
        guard let master = languages.first else { throw Mistake(text: "an app has a language: write app.language(…)") }
        for language in languages.dropFirst() {
            let strange = language.texts.keys.filter { $0.reserved == nil && master.texts[$0] == nil }
            guard let name = strange.map(\.name).min() else { continue }
            throw Mistake(
                text: "'\(language.code)' has the text '\(name)', and '\(master.code)', which comes first, doesn't"
            )
        }
        let names = master.texts.keys.filter { $0.reserved == nil }.map(\.name).sorted()
        guard names.count <= TextNumbers.maximumCount else {
            throw Mistake(text: "there are \(names.count) texts: \(TextNumbers.maximumCount) is the most")
        }
        let numbers = TextNumbers(names, earlier: earlier)
        self.numbers = numbers
        // Clients discard what the master doesn't have, so it has what another language replaces.
        let replaced = Set(languages.flatMap { $0.texts.keys }.compactMap(\.reserved))
        self.languages = languages.map { language in
            var texts: [Int: String] = [:]
            for (name, text) in master.texts { texts[numbers[name] ?? 0] = text }
            for number in replaced where texts[number] == nil { texts[number] = ReservedTexts.text(number) }
            for (name, text) in language.texts { texts[numbers[name] ?? 0] = text }
            return (language.code, texts)
        }
    }

    static func == (left: TextTable, right: TextTable) -> Bool {
        left.numbers == right.numbers
            && left.languages.elementsEqual(right.languages) { $0.code == $1.code && $0.texts == $1.texts }
    }

    /// The codes of the languages, the master first.
    var codes: [String] { languages.map(\.code) }

    /// A text in a language.
    func text(_ name: TextName, in code: String) -> String? {
        guard let number = numbers[name] else { return nil }
        return languages.first { $0.code == code }?.texts[number]
    }

    /// Writes `langs`.
    func encode(into writer: inout JSONWriter) {
        writer.array("langs") { writer in
            for language in languages {
                writer.object { writer in
                    let texts = language.texts.sorted { $0.key < $1.key }
                    let members = texts.map { ("\($0.key)", JSONValue.string($0.value.unmarked)) }
                    var object = JSONObject()
                    for (key, value) in members { object[key] = value }
                    writer.member(language.code, .object(object))
                }
            }
        }
    }
}
