/// The words of a text, as they are searched: in lower case, and without the accents of European languages.
enum Words {
    /// Each word, once.
    static func all(in text: String) -> [String] {
        var seen: Set<String> = []
        return split(text).filter { seen.insert($0).inserted }
    }

    private static func split(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in text.lowercased().unicodeScalars {
            if let plain = plain[scalar] {
                word += plain
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                word.unicodeScalars.append(scalar)
            } else if !scalar.properties.generalCategory.isMark, !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    private static let plain: [Unicode.Scalar: String] = {
        let letters = [
            "a": "áàâäãåāăą", "ae": "æ", "c": "çćĉċč", "d": "ďđð", "e": "éèêëēĕėęě", "g": "ĝğġģ", "h": "ĥħ",
            "i": "íìîïĩīĭįı", "j": "ĵ", "k": "ķ", "l": "ĺļľŀł", "n": "ñńņň", "o": "óòôöõøōŏő", "oe": "œ", "r": "ŕŗř",
            "s": "śŝşšș", "ss": "ß", "t": "ţťŧț", "u": "úùûüũūŭůűų", "w": "ŵ", "y": "ýÿŷ", "z": "źżž",
        ]
        return letters.reduce(into: [:]) { all, entry in
            for scalar in entry.value.unicodeScalars { all[scalar] = entry.key }
        }
    }()
}

extension Unicode.GeneralCategory {
    /// Whether it is an accent by itself, which is left out.
    fileprivate var isMark: Bool { self == .nonspacingMark || self == .enclosingMark || self == .spacingMark }
}
