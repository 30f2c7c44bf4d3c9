public import Backlot

/// The client that requests a page, in an app with a `ClientField`.
public struct RequestingClient: Sendable, Equatable {
    /// The client's version in the request; nil for a missing or invalid version.
    public let namedVersion: ClientVersion?
    /// The version that the page is made for: the request's version, moved into the range of clients that the app is for; without
    /// one, the oldest of these.
    public let version: ClientVersion

    /// The dialect of the client's actions.
    public var dialect: Dialect { Dialect(of: version) }

    /// Whether the client understands a widget and all widgets inside it.
    public func supports(_ widget: any Widget) -> Bool { widget.supports(version) }
}

/// Determines the client that a page is made for.
struct ClientChoice: Sendable {
    /// The version of clients that don't send theirs.
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

    func client(of request: Request) -> RequestingClient {
        let named = request.headers[name].flatMap(field.version)
        return RequestingClient(namedVersion: named, version: named.map { min(max($0, oldest), newest) } ?? usual)
    }

    /// The requests for a page by clients of different versions.
    ///
    /// - Parameter words: the vocabulary of the app's clients.
    func pageClients(_ words: ApplinLanguage) -> [PageClient] {
        let releases = ReleasedClients.releases.filter { $0 >= oldest }
        return ReleasedClients.groups(of: releases).map { group in
            let (first, last) = (group[0], group[group.count - 1])
            return PageClient(
                title: first == last ? "\(first)" : "\(first) to \(last)",
                headers: field.fields(telling: last),
                inspector: ApplinInspector(readBy: first...last, words: words)
            )
        }
    }
}

private enum ClientAttribute: RequestAttribute {
    typealias Value = RequestingClient
}

extension Request {
    /// The client that requests the page; nil in an app without a `ClientField`, and outside of pages.
    public internal(set) var requestingClient: RequestingClient? {
        get { attributes[ClientAttribute.self] }
        set { attributes[ClientAttribute.self] = newValue }
    }
}
