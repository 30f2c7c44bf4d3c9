import Backlot
import Floki

/// A story without a number: a report from a news agency, or one of the newspaper's first stories.
struct NewspaperReport: Sendable, Equatable {
    /// The report's title and text in one language.
    struct Texts: Sendable, Equatable {
        let title: String
        let text: String
    }

    let section: Int
    let picture: String
    let tags: [String]
    /// The texts, by language code.
    let words: [String: Texts]

    /// Reads five lines: section, picture and tags; the English title; the English text; the Spanish title; and the Spanish text.
    /// nil for any other text.
    init?(_ text: String) {
        let lines = text.split(separator: "\n").map(String.init)
        let names = (lines.first ?? "").split(separator: " ", maxSplits: 2).map(String.init)
        guard lines.count == 5, names.count == 3,
            let section = NewspaperApp.sections.first(where: { $0.name.lowercased() == names[0] })
        else { return nil }
        self.section = section.id
        picture = names[1]
        tags = names[2].split(separator: ",").map { String($0.drop { $0 == " " }) }
        words = ["en": Texts(title: lines[1], text: lines[2]), "es": Texts(title: lines[3], text: lines[4])]
    }

    /// The reports in one of `DemoFiles`, which empty lines separate.
    static func all(in file: String) -> [NewspaperReport] {
        DemoFiles.text(file).split(separator: "\n\n").compactMap { NewspaperReport(String($0)) }
    }

    /// The report's texts and page, by language code.
    var texts: [String: ItemText] {
        words.mapValues { ItemText($0.title, $0.text, page: NewspaperStock.page($0.text, tags)) }
    }

    /// The report as an item with a number, in one language.
    func item(_ id: Int, _ language: String) -> Item {
        let words = words[language] ?? Texts(title: "", text: "")
        let (large, small) = ("/pictures/\(picture)-large.png", "/pictures/\(picture)-small.png")
        return Floki.item(id, words.title, words.text)
            .image(.byDevice(iPad: large, iPhone4: large, other: small))
            .sections(section)
            .shareURL("https://gazette.example/stories/\(id)")
            .tags(tags)
            .page(NewspaperStock.page(words.text, tags))
    }
}

/// The stories and pictures that the newspaper begins with.
enum NewspaperStock {
    /// The names of the pictures in the folder `Public`.
    static let pictures = ["harbour", "market", "bridge", "garden"]
    /// The stories, numbered from 1 on.
    static let stories = NewspaperReport.all(in: "stories.txt")

    private static func items(_ app: NewspaperApp, _ language: String) -> [Item] {
        stories.enumerated().map { $1.item($0 + 1, language) } + extras(app, isSpanish: language == "es")
    }

    /// The content of a story's page: its paragraphs, and links to its tags.
    static func page(_ text: String, _ tags: [String]) -> String {
        let paragraphs = text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
            .map { "<p>\(String($0).htmlEscaped)</p>" }
        let links = tags.map { "<a href=\"\(NewspaperApp.path)/tags/\($0.htmlEscaped)\">\($0.htmlEscaped)</a>" }
        return "\(paragraphs.joined(separator: "\n"))\n<p class=\"tags\">\(links.joined(separator: " "))</p>"
    }

    /// The changes that fill the feeds, by feed name.
    private static func changes(for app: NewspaperApp) throws(FeedError) -> [String: [FeedChange]] {
        [
            app.news.name: try app.news.changes(saving: items(app, "en"), languages: ["en"])
                + app.news.changes(saving: items(app, "es"), languages: ["es"]),
            app.photos.name: try app.photos.changes(saving: photos, languages: [FeedStream.shared]),
        ]
    }

    /// A store in memory with the whole stock.
    static func memoryStore() -> MemoryFeedStore {
        do throws(FeedError) {
            return MemoryFeedStore(try changes(for: NewspaperApp(store: MemoryFeedStore())))
        } catch {
            preconditionFailure("the stock of the newspaper is wrong: \(error)")
        }
    }

    /// Fills each feed that has never changed. Several servers may try at once; the first one succeeds.
    static func fill(_ app: NewspaperApp) async throws {
        let store = app.news.store
        for (feed, changes) in try changes(for: app).sorted(by: { $0.key > $1.key }) {
            // Applying no changes only returns the feed's revision in the store. It is 0 for a feed that has never changed, but not
            // for one that an editor has emptied.
            guard try await store.apply([], to: feed) == 0 else { continue }
            let expectations = changes.compactMap { change -> FeedChange? in
                guard case .save(let entry, let language) = change else { return nil }
                return .expect(id: entry.id, language: language, revision: 0)
            }
            do {
                try await store.apply(expectations + changes, to: feed)
            } catch is FeedConflict {
                // Another server has filled the feed first.
            }
        }
    }

    /// Items that open something other than their page.
    private static func extras(_ app: NewspaperApp, isSpanish: Bool) -> [Item] {
        [
            item(8, isSpanish ? "Todas las fotos" : "All photos", isSpanish ? "Una galería." : "A gallery.")
                .sections(1).opens(galleryViewController(app.photos).cellsPerRow(6).padding(3)),
            item(9, isSpanish ? "Quiénes somos" : "Who we are").sections(3).opens(webViewController("/about/")),
            item(10, isSpanish ? "El puerto, filmado" : "The harbour, filmed").sections(1)
                .opens(movieViewController(NewspaperMovie.url).preview("/pictures/harbour-large.png"))
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
