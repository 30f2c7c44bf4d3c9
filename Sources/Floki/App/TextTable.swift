import Backlot

/// All texts of an app in all its languages. Each language has every text of the master, which is the first language.
struct TextTable: Sendable {
    /// A mistake in the languages that an app declares.
    struct LanguageError: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// The languages, the master first, each with its texts by their numbers.
    private(set) var languages: [(code: String, texts: [Int: String])]
    let numbers: TextNumbers

    init(_ languages: [Language], earlier: [String: Int] = [:]) throws(LanguageError) {
        guard let master = languages.first else {
            throw LanguageError(description: "the app has no language: declare one with app.language(…)")
        }
        for language in languages.dropFirst() {
            let strange = language.texts.keys.filter { $0.reserved == nil && master.texts[$0] == nil }
            guard let name = strange.map(\.name).min() else { continue }
            throw LanguageError(
                description: "the language '\(language.code)' has the text '\(name)', but the first language, "
                    + "'\(master.code)', lacks it"
            )
        }
        let names = master.texts.keys.filter { $0.reserved == nil }.map(\.name).sorted()
        guard names.count <= TextNumbers.maximumCount else {
            throw LanguageError(
                description: "the app has \(names.count) texts, but clients hold at most \(TextNumbers.maximumCount)"
            )
        }
        let numbers = TextNumbers(names, earlier: earlier)
        self.numbers = numbers
        // Clients discard texts that the master lacks, so the master gets each reserved text that any language replaces.
        let replaced = Set(languages.flatMap { $0.texts.keys }.compactMap(\.reserved))
        self.languages = languages.map { language in
            var texts: [Int: String] = [:]
            for (name, text) in master.texts { texts[numbers[name] ?? 0] = text }
            for number in replaced where texts[number] == nil { texts[number] = ReservedTexts.text(number) }
            for (name, text) in language.texts { texts[numbers[name] ?? 0] = text }
            return (language.code, texts)
        }
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
                    var object = JSONObject()
                    for (number, text) in language.texts.sorted(by: { $0.key < $1.key }) {
                        object["\(number)"] = .string(text.unmarked)
                    }
                    writer.member(language.code, .object(object))
                }
            }
        }
    }
}

/// The numbers of texts on the wire.
///
/// Numbers begin with 1 and have few gaps, since clients store texts in an array. A name keeps its number for as long as the
/// app declares it; a new name gets the lowest free number.
struct TextNumbers: Sendable, Equatable {
    /// The maximum number of texts of an app: the numbers from 10000 on are reserved.
    static let maximumCount = 9_999

    /// The numbers of the app's own texts, by their names.
    private(set) var numbers: [String: Int]

    /// - Parameters:
    ///   - names: the names. New ones get their numbers in this order.
    ///   - earlier: the numbers of the build before.
    init(_ names: [String], earlier: [String: Int] = [:]) {
        let present = Set(names)
        numbers = [:]
        var taken: Set<Int> = []
        for (name, number) in earlier.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            guard present.contains(name), (1...Self.maximumCount).contains(number), taken.insert(number).inserted else {
                continue
            }
            numbers[name] = number
        }
        var next = 1
        for name in names where numbers[name] == nil {
            while taken.contains(next) { next += 1 }
            taken.insert(next)
            numbers[name] = next
        }
    }

    subscript(name: TextName) -> Int? { name.reserved ?? numbers[name.name] }
}

/// A language of the app, with its texts.
struct Language: Sendable, Equatable {
    /// Two letters, from ISO 639-1, or three, from ISO 639-2.
    let code: String
    var texts: [TextName: String]

    /// The message about a language with an invalid code.
    static func problem(_ code: String) -> String {
        "the code '\(code.excerpt)' of a language must be two small letters, such as 'en', or three, such as 'eus'"
    }

    /// Whether a language has this code. Two-letter codes must be in ISO 639-1, or be one of three older codes that Android sends.
    /// All three-letter codes pass, because there are hundreds.
    static func isKnown(_ code: String) -> Bool { code.utf8.count == 3 || known.contains(code[...]) }

    private static let known = Set(
        """
        aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu \
        fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ja ji jv ka kg ki kj kk kl \
        km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or \
        os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt \
        tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
        """.split(separator: " ")
    )

    /// Whether a code has the form of one.
    static func isCode(_ code: String) -> Bool {
        (2...3).contains(code.utf8.count)
            && code.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }
}
