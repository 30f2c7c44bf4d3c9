public import Backlot

/// Settings of an app.
///
/// ```swift
/// var configuration = FlokiConfiguration()
/// configuration.address = .fixed("https://news.example.com")
/// router.floki("/floki", configuration: configuration) { app in
///     app.language("en", ["about": "About"])
///     app.tab(1, "about", webViewController(app.page("about") { _ in "<h1>News</h1>" }))
/// }
/// ```
public struct FlokiConfiguration: Sendable {
    /// The address under which clients reach the app.
    public var address = AppAddress.ofRequest
    /// The path of the version indicator, below the app's. It is built into clients.
    public var indicatorPath = "v1-app"
    /// The path of the app data, below the app's.
    public var dataPath = "v1-appdata"
    /// The time for which clients keep the indicator: 1 to 2147483648 seconds; 12 hours by default. For 2147483648 (2³¹), clients get
    /// one second less.
    public var ttl = Duration.seconds(12 * 60 * 60)
    /// Keeps the version and the numbers of texts: a ``RecordFile``, or the store of the feeds. Servers that share the store use the
    /// same version and numbers. With nil, both are forgotten when the process ends.
    public var record: (any AppRecordStore)?
    /// The version of the app data, for an app that doesn't count its versions in a record; nil to count them.
    var version: Int?
    /// The clock that decides when entries end.
    public var clock = SessionClock.system
    /// Makes the pages of items.
    public var template: any ItemTemplate = PlainItemTemplate()
    /// The memory for feeds' responses, in bytes: they are sent again while the feeds don't change. 16 MiB by default; 0 turns it
    /// off. Responses larger than an eighth of it aren't kept.
    public var windowCacheBytes = 16 * 1024 * 1024
    /// The maximum number of words in a search; further ones are ignored.
    public var maximumWords = 16

    /// Creates the default configuration.
    public init() {}
}

/// The address under which clients reach an app: the beginning of every URL that it sends.
public enum AppAddress: Sendable, Equatable {
    /// The name in the request's `Host`, with the request's scheme. For development only: use `fixed` behind a proxy, or with a cache
    /// that several clients share.
    case ofRequest
    /// An address such as `https://example.com`, without the path that the app is mounted at.
    case fixed(String)

    /// The problem with the address; nil if it is fine.
    var problem: String? {
        guard case .fixed(let url) = self else { return nil }
        let isRight =
            ["http", "https"].contains(url.atScheme?.scheme) && !url.hasSuffix("/")
            && url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"\\?#".utf8.contains($0) }
        return isRight ? nil : "the address '\(url)' must begin with http:// or https:// and have no slash at its end"
    }

    /// The address for a request, with the path of the app.
    ///
    /// - Throws: `StatusError` with 400 for a request with a `Host` that a URL can't contain.
    func base(for request: Request, mount: String) throws -> String {
        switch self {
        case .fixed(let url): return url + mount
        case .ofRequest:
            guard let host = Self.host(of: request), Self.isHost(host) else {
                throw StatusError(.badRequest, "the Host must be a name or an address, with or without a port")
            }
            return "\(request.scheme)://\(host)\(mount)"
        }
    }

    private static let hostName = HTTPField.Name("Host")

    static func host(of request: Request) -> String? { hostName.flatMap { request.headers[$0] } }

    /// Whether a text can be the host of a URL, and be written in JSON without escapes.
    static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255
            && text.utf8.allSatisfy { byte in
                byte.isLetter || byte.isDigit || "-._:[]".utf8.contains(byte)
            }
    }
}
