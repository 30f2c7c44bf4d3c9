internal import BacklotClients

/// The texts that explorers type.
enum InputValues {
    /// A text with the name of what it tests.
    struct Candidate {
        let name: String
        let text: String
    }

    /// A text that people might type.
    static func plausible(
        _ field: InputField,
        _ marker: String,
        minimum: Int?,
        maximum: Int?,
        allow: String
    ) -> String {
        let words = "\(field.variable) \(field.label)".lowercased()
        func isAbout(_ hints: String...) -> Bool { hints.contains { words.contains($0) } }
        var text: String
        if allow == "email" || isAbout("mail") {
            text = "\(marker.lowercased())@example.com"
        } else if isAbout("date", "birth", "day") {
            text = "2026-11-22"
        } else if allow == "tel" || isAbout("phone", "tel") {
            text = "+4930123456"
        } else if allow == "numbers" || isAbout("amount", "count", "number", "quantity", "age ", "price", "zip") {
            text = "12"
        } else if isAbout("url", "website", "link") {
            text = "https://example.com/\(marker.lowercased())"
        } else {
            text = marker
        }
        if let maximum, text.count > maximum { text = String(text.prefix(max(0, maximum))) }
        if let minimum, text.count < minimum { text += String(repeating: "1", count: min(minimum, 1000) - text.count) }
        return text
    }

    /// Texts that break some backends, most of them with a marker. The most productive ones come first.
    static func candidates(
        _ field: InputField,
        _ marker: String,
        minimum: Int?,
        maximum: Int?,
        words: [String]
    ) -> [Candidate] {
        func filled(_ candidates: ArraySlice<(String, String)>) -> [Candidate] {
            candidates.map { Candidate(name: $0.0, text: $0.1.replacing("?", with: marker)) }
        }
        var all = [
            Candidate(name: "empty", text: ""),
            Candidate(name: "200", text: marker + String(repeating: "x", count: 190)),
        ]
        all += filled(named.prefix(4))
        func sized(_ count: Int) -> String {
            count >= marker.count
                ? marker + String(repeating: "x", count: count - marker.count) : String(marker.prefix(max(0, count)))
        }
        if let maximum, (1...100_000).contains(maximum) {
            all.append(Candidate(name: "maximum", text: sized(maximum)))
            all.append(Candidate(name: "maximum + 1", text: sized(maximum + 1)))
        }
        if let minimum, (1...1000).contains(minimum) {
            all.append(Candidate(name: "minimum", text: sized(minimum)))
            all.append(Candidate(name: "minimum - 1", text: sized(minimum - 1)))
        }
        all += words.prefix(3).enumerated().map { Candidate(name: "shown \($0.offset)", text: $0.element) }
        all += filled(named.dropFirst(4))
        all.append(Candidate(name: "5000", text: sized(5000)))
        return all
    }

    /// Each `?` stands for a marker.
    private static let named: [(String, String)] = [
        ("letters", "? Ünïcödé 世界 🎬👩‍👩‍👧"), ("quote", "?'\"\\"), ("blank", " "), ("lines", "?\nsecond line"), ("one", "a"),
        ("zero", "0"), ("negative", "-1"),
        ("html", "<b>?</b>"), ("huge", "99999999999999999999"), ("blanks", "  ?  "),
        ("fraction", "1.5"), ("comma", "1,5"), ("percent", "?%s%n%d 100%"), ("null", "null"), ("exponent", "1e309"),
        ("nan", "NaN"), ("template", "{{7*7}}${7*7}?"), ("path", "../../etc/passwd"), ("date", "2026-02-30"),
        ("nul", "?\u{0}x"), ("override", "\u{202E}?"), ("invisible", "\u{200B}"), ("accent", "e\u{301}?"),
        ("slash", "?/?"),
        ("int64", "9223372036854775808"), ("sql", "?'; DROP TABLE users; --"), ("true", "true"), ("tab", "?\tx"),
        ("sign", "+1"), ("hash", "?#%&=+"),
    ]

    /// The name of an odd text; nil if the text isn't odd.
    static func oddName(of text: String) -> String? {
        let text = Marker.replacing(in: text) { _ in "?" }
        return named.first { $0.1 == text }?.0
    }

    /// Whether a part of a text probably comes from an odd text that a user typed: the text continues like the odd one. If the
    /// odd one ends with the part, it only counts if it was typed in this run.
    ///
    /// - Parameter typed: the names of the odd texts that were typed in this run.
    static func isEcho(_ excerpt: String, in text: String, typed: Set<String>) -> Bool {
        guard !excerpt.isEmpty else { return false }
        let text = Marker.replacing(in: text) { _ in "?" }
        let excerpt = Marker.replacing(in: excerpt) { _ in "?" }
        return named.contains { name, odd in
            guard let range = odd.firstRange(of: excerpt) else { return false }
            let part = odd[range.lowerBound...].prefix(excerpt.count + 1)
            return text.contains(part) && (part.count > excerpt.count || typed.contains(name))
        }
    }

    /// Words on the page that a field may want: quoted words, numbers, addresses.
    static func words(in texts: [String]) -> [String] {
        var words: [String] = []
        func add(_ word: Substring) {
            let word = String(word)
            if word.count >= 2, word.count <= 60, !words.contains(word), words.count < 20 { words.append(word) }
        }
        for text in texts.prefix(200) {
            let text = text.prefix(500)
            for part in text.split(whereSeparator: { $0.isWhitespace || ",;!?()".contains($0) }) {
                let word = part.drop { "\"'“‘".contains($0) }
                var trimmed = word
                while let last = trimmed.last, "\"'”’.:".contains(last) { trimmed = trimmed.dropLast() }
                let isNumber = trimmed.count >= 2 && trimmed.allSatisfy { $0.isNumber || "-.:".contains($0) }
                if isNumber || trimmed.contains("@") || word.count < part.count { add(trimmed) }
            }
        }
        return words
    }
}
