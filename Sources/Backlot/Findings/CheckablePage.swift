public import HTTPTypes

/// A page that `check` requests and inspects; protocol modules add one for each of theirs.
public struct CheckablePage: Sendable {
    /// The path of the app's base URL, such as `/` or `/objects/`.
    public var basePath: String
    /// The page's path below it, with `{parameters}` perhaps.
    public var path: String
    /// How to request it. None: by its path, with nobody logged in.
    public var samples: [PageSample]
    /// Why it is not checked; nil for a page that is.
    public var exemption: String?
    /// What judges its answers.
    public var inspector: any PageInspector
    /// Makes the header fields of a request by a user who is logged in; nil where the app knows no log-in.
    public var logIn: (@Sendable (_ user: String) async throws -> HTTPFields)?

    /// A page to check.
    public init(
        basePath: String,
        path: String,
        samples: [PageSample],
        exemption: String? = nil,
        inspector: any PageInspector,
        logIn: (@Sendable (_ user: String) async throws -> HTTPFields)? = nil
    ) {
        self.basePath = basePath
        self.path = path
        self.samples = samples
        self.exemption = exemption
        self.inspector = inspector
        self.logIn = logIn
    }
}
