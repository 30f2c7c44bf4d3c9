public import Backlot

/// The field of a request that says of which version the client is that asks.
///
/// ```swift
/// router.applin("/", clients: "0.28"..., clientField: "X-Client-Version") { app in … }
/// router.applin("/", clients: "0.34"..., clientField: .product("Applin")) { app in … }      // User-Agent: Shop/7 Applin/0.36
/// ```
public struct ClientField: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The field's name.
    public let name: String
    /// The product whose version is meant where the field lists several; nil where the version stands alone.
    public let product: String?

    /// A field that holds a version alone, such as `X-Client-Version: 0.36`.
    public init(stringLiteral name: String) {
        self.init(name)
    }

    /// A field that holds a version alone, such as `X-Client-Version: 0.36`.
    public init(_ name: String) {
        self.name = name
        product = nil
    }

    /// Whether the name is a field's, and of none that has another meaning for servers.
    package var isUsable: Bool { HTTPField.Name(name) != nil && !Self.taken.contains(name.lowercased()) }

    private static let taken: Set<String> = [
        "accept", "accept-encoding", "authorization", "connection", "content-length", "content-type", "cookie",
        "expect",
        "host", "te", "transfer-encoding", "upgrade",
    ]

    private init(_ name: String, product: String) {
        self.name = name
        self.product = product
    }

    /// A field that lists products with their versions (RFC 9110, section 10.1.5), such as `User-Agent: Shop/7 Applin/0.36`.
    public static func product(_ product: String, in name: String = "User-Agent") -> ClientField {
        ClientField(name, product: product)
    }

    /// The field in a request of a client; nothing where the name can't be a field's.
    package func fields(telling version: ClientVersion) -> HTTPFields {
        guard let field = HTTPField.Name(name) else { return [:] }
        return [field: product.map { "\($0)/\(version)" } ?? "\(version)"]
    }

    /// The version in a field's value; nil where none can be read.
    func version(in value: String) -> ClientVersion? {
        guard value.utf8.count <= 1000 else { return nil }
        guard let product else { return ClientVersion(String(value[...].trimmed)) }
        for word in value.split(separator: " ") {
            let parts = word.split(separator: "/", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == product.lowercased() {
                return ClientVersion(String(parts[1]))
            }
        }
        return nil
    }
}

/// The client that asks for a page, as an app with a ``ClientField`` knows it.
public struct AskingClient: Sendable, Equatable {
    /// The version that the request names; nil where it names none, or nonsense.
    public let namedVersion: ClientVersion?
    /// The version that the page is made for: the one that the request names, moved into the range of clients that the app is
    /// for, or else the oldest of these.
    public let version: ClientVersion

    /// How it reads actions.
    public var dialect: Dialect { Dialect(of: version) }

    /// Whether it understands all that a widget, or one inside it, needs.
    public func supports(_ widget: any Widget) -> Bool { widget.supports(version) }
}

/// Finds out which client a page is made for.
struct ClientChoice: Sendable {
    /// The version of those that don't tell theirs.
    let usual: ClientVersion
    private let oldest: ClientVersion
    private let newest: ClientVersion
    let field: ClientField
    let name: HTTPField.Name

    /// - Parameter clients: the oldest client that the app is for; nil for the newest of the dialect alone.
    init?(_ field: ClientField, dialect: Dialect, clients: PartialRangeFrom<ClientVersion>?) {
        guard field.isUsable, let name = HTTPField.Name(field.name) else { return nil }
        self.field = field
        self.name = name
        newest = Dialect.objects.versions.upperBound
        oldest = clients?.lowerBound ?? Dialect.documented.versions.lowerBound
        usual = clients?.lowerBound ?? dialect.versions.upperBound
    }

    func client(of request: Request) -> AskingClient {
        let named = request.headers[name].flatMap(field.version)
        return AskingClient(namedVersion: named, version: named.map { min(max($0, oldest), newest) } ?? usual)
    }

    /// The ways in which clients of different versions ask for a page.
    ///
    /// - Parameter words: what the app's clients know.
    func askers(_ words: ApplinWords) -> [PageAsker] {
        let releases = ReleasedClients.releases.filter { $0 >= oldest }
        return ReleasedClients.groups(of: releases).map { group in
            let (first, last) = (group[0], group[group.count - 1])
            return PageAsker(
                title: first == last ? "\(first)" : "\(first) to \(last)",
                headers: field.fields(telling: last),
                inspector: ApplinInspector(readBy: first...last, words: words)
            )
        }
    }
}

private enum ClientAttribute: RequestAttribute {
    typealias Value = AskingClient
}

extension Request {
    /// The client that asks for a page; nil in an app without a ``ClientField``, and outside of pages.
    public internal(set) var askingClient: AskingClient? {
        get { attributes[ClientAttribute.self] }
        set { attributes[ClientAttribute.self] = newValue }
    }
}
