/// Words of a search, as PostgreSQL can look for them.
struct SearchWords {
    /// The words, or what is indexed of them.
    let indexed: [String]
    /// The words of which only the beginning is indexed.
    let long: [String]

    init(_ words: [String]) {
        indexed = words.map(Self.indexed)
        long = words.filter { Self.indexed($0).utf8.count < $0.utf8.count }
    }

    /// What is indexed of a word.
    static func indexed(_ word: String) -> String {
        guard word.utf8.count > FeedSchema.longestWord else { return word }
        return String(word.unicodeScalars.prefix(FeedSchema.longestWord))
    }

    /// The words of an entry that are indexed, with spaces between them; nil for all of its words.
    static func indexed(_ words: [String]) -> String? {
        let length = words.reduce(0) { $0 + $1.utf8.count + 1 }
        guard length > FeedSchema.mostWords || words.contains(where: { $0.utf8.count > FeedSchema.longestWord }) else {
            return nil
        }
        var text = ""
        for word in words.lazy.map(Self.indexed) {
            guard text.utf8.count + word.utf8.count < FeedSchema.mostWords else { break }
            text += text.isEmpty ? word : " " + word
        }
        return text
    }

    /// Whether an entry can have words that begin with each of these: no word has another sign of ASCII than small letters and digits.
    static func canBeFound(_ words: [String]) -> Bool {
        !words.isEmpty
            && words.allSatisfy { word in
                !word.isEmpty
                    && word.unicodeScalars.allSatisfy {
                        !$0.isASCII || ("a"..."z").contains($0) || ("0"..."9").contains($0)
                    }
            }
    }
}
