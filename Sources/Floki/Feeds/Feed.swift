import Backlot
import Logging

/// A feed of news items.
///
/// ```swift
/// let news = NewsFeed("news", in: MemoryFeedStore())
/// ```
public typealias NewsFeed = Feed<Item>
/// A feed of pictures.
public typealias GalleryFeed = Feed<Thumb>

/// A list of entries that grows: its name, its properties, and the store that keeps the entries.
///
/// ```swift
/// let news = NewsFeed("news", in: store).cacheSize(30)
/// try await news.save([item(1, "Hello", "A first item").page("<p>It is here.</p>")], language: "en")
/// ```
/// Each language has its own entries, which need not be the same ones. With ``Languages/shared``, all languages have the same.
public struct Feed<Entry: FeedEntry>: Sendable {
    /// Whether the languages of the app share the entries.
    public enum Languages: Sendable {
        /// Each language has its own entries.
        case separate
        /// All languages have the same entries.
        case shared
    }

    /// The name in the feed's URLs: letters, digits, `-`, `_`, `.` and `~`.
    public let name: String
    /// Keeps the entries.
    public let store: any FeedStore
    /// Whether the languages of the app share the entries.
    public let languages: Languages
    private(set) var cacheSize = 50
    private(set) var sections: [Section] = []
    /// The languages and sections that the apps declare for the feed.
    let served = ServedFeed()

    /// Creates a feed.
    public init(_ name: String, in store: any FeedStore, languages: Languages = .separate) {
        self.name = name
        self.store = store
        self.languages = languages
    }

    /// The number of entries that clients show and store, and the most entries in a response; 50 by default.
    public func cacheSize(_ size: Int) -> Feed {
        var copy = self
        copy.cacheSize = size
        return copy
    }

    /// The parts of the feed. Every entry needs one of them.
    public func sections(_ sections: Section...) -> Feed { self.sections(sections) }

    /// The parts of the feed.
    func sections(_ sections: [Section]) -> Feed {
        var copy = self
        copy.sections = sections
        return copy
    }

    /// The address; clients append the code of the language.
    var link: Link { Link(wire: FeedPath.main(name)) }

    /// Adds entries, or replaces entries with the same id: all of them, or none after an error. When this returns, they are stored
    /// as safely as the store can.
    ///
    /// - Parameter language: the code of the language; nil for a feed that all languages share.
    /// - Throws: ``FeedError`` for entries that clients would not accept, and the errors of the store.
    public func save(_ entries: [Entry], language: String? = nil) async throws {
        try await apply(changes(entries, languages: [try storedLanguage(language)]))
    }

    /// Applies changes, and logs warnings about entries that clients may not show as intended.
    ///
    /// - Returns: the feed's revision after the changes.
    @discardableResult
    func apply(_ changes: ([FeedChange], warnings: [Finding])) async throws -> Int {
        guard FeedPath.isName(name) else { throw FeedError(FeedPath.problem("feed", name)) }
        for finding in changes.warnings { Logger(label: "backlot.floki").warning("\(finding)") }
        return try await store.apply(changes.0, to: name)
    }

    /// The changes that save some entries, and warnings about entries that clients may not show as intended.
    ///
    /// - Parameter languages: The names of the languages in the store, each of which gets the entries.
    func changes(_ entries: [Entry], languages: [String]) throws(FeedError) -> ([FeedChange], warnings: [Finding]) {
        var changes: [FeedChange] = []
        var findings: [Finding] = []
        for entry in entries {
            let (stored, found) = try judged(entry)
            findings += found
            changes += languages.map { .save(stored, language: $0) }
        }
        try FeedError.check(findings)
        return (changes, findings)
    }

    /// The changes that save some entries, for a transaction with other changes.
    ///
    /// - Parameter languages: The names of the languages in the store, each of which gets the entries.
    package func changes(saving entries: [Entry], languages: [String]) throws(FeedError) -> [FeedChange] {
        try changes(entries, languages: languages).0
    }

    /// An entry for the store, with its findings.
    func judged(_ entry: Entry) throws(FeedError) -> (StoredEntry, [Finding]) {
        if entry.traits.video != nil, entry.traits.controller == nil {
            throw FeedError("item \(entry.id) is a video, but opens no movie: add .opens(movieViewController(…))")
        }
        if case .scheduled(let time) = entry.publication, !(1...Self.latestTime).contains(time) {
            throw FeedError(
                "entry \(entry.id) is to be published before 1970 or after the year 9999: pass another date"
            )
        }
        let wire = JSONTemplate(JSONWriter.document(capacity: 512) { entry.encode(into: &$0, feed: name) })
        return (stored(entry, wire), try findings(in: wire))
    }

    /// The end of the year 9999, in seconds since 1970.
    private static var latestTime: Int { 253_402_300_799 }

