import BacklotDatabase
import Floki

/// A search for words, as an expression of FTS5 that finds entries one after the other in the feed's order.
struct TermExpression {
    /// The length up to which the index has the beginnings of words. See ``SQLiteFeedSchema``.
    static let indexedPrefix = 3
    /// How many words with a longer beginning are searched for one by one. For the beginnings of more words FTS5 collects all
    /// entries before it returns the first, which the longest time of a search bounds.
    private static let mostWords = 256

    let database: Database

    /// An expression that finds the entries with words that begin with each of some; nil if there are none.
    func expression(_ words: [String]) throws -> String? {
        var terms: [String] = []
        for word in words {
            // Nothing else is in the index, whose tokenizer `ascii` takes all of these for parts of words, and in quotation marks none of it has a meaning for FTS5.
            guard SearchTerms.canBegin(with: word) else { return nil }
            if word.unicodeScalars.count <= Self.indexedPrefix {
                terms.append("\"\(word)\"*")
            } else if let found = try self.words(beginningWith: word) {
                guard !found.isEmpty else { return nil }
                terms.append("(\(found.map { "\"\($0)\"" }.joined(separator: " OR ")))")
            } else {
                terms.append("\"\(word)\"*")
            }
        }
        return terms.isEmpty ? nil : terms.joined(separator: " AND ")
    }

    /// The words of all entries that begin with a text; nil if they are too many.
    private func words(beginningWith text: String) throws -> [String]? {
        let sql = "SELECT text FROM word WHERE text >= ? AND text < ? LIMIT ?"
        let values: [any DatabaseValue] = [text, text + "\u{10FFFF}", Self.mostWords + 1]
        let words: [String] = try database.all(sql, values) { $0[0] }
        return words.count > Self.mostWords ? nil : words
    }

    /// Forgets words that no entry has any more.
    ///
    /// - Parameters:
    ///   - word: the one after which it begins.
    ///   - count: how many words are looked at.
    /// - Returns: the last one that was looked at; empty at the end of all words.
    func forgetUnused(after word: String, atMost count: Int) throws -> String {
        let list = "SELECT text FROM word WHERE text > ? ORDER BY text LIMIT ?"
        let words: [String] = try database.all(list, [word, count]) { $0[0] }
        let find = "SELECT rowid FROM entry_words WHERE entry_words MATCH ? LIMIT 1"
        let forget = "DELETE FROM word WHERE text = ?"
        for word in words {
            // A search doesn't look for anything else.
            if SearchTerms.canBegin(with: word), try database.first(find, ["\"\(word)\""], { _ in true }) != nil {
                continue
            }
            try database.run(forget, [word])
        }
        return words.count < count ? "" : words.last ?? ""
    }
}
