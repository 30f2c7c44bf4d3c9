import Backlot
import BacklotJSON

/// Answers all requests for one feed: its window, searches, and the pages of its items.
struct FeedSite: Sendable {
    let feed: MountedFeed
    let configuration: FlokiConfiguration
    let languages: LanguageChoice
    /// The app's path.
    let mount: String
    /// The revision of the pages' template.
    let template: String

    /// What all requests have in common: the language, the client, and the time.
    struct Asked {
        let request: Request
        let language: String
        let stream: FeedStream
        let query: QueryParameters
        let parameters: ClientParameters
        let base: String
        let now: Int

    }

    /// - Throws: `StatusError` with 404 for a language that the app lacks.
    func asked(_ request: Request) throws -> Asked {
        let (code, query) = QueryParameters.split(request.parameters["language"] ?? "", request)
        let language = try languages.language(code, request)
        return Asked(
            request: request,
            language: language,
            stream: feed.stream(language),
            query: query,
            parameters: ClientParameters(query),
            base: try configuration.address.base(for: request, mount: mount),
            now: configuration.clock.secondsSince1970
        )
    }

    /// The newest entries, or those after `o`.
    func main(_ request: Request) async throws -> Response {
        let asked = try asked(request)
        let query = FeedQuery.main(asked.parameters, asked.stream, cacheSize: feed.cacheSize, now: asked.now)
        return answer(try await feed.store.window(query), asked)
    }

    /// The entries below `l`, for clients that use `more_items_url`.
    func older(_ request: Request) async throws -> Response {
        let asked = try asked(request)
        let query = FeedQuery.older(asked.parameters, asked.stream, cacheSize: feed.cacheSize, now: asked.now)
        guard let query else { return answer(FeedWindow(), asked) }
        return answer(try await feed.store.window(query), asked)
    }

    /// One page of the entries with some words.
    func search(_ request: Request) async throws -> Response {
        let asked = try asked(request)
        let words = Words.all(in: try Self.required("q", asked)).prefix(configuration.maximumWords)
        let page = try page(asked)
        guard !words.isEmpty, let page else { return answer(FeedWindow(), asked, .flat) }
        return answer(FeedWindow(entries: try await find(.words(Array(words)), page, asked)), asked, .flat)
    }

    /// One page of the entries with a tag.
    func tagged(_ request: Request) async throws -> Response {
        let asked = try asked(request)
        let tag = try Self.required("tag", asked)
        guard let page = try page(asked) else { return answer(FeedWindow(), asked, .flat) }
        return answer(FeedWindow(entries: try await find("tag", tag, page, asked)), asked, .flat)
    }

    /// The one item of a video.
    func video(_ request: Request) async throws -> Response {
        let asked = try asked(request)
        let entries = try await find("video", try Self.required("video", asked), (0, 1), asked)
        return answer(FeedWindow(entries: entries), asked, .absolute)
    }

    /// All pictures with a tag.
    func gallery(_ request: Request) async throws -> Response {
        let asked = try asked(request)
        let entries = try await find("tag", try Self.required("tag", asked), (0, nil), asked)
        return answer(FeedWindow(entries: entries), asked, .absolute)
    }

    /// How many entries are skipped, and how many are returned.
    private typealias Page = (offset: Int, limit: Int?)

    private func find(_ criterion: FeedSearch.Criterion, _ page: Page, _ asked: Asked) async throws -> [[UInt8]] {
        let search = FeedSearch(
            stream: asked.stream,
            criterion: criterion,
            offset: page.offset,
            limit: page.limit,
            now: asked.now
        )
        return try await feed.store.search(search)
    }

    /// The entries with a name. iOS takes names out of links, where they are encoded already, and encodes them once more.
    private func find(_ kind: String, _ name: String, _ page: Page, _ asked: Asked) async throws -> [[UInt8]] {
        let entries = try await find(.tag("\(kind):\(name)"), page, asked)
        guard entries.isEmpty, let decoded = PercentDecoding.decode(name[...]), decoded != name else { return entries }
        return try await find(.tag("\(kind):\(decoded)"), page, asked)
    }

    /// How an answer differs from a window of the feed.
    private enum Form {
        case window
        /// Relative URLs are absolute, since clients know no address to which they are relative.
        case absolute
        /// The same, and without sections.
        case flat
    }

    private func answer(_ window: FeedWindow, _ asked: Asked, _ form: Form = .window) -> Response {
        let place = WirePlace(
            base: asked.base,
            folder: form == .window ? "" : "\(asked.base)/\(feed.name)/",
            language: asked.language,
            device: asked.parameters.device,
            template: template
        )
        let bytes = FeedDocument.bytes(window, of: feed, for: place, language: asked.language, isFlat: form == .flat)
        return FlokiAnswer(.json, bytes).response(to: asked.request)
    }

    private static func required(_ name: String, _ asked: Asked) throws -> String {
        guard let value = asked.query[name] else {
            throw StatusError(
                .badRequest,
                "the parameter '\(name)' is missing, or not UTF-8 after percent-decoding"
            )
        }
        return value
    }

    /// The page of a search, by default the first; nil for one far behind the end.
    private func page(_ asked: Asked) throws -> Page? {
        guard asked.query.contains("page") else { return (0, feed.cacheSize) }
        guard let page = asked.query["page"].flatMap({ Int($0) }), page >= 1 else {
            throw StatusError(.badRequest, "the parameter 'page' must be a whole number from 1 on")
        }
        let (offset, isFar) = (page - 1).multipliedReportingOverflow(by: feed.cacheSize)
        return isFar ? nil : (offset, feed.cacheSize)
    }
}

/// A feed that an app serves.
struct MountedFeed: Sendable {
    let name: String
    /// The key of the entries in an answer.
    let key: FeedKey
    let store: any FeedStore
    let isShared: Bool
    let cacheSize: Int
    /// The array of sections in each language, in their order; empty for a feed without sections.
    let sections: [String: [UInt8]]

    init<Entry>(_ feed: Feed<Entry>, texts: TextTable) {
        name = feed.name
        key = Entry.key
        store = feed.store
        isShared = feed.languages == .shared
        feed.served.add(texts.codes)
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

    /// The feed in a language, for the store.
    func stream(_ language: String) -> FeedStream {
        FeedStream(feed: name, language: isShared ? FeedStream.shared : language)
    }
}
