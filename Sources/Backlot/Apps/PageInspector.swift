/// Checks the pages of one protocol. Each protocol's module has one, and registers it for preview and checks.
public protocol PageInspector: Sendable {
    /// A short response, such as `{"items":[]}`, which the finding for a body that isn't JSON shows as an example.
    var exampleResponse: String { get }

    /// The findings of the page in a response; empty for a correct page.
    ///
    /// - Parameters:
    ///   - document: The body of the response, parsed.
    ///   - path: The page's path below the app's base URL, such as `/new_account`.
    ///   - app: The app's other routes; nil if unknown: then the inspector doesn't follow links.
    func findings(in document: JSONValue, path: String, app: RouteLookup?) -> [Finding]

    /// The findings of a response's body as a client receives it: `not-json`, or the findings of the page.
    func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding]

    /// The pictures on the page in a response, so that a crawl can request them.
    func pictures(inBody body: [UInt8], path: String) -> [PagePicture]

    /// The inspector for an app at a known base URL, such as `http://localhost:8080/travel/`. It also checks absolute URLs.
    func located(at baseURL: String) -> any PageInspector
}

extension PageInspector {
    /// The findings of a response's body: `not-json`, or the findings of the page.
    public func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding] {
        do throws(JSONParseError) {
            return findings(in: try JSONValue(parsing: body), path: path, app: app)
        } catch {
            let message = "The body can't be read as JSON in UTF-8, so clients can't use it: \(error)."
            let path = FindingPath(page: path)
            return [Finding(.error, rule: "not-json", path: path, message: message, fix: "Answer \(exampleResponse).")]
        }
    }

    /// An empty list.
    public func pictures(inBody body: [UInt8], path: String) -> [PagePicture] { [] }

    /// This inspector unchanged, for protocols without rules about absolute URLs.
    public func located(at baseURL: String) -> any PageInspector { self }
}

/// A picture on a page.
public struct PagePicture: Sendable {
    /// The link's address, as written on the page: a path from the host's root, or an absolute URL.
    public let url: String
    /// The link's position on the page.
    public let place: FindingPath

    /// Creates a picture.
    public init(url: String, place: FindingPath) {
        self.url = url
        self.place = place
    }

    /// The finding for a picture that can't be shown.
    ///
    /// - Parameter problem: the reason, which follows the address: `which answers 404 Not Found`.
    package func isDead(_ problem: String) -> Finding {
        Finding(
            .warning,
            rule: "dead-image",
            path: place,
            message: "The picture is at \(url.quoted), \(problem), so clients show a placeholder.",
            fix: "Correct the address, or put a picture there."
        )
    }
}

/// The target of an action on a page, for a crawl to follow.
package struct PageLink: Sendable, Equatable {
    /// The kind of its target.
    package enum Kind: Sendable {
        case page, rpc, upload
    }

    /// The kind of its target.
    package let kind: Kind
    /// The action's name: `push`.
    package let action: String
    /// The path or URL, as written on the page.
    package let target: String
    /// The position of the action on the page.
    package let place: FindingPath

    package init(kind: Kind, action: String, target: String, place: FindingPath) {
        self.kind = kind
        self.action = action
        self.target = target
        self.place = place
    }
}

/// Tells which methods an app accepts at a path, so that rules can check the links on a page.
public struct RouteLookup: Sendable {
    private let lookup: @Sendable (String) -> [HTTPRequest.Method]?
    /// The variables that the handler of POST at a path requires, if known.
    var requiredVariables: @Sendable (String) -> [String] = { _ in [] }
    /// The path of the app's base URL, such as `/travel/`.
    package let basePath: String

    /// Creates a lookup that calls a function.
    ///
    /// - Parameters:
    ///   - basePath: the path of the app's base URL.
    ///   - lookup: the methods that the app accepts at a path below its base URL, such as `/new_account`. Return an empty array for
    ///     an unknown path. Return nil if the methods aren't known: then rules don't report links to the path.
    public init(below basePath: String = "/", _ lookup: @escaping @Sendable (String) -> [HTTPRequest.Method]?) {
        self.basePath = basePath
        self.lookup = lookup
    }

    /// The variables that the handler of POST at a path requires, if known.
    package func requiredVariables(at path: String) -> [String] { requiredVariables(path) }

    /// The methods that the app accepts at a path; nil if unknown.
    public func methods(at path: String) -> [HTTPRequest.Method]? { lookup(path) }
}
