public import Backlot

/// Inspects the responses of an Applin app, from their bytes.
public struct ApplinInspector: PageInspector {
    /// The maximum number of levels of JSON to read. It includes pages that are too deep for clients, so that they can be reported.
    package static let deepestJSON = 512

    package let dialect: Dialect?
    package let clients: PartialRangeFrom<ClientVersion>?
    /// The vocabulary of the app's clients.
    package let words: ApplinLanguage
    /// The versions of the clients that request pages; nil if unknown.
    private let readers: ClosedRange<ClientVersion>?
    /// The header field with the client's version; nil if the app doesn't use one.
    package var clientField: ClientField?
    private var baseURL: String?

    /// Creates an inspector of an app.
    ///
    /// - Parameters:
    ///   - dialect: The dialect of the app's clients; nil takes the dialect of each page's first action, or `.objects`
    ///     for a page without actions.
    ///   - clients: The oldest client that the app supports; nil checks only for the newest client of the dialect.
    ///   - baseURL: The app's base URL, such as `https://example.com/travel/`; nil if unknown; then absolute URLs can't be checked.
    ///   - extensions: The widgets and actions that the clients know in addition to Applin's.
    public init(
        dialect: Dialect?,
        clients: PartialRangeFrom<ClientVersion>? = nil,
        baseURL: String? = nil,
        extensions: [ApplinExtension] = []
    ) {
        self.init(dialect, clients, baseURL, ApplinLanguage(extensions))
    }

    init(
        _ dialect: Dialect?,
        _ clients: PartialRangeFrom<ClientVersion>?,
        _ baseURL: String?,
        _ words: ApplinLanguage
    ) {
        self.dialect = dialect
        self.clients = clients
        self.baseURL = baseURL
        self.words = words
        readers = nil
    }

    /// Creates an inspector of pages for a range of client versions that all read pages alike.
    package init(
        readBy readers: ClosedRange<ClientVersion>,
        baseURL: String? = nil,
        words: ApplinLanguage = .standard
    ) {
        dialect = Dialect(of: readers.lowerBound)
        clients = nil
        self.readers = readers
        self.baseURL = baseURL
        self.words = words
    }

    /// A short response, for the advice in findings.
    public var exampleResponse: String { #"{"page":{"typ":"nav_page",…}}"# }

    /// The findings of ``ApplinRules``.
    public func findings(in document: JSONValue, path: String, app: RouteLookup?) -> [Finding] {
        let dialect = dialect ?? Dialect(ofActionsIn: document) ?? .objects
        return ApplinRules.findings(
            in: document,
            path: path,
            for: readers.map { dialect.audience.narrowed(to: $0) } ?? dialect.audience(since: clients?.lowerBound),
            words: words,
            app: app,
            baseURL: baseURL
        )
    }

    /// The findings for a response's body: `not-json`, `deep-nesting`, or the findings for the page.
    public func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding] {
        do {
            return findings(in: try JSONValue(parsing: body, depthLimit: Self.deepestJSON), path: path, app: app)
        } catch {
            return [.notJSON(error, page: path)]
        }
    }

    /// The pictures of the page in a response.
    public func pictures(inBody body: [UInt8], path: String) -> [PagePicture] {
        guard let document = try? JSONValue(parsing: body, depthLimit: Self.deepestJSON) else { return [] }
        let dialect = dialect ?? Dialect(ofActionsIn: document) ?? .objects
        return ApplinRules.pictures(in: document, path: path, dialect: dialect, words: words)
    }

    /// An inspector for an app at a known base URL.
    public func located(at baseURL: String) -> any PageInspector {
        changing(self) { $0.baseURL = baseURL }
    }
}

extension Finding {
    /// The finding for a response with a body that can't be read as JSON.
    package static func notJSON(_ problem: JSONParseError, page path: String) -> Finding {
        if case .tooDeep(let limit) = problem.kind {
            return Finding(
                .error,
                rule: "deep-nesting",
                path: FindingPath(page: path),
                message: "The page has more than \(limit) levels, and the parsers of phones crash on so deep a page.",
                fix: "Put widgets beside each other instead, or on another page.",
                isRejection: true
            )
        }
        return Finding(
            .error,
            rule: "not-json",
            path: FindingPath(page: path),
            message: "The body can't be read as JSON in UTF-8, so clients can't use it: \(problem).",
            fix: "Answer {\"page\":{\"typ\":\"nav_page\",…}}.",
            isRejection: true
        )
    }
}

extension Dialect {
    /// The dialect of a document's first action; nil for a document without actions.
    init?(ofActionsIn document: JSONValue) {
        if let first = document["actions"]?.array?.first {
            if first.string != nil { self = .documented; return }
            if first.object != nil { self = .objects; return }
        }
        let parts = document.array ?? document.object?.members.map(\.value) ?? []
        for part in parts {
            if let found = Dialect(ofActionsIn: part) { self = found; return }
        }
        return nil
    }
}
