package import Backlot

/// A search for entries.
public struct FeedSearch: Sendable, Equatable {
    /// The property that the search compares.
    public enum Criterion: Sendable, Equatable {
        /// The beginnings of words, at least one. Found entries contain all of them.
        case words([String])
        /// A tag of the entry.
        case tag(String)
    }

    /// The maximum number of found entries that the pages of a search show. Later pages would cost as much as finding all entries.
    static let mostShown = 10_000

    /// The feed.
    public var stream: FeedStream
    /// The property that the search compares.
    public var criterion: Criterion
    /// The number of found entries to skip, in the order of the feed.
    public var offset: Int
    /// The maximum number of entries to return; nil for all.
    public var limit: Int?
    /// The time, in seconds since 1970: ended entries are left out.
    public var now: Int

    /// Creates a search.
    public init(stream: FeedStream, criterion: Criterion, offset: Int = 0, limit: Int?, now: Int) {
        self.stream = stream
        self.criterion = criterion
        self.offset = offset
        self.limit = limit
        self.now = now
    }
}

extension StatusError {
    /// The error for a search that stopped before its page was full. Clients would take a shorter page for the last one.
    package static let searchTooLong = StatusError(
        .serviceUnavailable,
        "the search takes too long; try again, or search for more words",
        headers: [.retryAfter: "2"]
    )
    /// The error for a search that would wait behind too many others.
    package static let tooManySearches = StatusError(
        .serviceUnavailable,
        "too many people search at once; try again",
        headers: [.retryAfter: "2"]
    )
}

/// The words of a text, for searches: in lower case, and without the accents of European languages.
package enum SearchTerms {
    /// Whether a word of an entry can begin with a text: the only ASCII characters in words are lowercase letters and digits.
    package static func canBegin(with text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x80 || $0.isDigit || $0.isLetter && $0 >= UInt8(ascii: "a") }
    }

    /// The words of a text, each once.
    static func all(in text: String) -> [String] {
        var seen: Set<[UInt8]> = []
        return split(text).filter { seen.insert(Array($0.utf8)).inserted }
    }

    private static func split(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in text.lowercased().unicodeScalars {
            if scalar.isASCII {
                if ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) {
                    word.unicodeScalars.append(scalar)
                } else if !word.isEmpty {
                    words.append(word)
                    word = ""
                }
            } else if let plain = plain[scalar] {
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
    /// Whether the character is a separate accent, which searches ignore.
    fileprivate var isMark: Bool { self == .nonspacingMark || self == .enclosingMark || self == .spacingMark }
}
