import Backlot
import Floki

/// The stories of the newspaper as editors see them: published ones, drafts, and those that wait for their time.
struct EditorStories: Sendable {
    /// The number of stories on a page.
    static let pageSize = 20

    let news: NewsFeed
    /// Seconds since 1970.
    let now: Int

    /// A page of a list, and the place of its last story if more follow.
    typealias ListPage = (rows: [EditorRow], next: EntryQuery.Place?)

    func page(_ selection: EntryQuery.Selection, after place: EntryQuery.Place?) async throws -> ListPage {
        var rows: [EditorRow] = []
        for language in NewspaperApp.languages {
            let query = EntryQuery(
                stream: FeedStream(feed: news.name, language: language),
                selection: selection,
                after: place,
                limit: Self.pageSize + 1,
                now: now
            )
            for entry in try await news.store.entries(query) {
                if let index = rows.firstIndex(where: { $0.id == entry.id }) {
                    rows[index].languages.append(language)
                } else {
                    let title = (try? Item(stored: entry, of: news.name))?.title
                    rows.append(EditorRow(entry, title: title ?? "", language: language))
                }
            }
        }
        rows.sort { $0.place > $1.place }
        let hasMore = rows.count > Self.pageSize
        rows = Array(rows.prefix(Self.pageSize))
        return (rows, hasMore ? rows.last?.place : nil)
    }

    /// A story in all its languages; nil for an unknown id.
    func story(_ id: Int) async throws -> EditorStory? {
        var story = EditorStory(id: id)
        for language in NewspaperApp.languages {
            func find(_ selection: EntryQuery.Selection) async throws -> Item? {
                let stream = FeedStream(feed: news.name, language: language)
                let query = EntryQuery(stream: stream, selection: selection, ids: [id], limit: 1, now: now)
                return try await news.store.entries(query).first.map { try Item(stored: $0, of: news.name) }
            }
            story.published[language] = try await find(.published(includingEnded: true))
            story.drafts[language] = try await find(.drafts)
        }
        return story.published.isEmpty && story.drafts.isEmpty ? nil : story
    }
}

/// A line of a list.
struct EditorRow: Sendable {
    let id: Int
    let place: EntryQuery.Place
    let title: String
    let publication: StoredEntry.Publication
    /// In seconds since 1970; 0 for never.
    let end: Int
    var languages: [String]

    init(_ entry: StoredEntry, title: String, language: String) {
        id = entry.id
        place = entry.place
        self.title = title.isBlank ? "Untitled" : title
        publication = entry.publication
        end = entry.expirationDate
        languages = [language]
    }

    /// Details beside the title.
    var details: String {
        var parts = [languages.map(NewspaperApp.name(ofLanguage:)).joined(separator: " and ")]
        if case .scheduled(let time) = publication { parts.append("published at \(EditorTime.text(time))") }
        if end > 0 { parts.append("until \(EditorTime.text(end))") }
        return parts.joined(separator: ", ")
    }
}

/// A story in the store.
struct EditorStory: Sendable {
    let id: Int
    /// The versions that readers see, by language code.
    var published: [String: Item] = [:]
    /// The versions that readers don't see yet.
    var drafts: [String: Item] = [:]

    init(id: Int) { self.id = id }

    /// The version to edit in a language: the draft, otherwise the published story.
    func version(_ language: String) -> Item? { drafts[language] ?? published[language] }

    /// The version to edit in the first language that the story has.
    var first: Item? { NewspaperApp.languages.lazy.compactMap(version).first }

    /// The revisions of the versions to edit, in the order of the languages; 0 for a language that the story lacks.
    var revisions: StoryRevisions {
        StoryRevisions(NewspaperApp.languages.map { version($0)?.revision ?? 0 })
    }

    /// The state for readers, in one line for each language.
    var state: [String] {
        NewspaperApp.languages.compactMap { language in
            guard let version = version(language) else { return nil }
            let isPublished = published[language] != nil
            let state =
                switch version.publication {
                case .published: "published"
                case .draft: isPublished ? "a draft beside the published story" : "a draft"
                case .scheduled(let time): "to be published at \(EditorTime.text(time))"
                }
            return "\(NewspaperApp.name(ofLanguage: language)): \(state)."
        }
    }
}

/// The revisions of a story in all languages, as paths and variables have them: `12-0`.
struct StoryRevisions: Sendable, Equatable, CustomStringConvertible {
    /// In the order of the newspaper's languages.
    let numbers: [Int]

    init(_ numbers: [Int]) { self.numbers = numbers }

    /// Parses the form of `description`.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        numbers = parts.compactMap { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
        guard numbers.count == parts.count, numbers.count == NewspaperApp.languages.count else { return nil }
    }

    var description: String { numbers.map { "\($0)" }.joined(separator: "-") }

    /// The revision of a language.
    subscript(language: String) -> Int { NewspaperApp.languages.firstIndex(of: language).map { numbers[$0] } ?? 0 }

    /// The condition of a change: the story still has these revisions.
    func expectations(of id: Int) -> [FeedChange] {
        NewspaperApp.languages.map { .expect(id: id, language: $0, revision: self[$0]) }
    }
}

/// Times as editors read and write them: `2026-12-01 18:00`, in UTC.
enum EditorTime {
    /// An example of the form, for messages.
    static let form = "2026-12-01 18:00"

    /// The text of a time in seconds since 1970, with its zone.
    static func text(_ time: Int) -> String { "\(input(time)) UTC" }

    /// The text of a time for an input.
    static func input(_ time: Int) -> String {
        let date = Date(timeIntervalSince1970: Double(time))
        return String(date.formatted(.iso8601.dateTimeSeparator(.space).timeZoneSeparator(.omitted)).prefix(16))
    }

    /// The time in seconds since 1970; nil for any other text.
    static func time(_ text: String) -> Int? {
        guard text.utf8.count == 16, let seconds = ISODate.seconds("\(text)Z") else { return nil }
        return Int(exactly: seconds)
    }
}
