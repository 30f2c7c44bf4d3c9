import Backlot

/// An app at one version, as clients get it: its documents, languages, sections and pages, which belong together.
final class AppEdition: Sendable {
    private static let count = Locked(0)

    /// Tells the editions of this process from each other.
    let number: Int
    let record: AppRecord
    let languages: LanguageChoice
    let documents: AppDocuments
    /// The feeds by their names.
    let feeds: [String: MountedFeed]
    /// The web pages by their names.
    let pages: [String: @Sendable (WebPage) async throws -> String]

    init(
        record: AppRecord,
        languages: LanguageChoice,
        documents: AppDocuments,
        feeds: [String: MountedFeed],
        pages: [String: @Sendable (WebPage) async throws -> String]
    ) {
        number = Self.count.withLock { count in
            count += 1
            return count
        }
        self.record = record
        self.languages = languages
        self.documents = documents
        self.feeds = feeds
        self.pages = pages
    }
}

/// A feed that an app serves.
struct MountedFeed: Sendable {
    let name: String
    /// The key of the entries in a response.
    let key: FeedKey
    let store: any FeedStore
    let isShared: Bool
    let cacheSize: Int
    /// The ids of the sections.
    private(set) var sectionIDs: Set<Int>
    /// The array of sections in each language, in their order; empty for a feed without sections.
    private(set) var sections: [String: [UInt8]]
    let served: ServedFeed

    init<Entry>(_ feed: Feed<Entry>, texts: TextTable) {
        name = feed.name
        key = Entry.key
        store = feed.store
        isShared = feed.languages == .shared
        cacheSize = feed.cacheSize
        sectionIDs = Set(feed.sections.map(\.id))
        served = feed.served
        let ordered = feed.sections.sorted { ($0.sortID ?? $0.id, $0.id) > ($1.sortID ?? $1.id, $1.id) }
        sections =
            ordered.isEmpty
            ? [:]
            : texts.codes.reduce(into: [:]) { all, code in
                all[code] = JSONWriter.document(capacity: 1024) { writer in
                    writer.array { writer in
                        for section in ordered {
                            section.encode(into: &writer, text: texts.text(section.name, in: code) ?? "")
                        }
                    }
                }
            }
    }

    /// The feed with the sections that another server has declared.
    func with(sections: [String: [UInt8]]) -> MountedFeed {
        var copy = self
        copy.sections = sections
        copy.sectionIDs = sections.values.reduce(into: []) { ids, list in
            let sections = (try? JSONValue(parsing: list))?.array ?? []
            ids.formUnion(sections.compactMap { $0["id"]?.number?.int64.map { Int($0) } })
        }
        return copy
    }

    /// The feed in a language, for the store.
    func stream(_ language: String) -> FeedStream {
        FeedStream(feed: name, language: isShared ? FeedStream.shared : language)
    }
}
