import Backlot
import Floki

/// A store in memory that contains the newspaper from its first use.
final class StockedFeedStore: FeedStore {
    private let store = MemoryFeedStore()
    private let stocking: Task<Void, any Error>

    init() {
        let store = store
        stocking = Task { try await GazetteStock.fill(GazetteApp(store: store)) }
    }

    private var stocked: MemoryFeedStore {
        get async throws {
            try await stocking.value
            return store
        }
    }

    func apply(_ changes: [FeedChange], to feed: String) async throws -> Int {
        try await stocked.apply(changes, to: feed)
    }

    func entries(_ query: EntryQuery) async throws -> [StoredEntry] { try await stocked.entries(query) }

    func allocateIDs(_ count: Int, in feed: String) async throws -> ClosedRange<Int> {
        try await stocked.allocateIDs(count, in: feed)
    }

    func publishDrafts(dueAt now: Int) async throws -> Int? { try await stocked.publishDrafts(dueAt: now) }

    func revision(of feed: String) -> Int? { store.revision(of: feed) }

    func changes() -> FeedEvents { store.changes() }

    func record(of app: String) async throws -> AppRecord? { await store.record(of: app) }

    func replaceRecord(of app: String, version: Int, with record: AppRecord) async throws -> Bool {
        await store.replaceRecord(of: app, version: version, with: record)
    }

    func recordVersion(of app: String) -> Int? { store.recordVersion(of: app) }

    func window(_ query: FeedQuery) async throws -> FeedWindow { try await stocked.window(query) }

    func entry(_ id: Int, of stream: FeedStream, now: Int) async throws -> StoredEntry? {
        try await stocked.entry(id, of: stream, now: now)
    }

    func search(_ search: FeedSearch) async throws -> [[UInt8]] { try await stocked.search(search) }
}

/// A story in both languages.
struct GazetteStory: Sendable {
    /// Its title and its text in a language.
    struct Words: Sendable {
        let title: String
        let text: String
    }

    let id: Int
    let section: Int
    let picture: String
    let tags: [String]
    let english: Words
    let spanish: Words

    /// The story as an item.
    func item(_ words: Words) -> Item {
        let links = tags.map { "<a href=\"\(GazetteApp.path)/tags/\($0.htmlEscaped)\">\($0.htmlEscaped)</a>" }
        return Floki.item(id, words.title, words.text)
            .image(.byDevice(iPad: image("large"), iPhone4: image("large"), other: image("small")))
            .sections(section)
            .shareURL("https://gazette.example/stories/\(id)")
            .tags(tags)
            .page("<p>\(words.text.htmlEscaped)</p>\n<p class=\"tags\">\(links.joined(separator: " "))</p>")
    }

    private func image(_ size: String) -> String { "/pictures/\(picture)-\(size).png" }
}

/// The stories and pictures that the newspaper begins with.
enum GazetteStock {
    /// The pictures that are in `Public`.
    static let pictures = ["harbour", "market", "bridge", "garden"]

    private static func story(
        _ id: Int,
        _ section: Int,
        _ picture: Int,
        _ tags: [String],
        _ english: (String, String),
        _ spanish: (String, String)
    ) -> GazetteStory {
        GazetteStory(
            id: id,
            section: section,
            picture: pictures[picture],
            tags: tags,
            english: GazetteStory.Words(title: english.0, text: english.1),
            spanish: GazetteStory.Words(title: spanish.0, text: spanish.1)
        )
    }

    static let stories = [
        story(
            1,
            3,
            0,
            ["harbour"],
            ("New ferry reaches the harbour", "It carries 200 people and runs on batteries."),
            ("Un nuevo ferry llega al puerto", "Lleva a 200 personas y funciona con baterías.")
        ),
        story(
            2,
            3,
            1,
            ["market", "food"],
            ("The market opens on Sundays", "Farmers sell until noon; bring your own bags."),
            ("El mercado abre los domingos", "Los agricultores venden hasta mediodía; traiga sus bolsas.")
        ),
        story(
            3,
            3,
            2,
            ["bridge"],
            ("Old bridge closed for a week", "Cyclists take the lane along the river."),
            ("El puente viejo, cerrado una semana", "Los ciclistas van por el camino del río.")
        ),
        story(
            4,
            2,
            0,
            ["rowing", "harbour"],
            ("Rowers win by a length", "The women's eight was ahead from the start."),
            ("Las remeras ganan por un largo", "El ocho femenino fue por delante desde la salida.")
        ),
        story(
            5,
            2,
            3,
            ["running"],
            ("A thousand run through the park", "The youngest was nine, the oldest ninety-one."),
            ("Mil personas corren por el parque", "La más joven tenía nueve años, la mayor noventa y uno.")
        ),
        story(
            6,
            1,
            3,
            ["music", "food"],
            ("Concerts in the garden", "Each Friday in June, with soup from the market."),
            ("Conciertos en el jardín", "Cada viernes de junio, con sopa del mercado.")
        ),
        story(
            7,
            1,
            2,
            ["books", "bridge"],
            ("A library under the bridge", "Take a book, leave a book; nobody counts."),
            ("Una biblioteca bajo el puente", "Tome un libro, deje un libro; nadie los cuenta.")
        ),
    ]

    /// Puts everything into a store.
    static func fill(_ app: GazetteApp) async throws {
        try await app.news.save(stories.map { $0.item($0.english) } + extras(app, isSpanish: false), language: "en")
        try await app.news.save(stories.map { $0.item($0.spanish) } + extras(app, isSpanish: true), language: "es")
        try await app.photos.save(photos)
    }

    /// Items that open something else than a page of their own.
    private static func extras(_ app: GazetteApp, isSpanish: Bool) -> [Item] {
        [
            item(8, isSpanish ? "Todas las fotos" : "All photos", isSpanish ? "Una galería." : "A gallery.")
                .sections(1).opens(galleryViewController(app.photos).cellsPerRow(6).padding(3)),
            item(9, isSpanish ? "Quiénes somos" : "Who we are").sections(3).opens(webViewController("/about/")),
            item(10, isSpanish ? "El puerto, filmado" : "The harbour, filmed").sections(1)
                .opens(movieViewController(GazetteMovie.url).preview("/pictures/harbour-large.png"))
                .video("harbour"),
        ]
    }

    private static var photos: [Thumb] {
        (1...40).map { number in
            let name = pictures[number % pictures.count]
            return thumb(
                number,
                url: Link("/pictures/\(name)-large.png"),
                image: Link("/pictures/\(name)-small.png"),
                width: 320,
                height: 320
            )
            .title("\(name.prefix(1).uppercased())\(name.dropFirst()) \(number)").captionText("Photo \(number)").tags(
                name
            )
        }
    }
}
