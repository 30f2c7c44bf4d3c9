import Backlot

/// Responds to all requests for one feed: for its windows, searches, and items' pages.
struct FeedSite: Sendable {
    let name: String
    let app: LiveApp
    /// The revision of the pages' template.
    let template: String
    let due = DueDrafts()
    let requests: KnownRequests
    let configuration: FlokiConfiguration
    /// The app's path.
    var mount: String { app.assembly.mount }

    init(name: String, app: LiveApp, template: String) {
        self.name = name
        self.app = app
        self.template = template
        configuration = app.assembly.configuration
        requests = KnownRequests(configuration.address)
    }

    /// The values that all requests have: the language, the client, and the time.
    struct Asked {
        let request: Request
        let feed: MountedFeed
        let edition: AppEdition
        let language: String
        let query: QueryParameters
        let parameters: ClientParameters
        let base: String
        let now: Int

        var stream: FeedStream { feed.stream(language) }
    }

    /// The feed in an edition.
    ///
    /// - Throws: `StatusError` with 404 for a feed that the app no longer has.
    func feed(_ edition: AppEdition) throws -> MountedFeed {
        guard let feed = edition.feeds[name] else {
            throw StatusError(.notFound, "the app has no feed '\(name)' any more")
        }
        return feed
    }

    /// - Throws: `StatusError` with 404 for a language that the app lacks.
    func asked(_ edition: AppEdition, _ request: Request) throws -> Asked {
        let (code, query) = QueryParameters.split(request.parameters["language"] ?? "", request)
        return Asked(
            request: request,
            feed: try feed(edition),
            edition: edition,
            language: try edition.languages.language(code, request),
            query: query,
            parameters: ClientParameters(query),
            base: try configuration.address.base(for: request, mount: mount),
            now: configuration.clock.secondsSince1970
        )
    }

    /// The newest entries, or those after `o`.
    func main(_ edition: AppEdition, _ request: Request) throws -> HandlerResult {
        if let response = try repeated(edition, request) { return response }
        let asked = try asked(edition, request)
        let size = asked.feed.cacheSize
        return window(asked, .main(asked.parameters, asked.stream, cacheSize: size, now: asked.now), isOlder: false)
    }

    /// The entries below `l`, for clients that use `more_items_url`.
    func older(_ edition: AppEdition, _ request: Request) throws -> HandlerResult {
        if let response = try repeated(edition, request) { return response }
        let asked = try asked(edition, request)
        let size = asked.feed.cacheSize
        guard let query = FeedQuery.older(asked.parameters, asked.stream, cacheSize: size, now: asked.now) else {
            return .ready(response(FeedWindow(), asked).response(to: request))
        }
        return window(asked, query, isOlder: true)
    }

    /// The response to a request that repeats an earlier one literally and is in memory.
    private func repeated(_ edition: AppEdition, _ request: Request) throws -> HandlerResult? {
        guard app.cache.isOn, let known = requests.find(request, edition: edition.number),
            let response = kept(try feed(edition), known.key, known.device, configuration.clock.secondsSince1970)
        else { return nil }
        return .ready(response.response(to: request))
    }

    /// A stored window that is still valid.
    private func kept(_ feed: MountedFeed, _ key: ResponseCache.Key, _ device: Device, _ now: Int) -> FlokiResponse? {
        guard let revision = feed.store.revision(of: name), due.areNone(at: now, revision: revision) else { return nil }
        return app.cache.response(for: key, device, revision: revision, now: now)
    }

    /// A window; from memory if the feed hasn't changed since it was read.
    private func window(_ asked: Asked, _ query: FeedQuery, isOlder: Bool) -> HandlerResult {
        let key = ResponseCache.Key(
            edition: asked.edition.number,
            feed: name,
            language: asked.language,
            isOlder: isOlder,
            parameters: asked.parameters,
            base: asked.base
        )
        let device = asked.parameters.device
        if app.cache.isOn, let response = kept(asked.feed, key, device, asked.now) {
            requests.add(asked.request, key, device)
            return .ready(response.response(to: asked.request))
        }
        return .pending {
            let store = asked.feed.store
            app.reportOutsideEntries(asked.edition)
            await due.publish(in: store, of: name, now: asked.now)
            // Any change from here on makes the response out of date.
            let revision = store.revision(of: name)
            let window = try await store.window(query)
            let response = response(window, asked)
            if app.cache.isOn, let revision {
                let slot = ResponseCache.Slot(
                    response,
                    for: device,
                    isByDevice: window.entries.contains { JSONTemplate($0).variesByDevice },
                    revision: revision,
                    start: asked.now,
                    end: window.unchangedUntil ?? .max
                )
                app.cache.add(slot, for: key)
            }
            return response.response(to: asked.request)
        }
    }

