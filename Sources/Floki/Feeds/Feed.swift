import Backlot
import BacklotJSON

/// A feed of news items.
public typealias NewsFeed = Feed<Item>
/// A feed of pictures.
public typealias GalleryFeed = Feed<Thumb>

/// A list that grows: what it is called, what it consists of, and the store that has it.
///
/// ```swift
/// let news = NewsFeed("news", in: store).cacheSize(30)
/// try await news.save([item(1, "Hello", "A first item").page("<p>It is here.</p>")], language: "en")
/// ```
/// Each language has a feed of its own, in which an item may be missing. A feed of ``Languages/shared`` is the same in all.
public struct Feed<Entry: FeedEntry>: Sendable {
    /// Which languages a feed has.
    public enum Languages: Sendable {
        /// Each of the app has its own entries.
        case separate
        /// All have the same.
        case shared
    }

    /// What it is called in its URLs: letters, digits, `-`, `_`, `.` and `~`.
    public let name: String
    /// What has the entries.
    public let store: any FeedStore
    /// Which languages it has.
    public let languages: Languages
    private(set) var cacheSize = 50
    private(set) var sections: [Section] = []

    /// A feed.
    public init(_ name: String, in store: any FeedStore, languages: Languages = .separate) {
        self.name = name
        self.store = store
        self.languages = languages
    }

    /// How many entries clients show and keep, and an answer has; 50 by default.
    public func cacheSize(_ size: Int) -> Feed {
        var copy = self
        copy.cacheSize = size
        return copy
    }

    /// The parts of the feed. Every entry must be in one of them.
    public func sections(_ sections: Section...) -> Feed {
        var copy = self
        copy.sections = sections
        return copy
    }

    /// What clients append the code of the language to.
    var link: Link { Link(wire: FeedPath.main(name)) }

    /// Adds entries, or replaces those of the same id, all of them or none. When it returns, nothing is lost any more, as far as
    /// the store can promise.
    ///
    /// - Parameter language: the code of the language; nil for a feed that all languages share.
    /// - Throws: ``FeedError``, which says what clients would not accept, and what the store throws.
    public func save(_ entries: [Entry], language: String? = nil) async throws {
        guard FeedPath.isName(name) else {
            throw FeedError("the feed's name '\(name)' has other characters than letters, digits and -_.~")
        }
        let language = try storedLanguage(language)
        if let entry = entries.first(where: { $0.traits.video != nil && $0.traits.controller == nil }) {
            throw FeedError("the item \(entry.id) is a video and opens nothing: write .opens(movieViewController(…))")
        }
        let findings = entries.flatMap(findings)
        guard findings.isEmpty else { throw FeedError(findings: findings) }
        try await store.apply(entries.map { .save(stored($0), language: language) }, to: name)
    }

    /// Removes entries. Clients that have them are told to drop them.
    ///
    /// - Parameter language: the code of the language; nil for all.
    public func remove(_ ids: [Int], language: String? = nil) async throws {
        let language = try languages == .shared ? storedLanguage(language) : language
        try await store.apply(ids.map { .remove(id: $0, language: language) }, to: name)
    }

    /// What a language is called in the store.
    private func storedLanguage(_ code: String?) throws(FeedError) -> String {
        switch (languages, code) {
        case (.separate, let code?):
            guard Language.isCode(code) else { throw FeedError("the language '\(code)' is not written as two letters") }
            return code
        case (.shared, nil): return FeedStream.shared
        case (.separate, nil): throw FeedError("say in which language the entries of the feed '\(name)' are")
        case (.shared, _?): throw FeedError("all languages share the feed '\(name)': name none")
        }
    }

    private func stored(_ entry: Entry) -> StoredEntry {
        let wire = JSONWriter.document(capacity: 512) { entry.encode(into: &$0, feed: name) }
        return StoredEntry(
            id: entry.id,
            sortID: entry.traits.sortID ?? entry.id,
            expirationDate: entry.traits.expirationDate,
            wire: wire,
            page: entry.traits.page,
            words: Words.all(in: entry.searchText),
            tags: entry.traits.tags.map { "tag:\($0)" } + (entry.traits.video.map { ["video:\($0)"] } ?? [])
        )
    }

    /// What clients would not accept of an entry.
    private func findings(_ entry: Entry) -> [Finding] {
        let wire = WireTemplate(JSONWriter.document(capacity: 512) { entry.encode(into: &$0, feed: name) })
        let bytes = Device.allCases.flatMap { device in
            let place = WirePlace(base: "http://localhost", language: "en", device: device)
            return (device == .iPad ? [] : [UInt8(ascii: ",")]) + wire.rendered(for: place)
        }
        guard let documents = try? JSONValue(parsing: [UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")]).array else {
            return []
        }
        for document in documents {
            let findings = FlokiRules.findings(
                inEntry: document,
                of: Entry.self,
                feed: name,
                sections: sections.map(\.id)
            )
            if !findings.isEmpty { return findings }
        }
        return []
    }
}

/// Why a feed doesn't take something.
public struct FeedError: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    public let description: String

    init(_ description: String) { self.description = description }

    init(findings: [Finding]) {
        description = "clients would not accept this:\n" + findings.map(\.details).joined(separator: "\n")
    }
}
