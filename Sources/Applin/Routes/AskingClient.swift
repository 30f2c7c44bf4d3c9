public import Backlot

/// The client that asks for a page, as an app with a `ClientField` knows it.
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
    func askers(_ words: ApplinLanguage) -> [PageAsker] {
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
    /// The client that asks for a page; nil in an app without a `ClientField`, and outside of pages.
    public internal(set) var askingClient: AskingClient? {
        get { attributes[ClientAttribute.self] }
        set { attributes[ClientAttribute.self] = newValue }
    }
}
