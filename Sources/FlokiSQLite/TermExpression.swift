import BacklotDatabase
import Floki

/// A search for words, as an expression of FTS5 that finds entries one after the other in the feed's order.
struct TermExpression {
    /// The longest beginnings of words in the index. See ``SQLiteFeedSchema``.
    static let indexedPrefix = 3
    /// The maximum number of words with a longer beginning that are searched individually. With more words, FTS5 collects all
    /// entries for their beginning before it returns the first one; the time limit of a search bounds that.
    private static let mostWords = 256

    let database: Database

    /// An expression that finds the entries with words that begin with each of the given texts; nil if no entry can match.
    func expression(_ words: [String]) throws -> String? {
        var terms: [String] = []
        for word in words {
            // The index contains only such words. Its tokenizer `ascii` treats these characters as parts of words, and in
            // quotation marks they have no special meaning for FTS5.
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

    /// The words of all entries that begin with a text; nil if there are too many.
    private func words(beginningWith text: String) throws -> [String]? {
        let sql = "SELECT text FROM word WHERE text >= ? AND text < ? LIMIT ?"
        let values: [any DatabaseValue] = [text, text + "\u{10FFFF}", Self.mostWords + 1]
        let words: [String] = try database.all(sql, values) { $0[0] }
        return words.count > Self.mostWords ? nil : words
    }

    /// Removes words that entries no longer use.
    ///
    /// - Parameters:
    ///   - word: the word after which to begin.
    ///   - count: the number of words to check.
    /// - Returns: the last checked word; empty at the end of all words.
    func forgetUnused(after word: String, atMost count: Int) throws -> String {
        let list = "SELECT text FROM word WHERE text > ? ORDER BY text LIMIT ?"
        let words: [String] = try database.all(list, [word, count]) { $0[0] }
        let find = "SELECT rowid FROM entry_words WHERE entry_words MATCH ? LIMIT 1"
        let forget = "DELETE FROM word WHERE text = ?"
        for word in words {
            // Searches don't use other words.
            if SearchTerms.canBegin(with: word), try database.first(find, ["\"\(word)\""], { _ in true }) != nil {
                continue
            }
            try database.run(forget, [word])
        }
        return words.count < count ? "" : words.last ?? ""
    }
}
