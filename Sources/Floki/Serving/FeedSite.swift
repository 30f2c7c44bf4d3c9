import Backlot
import BacklotJSON

/// Answers all requests for one feed: its window, searches, and the pages of its items.
struct FeedSite: Sendable {
    let feed: MountedFeed
    let configuration: FlokiConfiguration
    let languages: LanguageChoice
    /// The app's path.
    let mount: String

    /// What all requests have in common: the language, the client, and the time.
    struct Asked {
        let language: String
        let stream: FeedStream
        let query: QueryParameters
        let parameters: ClientParameters
        let base: String
        let now: Int

        /// - Parameter isAbsolute: whether relative URLs become absolute, as in the results of a search.
        func place(_ feed: String, isAbsolute: Bool) -> WirePlace {
            WirePlace(
                base: base,
                folder: isAbsolute ? "\(base)/\(feed)/" : "",
                language: language,
                device: parameters.device
            )
        }
    }

    /// - Throws: `StatusError` with 404 for a language that the app lacks.
    func asked(_ request: Request) throws -> Asked {
        let (code, query) = QueryParameters.split(request.parameters["language"] ?? "", request)
        let language = try languages.language(code, request)
        return Asked(
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
        return try await found(words.isEmpty ? nil : .words(Array(words)), page: try Self.page(asked), asked)
    }

    /// One page of the entries with a tag.
    func tagged(_ request: Request) async throws -> Response {
        let asked = try asked(request)
        return try await found(.tag("tag:\(try Self.required("tag", asked))"), page: try Self.page(asked), asked)
    }

    /// The one item of a video.
    func video(_ request: Request) async throws -> Response {
        let asked = try asked(request)
        let tag = "video:\(try Self.required("video", asked))"
        let search = FeedSearch(stream: asked.stream, criterion: .tag(tag), limit: 1, now: asked.now)
        return answer(FeedWindow(entries: try await feed.store.search(search)), asked, isAbsolute: true)
    }

    /// All pictures with a tag.
    func gallery(_ request: Request) async throws -> Response {
        let asked = try asked(request)
        let tag = "tag:\(try Self.required("tag", asked))"
        let search = FeedSearch(stream: asked.stream, criterion: .tag(tag), limit: nil, now: asked.now)
        return answer(FeedWindow(entries: try await feed.store.search(search)), asked, isAbsolute: true)
    }

    private func found(_ criterion: FeedSearch.Criterion?, page: Int, _ asked: Asked) async throws -> Response {
        let (offset, isFar) = (page - 1).multipliedReportingOverflow(by: feed.cacheSize)
        guard let criterion, !isFar else { return answer(FeedWindow(), asked) }
        let search = FeedSearch(
            stream: asked.stream,
            criterion: criterion,
            offset: offset,
            limit: feed.cacheSize,
            now: asked.now
        )
        return answer(FeedWindow(entries: try await feed.store.search(search)), asked, isAbsolute: true)
    }

    private func answer(_ window: FeedWindow, _ asked: Asked, isAbsolute: Bool = false) -> Response {
        let place = asked.place(feed.name, isAbsolute: isAbsolute)
        return FeedDocument.response(window, of: feed, for: place, language: asked.language)
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

    /// The page of a search; by default the first.
    private static func page(_ asked: Asked) throws -> Int {
        guard asked.query.contains("page") else { return 1 }
        guard let page = asked.query["page"].flatMap({ Int($0) }), page >= 1 else {
            throw StatusError(.badRequest, "the parameter 'page' must be a whole number from 1 on")
        }
        return page
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
