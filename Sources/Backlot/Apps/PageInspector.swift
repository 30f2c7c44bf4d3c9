public import BacklotJSON
public import HTTPTypes

/// Judges the pages of one protocol. Each protocol's module has one, and registers it for preview and check.
public protocol PageInspector: Sendable {
    /// An answer in short, such as `{"items":[]}`: the advice for a body that isn't JSON.
    var exampleAnswer: String { get }

    /// The problems of the page in an answer; empty when all is well.
    ///
    /// - Parameters:
    ///   - document: The answer's body, parsed.
    ///   - path: The page's path below the app's base URL, such as `/new_account`.
    ///   - app: What else the app answers; nil when that isn't known, and links are not followed.
    func findings(in document: JSONValue, path: String, app: RouteLookup?) -> [Finding]

    /// The same for an app whose base URL is known, such as `http://localhost:8080/travel/`: absolute URLs can be judged then.
    func located(at baseURL: String) -> any PageInspector
}

extension PageInspector {
    /// The problems of an answer's body, as a client gets it: `not-json`, or those of the page in it.
    ///
    /// - Parameters:
    ///   - body: The answer's body.
    ///   - path: The page's path below the app's base URL, such as `/new_account`.
    ///   - app: What else the app answers; nil when that isn't known, and links are not followed.
    public func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding] {
        do throws(JSONParseError) {
            return findings(in: try JSONValue(parsing: body), path: path, app: app)
        } catch {
            let message = "The body can't be read as JSON in UTF-8, so clients can't use it: \(error)."
            let path = FindingPath(page: path)
            return [Finding(.error, rule: "not-json", path: path, message: message, fix: "Answer \(exampleAnswer).")]
        }
    }

    /// Itself: not every protocol has rules about absolute URLs.
    public func located(at baseURL: String) -> any PageInspector { self }
}

/// Says which methods an app answers at a path, so that rules can follow the links on a page.
public struct RouteLookup: Sendable {
    private let lookup: @Sendable (String) -> [HTTPRequest.Method]?

    /// A lookup that asks a function.
    ///
    /// - Parameter lookup: The methods that are answered at a path below the app's base URL, such as `/new_account`. An
    ///   empty array says that nothing is there, nil that it isn't known; links to it are not reported then.
    public init(_ lookup: @escaping @Sendable (String) -> [HTTPRequest.Method]?) {
        self.lookup = lookup
    }

    /// The methods that are answered at a path; nil when it isn't known.
    public func methods(at path: String) -> [HTTPRequest.Method]? {
        lookup(path)
    }
}
