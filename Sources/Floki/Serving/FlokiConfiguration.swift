public import Backlot

/// How an app is served.
public struct FlokiConfiguration: Sendable {
    /// The address under which clients reach the app.
    public var address = AppAddress.ofRequest
    /// The path of the version indicator, below the app's. It is built into clients.
    public var indicatorPath = "v1-app"
    /// The path of the app data, below the app's.
    public var dataPath = "v1-appdata"
    /// For how many seconds clients keep the indicator: 1 to 2147483648 (2³¹, of which clients get one second less); 12 hours by default.
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
    /// How many bytes of feeds' answers are kept in memory, to be sent again while the feeds don't change; 16 MiB by default, 0 for
    /// none. Answers of more than an eighth of it are made anew each time.
    public var windowCacheSize = 16 * 1024 * 1024
    /// How many words a search has at most; further ones are ignored.
    public var maximumWords = 16

    /// The default configuration.
    public init() {}
}

/// The address under which clients reach an app: the beginning of every URL that it sends.
public enum AppAddress: Sendable, Equatable {
    /// The name in the request's `Host`, with the request's scheme. For development only: behind a proxy, or with a cache that several clients
    /// share, use `fixed`.
    case ofRequest
    /// An address such as `https://example.com`, without the path that the app is mounted at.
    case fixed(String)

    /// What is wrong with the address; nil if it is fine.
    var problem: String? {
        guard case .fixed(let url) = self else { return nil }
        let isRight =
            ["http", "https"].contains(url.atScheme?.scheme) && !url.hasSuffix("/")
            && url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"\\?#".utf8.contains($0) }
        return isRight ? nil : "the address '\(url)' must begin with http:// or https:// and have no slash at its end"
    }

    /// The address for a request, with the path of the app.
    ///
    /// - Throws: `StatusError` with 400 for a request whose `Host` can't stand in a URL.
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

    /// Whether a text can be the host of a URL, and stand in JSON without escapes.
    static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255
            && text.utf8.allSatisfy { byte in
                byte.isLetter || byte.isDigit || "-._:[]".utf8.contains(byte)
            }
    }
}