    /// Removes entries. Later responses make clients drop them.
    ///
    /// - Parameter language: the code of the language; nil for all.
    public func remove(_ ids: [Int], language: String? = nil) async throws {
        let language = try languages == .shared ? storedLanguage(language) : language
        try await store.apply(ids.map { .remove(id: $0, language: language) }, to: name)
    }

    /// The name of a language in the store.
    func storedLanguage(_ code: String?) throws(FeedError) -> String {
        switch (languages, code) {
        case (.separate, let code?):
            guard Language.isCode(code) else { throw FeedError(Language.problem(code)) }
            if let problem = served.problem(code, feed: name) { throw FeedError(problem) }
            return code
        case (.shared, nil): return FeedStream.shared
        case (.separate, nil):
            throw FeedError("the feed '\(name)' needs a language: pass language: \"en\", for example")
        case (.shared, _?): throw FeedError("all languages share the feed '\(name)': leave out the language")
        }
    }

    /// The store's names for a language, or for all languages.
    func storedLanguages(_ code: String?) throws(FeedError) -> [String] {
        if code != nil || languages == .shared { return [try storedLanguage(code)] }
        let codes = served.codes
        guard !codes.isEmpty else {
            throw FeedError("no app shows the feed '\(name)' yet, so its languages aren't known: pass one of them")
        }
        return codes
    }

    private func stored(_ entry: Entry, _ wire: JSONTemplate) -> StoredEntry {
        var seen: Set<[UInt8]> = []
        let tags =
            entry.traits.tags.map { "tag:\($0)" } + entry.traits.sectionIDs.map { "section:\($0)" }
            + (entry.traits.video.map { ["video:\($0)"] } ?? [])
        return StoredEntry(
            id: entry.id,
            sortID: entry.traits.sortID ?? entry.id,
            expirationDate: entry.traits.expirationDate,
            wire: wire.bytes,
            page: entry.traits.page,
            words: SearchTerms.all(in: entry.searchText.unmarked),
            tags: tags.filter { seen.insert(Array($0.utf8)).inserted },
            publication: entry.traits.publication
        )
    }

    /// The findings for an entry, on the first device that has any.
    func findings(in wire: JSONTemplate) throws(FeedError) -> [Finding] {
        let sections = served.sections ?? Set(self.sections.map(\.id))
        var judged: [UInt8]?
        for device in Device.allCases {
            let bytes = wire.rendered(for: TemplateValues(base: "http://localhost", language: "en", device: device))
            // Most entries are the same on all devices.
            if bytes == judged { continue }
            judged = bytes
            guard let document = try? JSONValue(parsing: bytes) else {
                throw FeedError(
                    "an entry of the feed '\(name)' is not written as JSON: see its view controller's encode"
                )
            }
            let findings = FlokiRules.findings(
                inEntry: document,
                of: Entry.key,
                feed: name,
                sections: sections.isEmpty ? nil : sections
            )
            if !findings.isEmpty { return findings }
        }
        return []
    }
}

/// The error for entries that a feed refuses, and for actions that it can't perform.
public struct FeedError: Error, Equatable, CustomStringConvertible {
    /// The message.
    public let description: String

    package init(_ description: String) { self.description = description }

    /// Throws the errors among some findings.
    static func check(_ findings: [Finding]) throws(FeedError) {
        let errors = findings.filter { $0.severity == .error }
        guard !errors.isEmpty else { return }
        throw FeedError("clients would not accept this:\n" + errors.map(\.details).joined(separator: "\n"))
    }
}

/// The languages and sections that apps declare for a feed; empty until an app is mounted.
final class ServedFeed: Sendable {
    private struct State {
        /// The codes of the languages of each app, by the apps' paths.
        var codes: [String: [String]] = [:]
        /// The ids of the sections, by the app that was declared last.
        var sections: Set<Int>?
        var clock = SessionClock.system
    }

    private let state = Locked(State())

    /// Records an app's declaration.
    ///
    /// - Parameter mount: the app's path.
    func declare(by mount: String, codes: [String], sections: Set<Int>, clock: SessionClock) {
        state.withLock { state in
            state.codes[mount] = codes
            state.sections = sections
            state.clock = clock
        }
    }

    /// The codes of the languages of all apps.
    var codes: [String] { Set(state.withLock { $0.codes }.values.joined()).sorted() }

    /// The ids of the sections that clients show; nil before an app is mounted.
    var sections: Set<Int>? { state.withLock { $0.sections } }

    /// The time, in seconds since 1970.
    var now: Int { state.withLock { $0.clock }.secondsSince1970 }

    /// The reason why no client would ever see an entry in a language; nil if clients can see it.
    func problem(_ code: String, feed: String) -> String? {
        let codes = codes
        guard !codes.isEmpty, !codes.contains(code) else { return nil }
        return "no app that shows the feed '\(feed)' has the language '\(code)', only \(codes.joined(separator: ", "))"
    }
}
