import Backlot
import BacklotJSON

/// A feed as an app serves it.
struct MountedFeed: Sendable {
    let name: String
    /// `items` or `thumbs`.
    let key: StaticString
    let store: any FeedStore
    let isShared: Bool
    let cacheSize: Int
    /// `"sections":[…]` in each language, in their order; empty for a feed without.
    let sections: [String: [UInt8]]

    init<Entry>(_ feed: Feed<Entry>, texts: TextTable) {
        name = feed.name
        key = Entry.key
        store = feed.store
        isShared = feed.languages == .shared
        cacheSize = feed.cacheSize
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

    /// What is asked of the store.
    func stream(_ language: String) -> FeedStream {
        FeedStream(feed: name, language: isShared ? FeedStream.shared : language)
    }
}
