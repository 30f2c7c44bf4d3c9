public import Backlot
public import DynamicViews
internal import Logging

/// An app with Dynamic Views without a device. It behaves like the real client, and a test uses it the way a person would.
///
/// ```swift
/// let app = try DynamicViewsClient(router)
/// try await app.load("profile")
/// try await app.toggle("Profile.showOnboarding")
/// try await app.choose("staging", from: "Profile.environment")
/// #expect(app.storage["io.snabble.environment"] == "io.snabble.environment.staging")
/// ```
/// After each interaction the client reloads the document, unless the response contains it. An impossible step throws a
/// ``StepError``, a document that breaks the rules of the DynamicViews module throws a ``BackendError``, and a rejection by the
/// server throws a ``DynamicViewsClientError``.
public final class DynamicViewsClient: SteppedClient {
    /// A loaded document with its entity tag.
    struct Loaded {
        let document: JSONObject
        let tag: String?
    }

    /// The client's configuration.
    public let configuration: DynamicViewsClientConfiguration
    /// The address above the views.
    public let url: HTTPURL
    var session: ClientSession
    var loaded: [String: Loaded] = [:]
    /// The names of the views opened by navigation, the current one last.
    public internal(set) var stack: [String] = []
    /// The app's storage: for a toggle's key, whether it is on; for a multiValue's id, the id of the chosen option.
    public internal(set) var storage: [String: JSONValue] = [:]
    /// Whether the last response said that the document is unchanged.
    public internal(set) var isNotModified = false
    /// Whether the items of developerMode are shown.
    public internal(set) var hasDeveloperMode = false
    /// The number of taps on the version since the last password dialog.
    var versionTaps = 0
    /// Whether the password dialog of developer mode is open.
    public internal(set) var asksForPassword = false
    /// The views of the index, once it is loaded.
    var views: [String] = []
    /// The interactions that the client sent, the latest last.
    public internal(set) var sent: [JSONObject] = []

    package init(_ transport: any ClientTransport, _ url: HTTPURL, _ configuration: DynamicViewsClientConfiguration) {
        self.url = url
        self.configuration = configuration
        session = ClientSession(transport, limits: configuration.limits)
    }

    /// Creates a client of views in this process, without a socket.
    ///
    /// - Throws: `StartupError`, which lists the mistakes in the registered routes.
    public convenience init(
        _ router: Router,
        at path: String = "/views/",
        configuration: DynamicViewsClientConfiguration = DynamicViewsClientConfiguration()
    ) throws {
        let transport = try InProcessTransport(router.handler())
        self.init(transport, try HTTPURL(InProcessTransport.root).resolving(path), configuration)
    }

    /// Creates a client of any backend, by the address above its views, such as `http://127.0.0.1:8080/views/`.
    public convenience init(
        url: String,
        transport: any ClientTransport = SocketTransport(),
        configuration: DynamicViewsClientConfiguration = DynamicViewsClientConfiguration()
    ) throws {
        self.init(transport, try HTTPURL(url), configuration)
    }

    /// The name of the view on the screen; nil before one is loaded.
    public var name: String? { stack.last }

    /// The document on the screen.
    public var document: JSONObject { name.flatMap { loaded[$0]?.document } ?? [:] }
}

/// The configuration of a ``DynamicViewsClient``.
public struct DynamicViewsClientConfiguration: Sendable {
    /// The user's decision about access to the location.
    public enum LocationPermission: String, Sendable, CaseIterable {
        /// The user hasn't decided yet.
        case notDetermined
        /// The user declined.
        case denied = "denied-restricted"
    }

    /// The dialect that the client requests, and the rules for its documents.
    public var dialect = Dialect.ios
    /// The user's decision about access to the location, which a tap on its widget sends.
    public var locationPermission = LocationPermission.notDetermined
    /// The password that turns developer mode on.
    public var developerPassword = "Snabble"
    /// Whether the client asks the server for the document in responses to interactions (`Prefer: return=representation`), which
    /// saves a request. If the server responds without it, the client reloads the document.
    public var asksForDocument = false
    /// The limits of size and time for responses.
    public var limits = ClientLimits()

    /// Creates the default configuration.
    public init() {}
}

/// The reason why a client got no document, or why the server rejected an interaction.
public enum DynamicViewsClientError: Error, Equatable, CustomStringConvertible {
    /// The server can't be reached. The text is the reason.
    case serverAway(String)
    /// The server rejected the request.
    case refused(status: Int, text: String)
    /// The response isn't a document. The text is the reason.
    case noDocument(String)

    /// A description of the error.
    public var description: String {
        switch self {
        case .serverAway(let why): "the server can't be reached: \(why)"
        case .refused(let status, let text): "the response's status is \(status): \(text)"
        case .noDocument(let why): "the response isn't a document: \(why)"
        }
    }
}
