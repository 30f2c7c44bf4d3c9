import BacklotPostgreSQL
import Floki

/// Entries that are changed together, as values of statements.
struct FeedBatch {
    /// The maximum number of entries of a statement, and the maximum number of their bytes.
    private static let mostEntries = 1_000
    private static let mostBytes = 4 << 20

    private(set) var entries: [(entry: StoredEntry, language: String)] = []
    private var keys: Set<Key> = []
    private var byteCount = 0

    private struct Key: Hashable {
        let id: Int
        let language: String
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Adds an entry, unless the batch is full or already has one with its id.
    mutating func add(_ entry: StoredEntry, _ language: String) -> Bool {
        guard entries.count < Self.mostEntries, byteCount < Self.mostBytes,
            keys.insert(Key(id: entry.id, language: language)).inserted
        else { return false }
        byteCount += entry.wire.count + (entry.page?.utf8.count ?? 0)
        entries.append((entry, language))
        return true
    }

    /// - Throws: `FeedError` for values that PostgreSQL can't store.
    static func check(_ entry: StoredEntry) throws(FeedError) {
        for tag in entry.tags {
            guard !tag.utf8.contains(0) else {
                throw FeedError(
                    "a tag of the entry \(entry.id) has the character U+0000, which PostgreSQL can't store: leave it out"
                )
            }
            guard tag.utf8.count <= PostgreSQLFeedSchema.longestTag else {
                throw FeedError(
                    "a tag of the entry \(entry.id) has \(tag.utf8.count) bytes: PostgreSQL stores up to \(PostgreSQLFeedSchema.longestTag)"
                )
            }
        }
        for word in entry.words where word.utf8.contains(0) || word.contains(" ") {
            throw FeedError(
                "a word of the entry \(entry.id) has a space or the character U+0000: words are letters and digits"
            )
        }
    }

    var languages: SQLValue { .texts(Set(entries.map(\.language)).sorted()) }

    /// The ids and languages: two values.
    var keyValues: [SQLValue] { [.integers(entries.map(\.entry.id)), .texts(entries.map(\.language))] }

    /// Names the columns of ``keyValues``.
    static func keyRows(_ first: Int) -> String {
        "unnest($\(first)::bigint[], $\(first + 1)::text[]) WITH ORDINALITY AS x (id, language, number)"
    }

    /// The other values of the entries: twelve.
    ///
    /// - Parameter configurations: PostgreSQL's names for languages.
    func columnValues(_ configurations: [String: String]) -> [SQLValue] {
        let separator = Self.separator(of: entries)
        var bytes: [UInt8] = []
        var wires: [Int] = []
        var pages: [Int] = []
        for (entry, _) in entries {
            bytes += entry.wire
            wires.append(entry.wire.count)
            if let page = entry.page { bytes += page.utf8 }
            pages.append(entry.page?.utf8.count ?? -1)
        }
        var at = 1
        let places = zip(wires, pages).map { wire, page in
            defer { at += wire + max(page, 0) }
            return at
        }
        return [
            .integers(entries.map(\.entry.sortID)), .integers(entries.map(\.entry.expirationDate)),
            .integers(places), .integers(wires), .integers(pages),
            .texts(entries.map { $0.entry.words.joined(separator: " ") }),
            .texts(entries.map { IndexedTerms.indexed($0.entry.words) ?? "" }),
            .texts(entries.map { $0.entry.tags.joined(separator: separator) }),
            .texts(entries.map { configurations[$0.language] ?? "" }),
            .integers(
                entries.map { if case .scheduled(let time) = $0.entry.publication { time } else { -1 } }
            ),
            .bytes(bytes), .text(separator),
        ]
    }

    /// The separator between the tags of an entry: a character that doesn't occur in them.
    private static func separator(of entries: [(entry: StoredEntry, language: String)]) -> String {
        let used = Set(entries.lazy.flatMap(\.entry.tags).flatMap(\.unicodeScalars).filter { $0.value < 0x20 })
        let free = (0x1...0x1F).reversed().lazy.compactMap(Unicode.Scalar.init).first { !used.contains($0) }
        return String(free ?? "\u{1F}")
    }

    /// Names the columns of ``keyValues``, which come first, and of ``columnValues(_:)``.
    static func rows(_ first: Int) -> String {
        """
        unnest(
            $\(first)::bigint[], $\(first + 1)::text[], $\(first + 2)::bigint[], $\(first + 3)::bigint[], $\(first + 4)::bigint[],
            $\(first + 5)::bigint[], $\(first + 6)::bigint[], $\(first + 7)::text[], $\(first + 8)::text[], $\(first + 9)::text[],
            $\(first + 10)::text[], $\(first + 11)::bigint[]
        ) AS x (id, language, sort, expires, place, wire, page, words, indexed, tags, configuration, due)
        """
    }
}
