/// Judges the pages of one protocol. Each protocol's module has one, and registers it for preview and check.
public protocol PageInspector: Sendable {
    /// An answer in short, such as `{"items":[]}`: the advice for a body that isn't JSON.
    var exampleResponse: String { get }

    /// The problems of the page in an answer; empty when all is well.
    ///
    /// - Parameters:
    ///   - document: The answer's body, parsed.
    ///   - path: The page's path below the app's base URL, such as `/new_account`.
    ///   - app: What else the app answers; nil when that isn't known, and links are not followed.
    func findings(in document: JSONValue, path: String, app: RouteLookup?) -> [Finding]

    /// The problems of an answer's body, as a client gets it: `not-json`, or those of the page in it.
    func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding]

    /// The pictures of the page in an answer, so that it can be seen whether they are there.
    func pictures(inBody body: [UInt8], path: String) -> [PagePicture]

    /// The same for an app whose base URL is known, such as `http://localhost:8080/travel/`: absolute URLs can be judged then.
    func located(at baseURL: String) -> any PageInspector
}

extension PageInspector {
    /// The problems of an answer's body: `not-json`, or those of the page in it.
    public func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding] {
        do throws(JSONParseError) {
            return findings(in: try JSONValue(parsing: body), path: path, app: app)
        } catch {
            let message = "The body can't be read as JSON in UTF-8, so clients can't use it: \(error)."
            let path = FindingPath(page: path)
            return [Finding(.error, rule: "not-json", path: path, message: message, fix: "Answer \(exampleResponse).")]
        }
    }

    /// None.
    public func pictures(inBody body: [UInt8], path: String) -> [PagePicture] { [] }

    /// Itself: not every protocol has rules about absolute URLs.
    public func located(at baseURL: String) -> any PageInspector { self }
}

/// A picture on a page.
public struct PagePicture: Sendable {
    /// Its address, as the page has it: a path from the host's root, or an absolute URL.
    public let url: String
    /// Where on the page it stands.
    public let place: FindingPath

    /// A picture.
    public init(url: String, place: FindingPath) {
        self.url = url
        self.place = place
    }

    /// The finding that it can't be shown.
    ///
    /// - Parameter problem: what is wrong, after the address: `which answers 404 Not Found`.
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

/// Where an action of a page leads: what a crawl follows.
package struct PageLink: Sendable, Equatable {
    /// The kind of its target.
    package enum Kind: Sendable {
        case page, rpc, upload
    }

    /// The kind of its target.
    package let kind: Kind
    /// The action's name: `push`.
    package let action: String
    /// The path or URL, as the page has it.
    package let target: String
    /// Where on the page the action stands.
    package let place: FindingPath

    package init(kind: Kind, action: String, target: String, place: FindingPath) {
        self.kind = kind
        self.action = action
        self.target = target
        self.place = place
    }
}

/// Says which methods an app answers at a path, so that rules can follow the links on a page.
public struct RouteLookup: Sendable {
    private let lookup: @Sendable (String) -> [HTTPRequest.Method]?
    /// The variables that the handler of POST at a path can't do without, where that is known.
    var requiredVariables: @Sendable (String) -> [String] = { _ in [] }
    /// The path of the app's base URL, such as `/travel/`.
    package let basePath: String

    /// A lookup that asks a function.
    ///
    /// - Parameters:
    ///   - basePath: the path of the app's base URL.
    ///   - lookup: the methods that are answered at a path below the app's base URL, such as `/new_account`. An
    ///     empty array says that nothing is there, nil that it isn't known; links to it are not reported then.
    public init(below basePath: String = "/", _ lookup: @escaping @Sendable (String) -> [HTTPRequest.Method]?) {
        self.basePath = basePath
        self.lookup = lookup
    }

    /// The variables that the handler of POST at a path can't do without, where that is known.
    package func requiredVariables(at path: String) -> [String] { requiredVariables(path) }

    /// The methods that are answered at a path; nil when it isn't known.
    public func methods(at path: String) -> [HTTPRequest.Method]? { lookup(path) }
}
