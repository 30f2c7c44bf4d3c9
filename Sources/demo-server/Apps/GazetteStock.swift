import Backlot
import Floki

/// A story in both languages.
struct GazetteStory: Sendable {
    /// Its title and its text in a language.
    struct Words: Sendable, Equatable {
        let title: String
        let text: String
    }

    let id: Int
    let section: Int
    let picture: String
    let tags: [String]
    let english: Words
    let spanish: Words

    /// Its texts and its page, by the codes of the languages.
    var texts: [String: ItemText] {
        ["en": english, "es": spanish].mapValues { words in
            ItemText(words.title, words.text, page: GazetteStock.page(words.text, tags))
        }
    }

    /// The story as an item.
    func item(_ words: Words) -> Item {
        Floki.item(id, words.title, words.text)
            .image(.byDevice(iPad: image("large"), iPhone4: image("large"), other: image("small")))
            .sections(section)
            .shareURL("https://gazette.example/stories/\(id)")
            .tags(tags)
            .page(GazetteStock.page(words.text, tags))
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

    /// The content of a story's page: its paragraphs, and links to its tags.
    static func page(_ text: String, _ tags: [String]) -> String {
        let paragraphs = text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
            .map { "<p>\(String($0).htmlEscaped)</p>" }
        let links = tags.map { "<a href=\"\(GazetteApp.path)/tags/\($0.htmlEscaped)\">\($0.htmlEscaped)</a>" }
        return "\(paragraphs.joined(separator: "\n"))\n<p class=\"tags\">\(links.joined(separator: " "))</p>"
    }

    /// What puts everything into the feeds, by their names.
    private static func changes(for app: GazetteApp) throws(FeedError) -> [String: [FeedChange]] {
        let english = stories.map { $0.item($0.english) } + extras(app, isSpanish: false)
        let spanish = stories.map { $0.item($0.spanish) } + extras(app, isSpanish: true)
        return [
            app.news.name: try app.news.changes(saving: english, language: "en")
                + app.news.changes(saving: spanish, language: "es"),
            app.photos.name: try app.photos.changes(saving: photos, language: FeedStream.shared),
        ]
    }

    /// A store in memory that has everything.
    static func memoryStore() -> MemoryFeedStore {
        do throws(FeedError) {
            return MemoryFeedStore(try changes(for: GazetteApp(store: MemoryFeedStore())))
        } catch {
            preconditionFailure("the stock of the gazette is wrong: \(error)")
        }
    }

    /// Fills each feed that was never changed. Several servers may do so at once: the first one fills it.
    static func fill(_ app: GazetteApp) async throws {
        let store = app.news.store
        for (feed, changes) in try changes(for: app).sorted(by: { $0.key > $1.key }) {
            // No changes have no effect, but tell the revision that the store has, and not what this process knows of it. A feed that
            // an editor has emptied has another revision.
            guard try await store.apply([], to: feed) == 0 else { continue }
            let additions = changes.map { change in
                guard case .save(let entry, let language) = change else { return change }
                return FeedChange.replace(entry, language: language, revision: 0)
            }
            do {
                try await store.apply(additions, to: feed)
            } catch is FeedConflict {
                // Another server was faster.
            }
        }
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