    /// One page of the entries with some words.
    func search(_ edition: AppEdition, _ request: Request) async throws -> Response {
        let asked = try await settled(edition, request)
        let words = SearchTerms.all(in: try Self.required("q", asked)).prefix(configuration.maximumWords)
        let page = try page(asked)
        guard !words.isEmpty else { return response(FeedWindow(), asked, .flat).response(to: request) }
        let entries = try await find(.words(Array(words)), page, asked)
        return response(FeedWindow(entries: entries), asked, .flat).response(to: request)
    }

    /// One page of the entries with a tag.
    func tagged(_ edition: AppEdition, _ request: Request) async throws -> Response {
        try await named("tag", edition, request, .flat, page)
    }

    /// The one item of a video.
    func video(_ edition: AppEdition, _ request: Request) async throws -> Response {
        try await named("video", edition, request, .absolute) { _ in (0, 1) }
    }

    /// All pictures with a tag.
    func gallery(_ edition: AppEdition, _ request: Request) async throws -> Response {
        try await named("tag", edition, request, .absolute) { _ in (0, nil) }
    }

    /// The entries with the name that a parameter has.
    private func named(
        _ kind: String,
        _ edition: AppEdition,
        _ request: Request,
        _ form: Form,
        _ page: (Asked) throws -> Page
    ) async throws -> Response {
        let asked = try await settled(edition, request)
        let entries = try await find(kind, try Self.required(kind, asked), try page(asked), asked)
        return response(FeedWindow(entries: entries), asked, form).response(to: request)
    }

    /// The values of a request, after publishing the entries that are due.
    private func settled(_ edition: AppEdition, _ request: Request) async throws -> Asked {
        let asked = try asked(edition, request)
        await due.publish(in: asked.feed.store, of: name, now: asked.now)
        return asked
    }

    /// The number of entries to skip, and the most to return.
    private typealias Page = (offset: Int, limit: Int?)

    private func find(_ criterion: FeedSearch.Criterion, _ page: Page, _ asked: Asked) async throws -> [[UInt8]] {
        let search = FeedSearch(
            stream: asked.stream,
            criterion: criterion,
            offset: page.offset,
            limit: page.limit,
            now: asked.now
        )
        let entries = try await asked.feed.store.search(search)
        guard page.offset >= FeedSearch.mostShown, !entries.isEmpty else { return entries }
        throw StatusError(
            .badRequest,
            "the parameter 'page' is behind the first \(FeedSearch.mostShown) entries: search for more words"
        )
    }

    /// The entries with a name. iOS takes names out of links, where they are encoded already, and encodes them once more.
    private func find(_ kind: String, _ name: String, _ page: Page, _ asked: Asked) async throws -> [[UInt8]] {
        let entries = try await find(.tag("\(kind):\(name)"), page, asked)
        guard entries.isEmpty, let decoded = PercentDecoding.decode(name[...]), decoded != name else { return entries }
        return try await find(.tag("\(kind):\(decoded)"), page, asked)
    }

    /// The form of a response.
    private enum Form {
        case window
        /// Relative URLs become absolute, since clients can't resolve them here.
        case absolute
        /// Absolute URLs, and no sections.
        case flat
    }

    private func response(_ window: FeedWindow, _ asked: Asked, _ form: Form = .window) -> FlokiResponse {
        let place = TemplateValues(
            base: asked.base,
            folder: form == .window ? "" : "\(asked.base)/\(name)/",
            language: asked.language,
            device: asked.parameters.device,
            template: template
        )
        let isFlat = form == .flat
        let bytes = FeedDocument.bytes(window, of: asked.feed, for: place, language: asked.language, isFlat: isFlat)
        return FlokiResponse(.json, bytes, configuration.address)
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

    /// The page of a search, the first by default. All pages beyond the limit count as one; it only matters whether that is empty.
    private func page(_ asked: Asked) throws -> Page {
        guard asked.query.contains("page") else { return (0, asked.feed.cacheSize) }
        guard let page = asked.query["page"].flatMap({ Int($0) }), page >= 1 else {
            throw StatusError(.badRequest, "the parameter 'page' must be a whole number from 1 on")
        }
        let (offset, isFar) = (page - 1).multipliedReportingOverflow(by: asked.feed.cacheSize)
        return isFar || offset >= FeedSearch.mostShown ? (FeedSearch.mostShown, 1) : (offset, asked.feed.cacheSize)
    }
}
