public import Backlot
public import DynamicViews
internal import Logging

/// An app with Dynamic Views without a device: it behaves as the real client does, and a test uses it as a person would.
///
/// ```swift
/// let app = try DynamicViewsClient(router)
/// try await app.load("profile")
/// try await app.toggle("Profile.showOnboarding")
/// try await app.choose("staging", in: "Profile.environment")
/// #expect(app.storage["io.snabble.environment"] == "io.snabble.environment.staging")
/// ```
/// After each interaction the document is loaded again, unless the answer has it. A step that can't be done throws a ``StepError``, a document that breaks
/// the rules of the DynamicViews module a ``BackendError``, and what the server refuses a ``DynamicViewsClientError``.
public final class DynamicViewsClient: SteppedClient {
    /// A document that was loaded, with its entity tag.
    struct Loaded {
        let document: JSONObject
        let tag: String?
    }

    /// How the client behaves.
    public let configuration: DynamicViewsClientConfiguration
    /// The address that views are below.
    public let url: HTTPURL
    var session: ClientSession
    var loaded: [String: Loaded] = [:]
    /// The names of the views that navigation has led through, the one on the screen last.
    public internal(set) var stack: [String] = []
    /// The app's own storage: under the key of a toggle whether it is on, under the id of a multiValue the id of an option.
    public internal(set) var storage: [String: JSONValue] = [:]
    /// Whether the last answer said that the document hasn't changed.
    public internal(set) var isNotModified = false
    /// Whether the items of developerMode are shown.
    public internal(set) var hasDeveloperMode = false
    /// The taps on the version since the last question for the password.
    var versionTaps = 0
    /// Whether the dialog is open that asks for the password of developer mode.
    public internal(set) var asksForPassword = false
    /// The views of the index, where it was loaded.
    var views: [String] = []
    /// The interactions that were sent, the last one at the end.
    public internal(set) var sent: [JSONObject] = []

    package init(_ transport: any ClientTransport, _ url: HTTPURL, _ configuration: DynamicViewsClientConfiguration) {
        self.url = url
        self.configuration = configuration
        session = ClientSession(transport, limits: configuration.limits)
    }

    /// A client of views in this process, without a socket.
    ///
    /// - Throws: `StartupError`, which lists the mistakes in what was registered.
    public convenience init(
        _ router: Router,
        at path: String = "/views/",
        configuration: DynamicViewsClientConfiguration = DynamicViewsClientConfiguration()
    ) throws {
        let transport = try InProcessTransport(router.handler())
        self.init(transport, try HTTPURL(InProcessTransport.root).resolving(path), configuration)
    }

    /// A client of any backend, by the address that its views are below, such as `http://127.0.0.1:8080/views/`.
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

/// How a ``DynamicViewsClient`` behaves.
public struct DynamicViewsClientConfiguration: Sendable {
    /// The user's answer to the question for the location.
    public enum LocationPermission: String, Sendable, CaseIterable {
        /// Nothing yet.
        case notDetermined
        /// No.
        case denied = "denied-restricted"
    }

    /// The dialect that it asks for, and judges documents by.
    public var dialect = Dialect.ios
    /// The user's answer to the question for the location, which a tap on its widget sends.
    public var locationPermission = LocationPermission.notDetermined
    /// The password that turns developer mode on.
    public var developerPassword = "Snabble"
    /// Whether it asks the server to answer interactions with the document (`Prefer: return=representation`), so that it needs no
    /// second request. Where a server answers without one, it loads the document again.
    public var asksForDocument = false
    /// How much it takes of a server.
    public var limits = ClientLimits()

    /// The default configuration.
    public init() {}
}

/// Why a client got no document, or an interaction was not taken.
public enum DynamicViewsClientError: Error, Equatable, CustomStringConvertible {
    /// The server can't be reached. The text says why.
    case serverAway(String)
    /// The server refuses.
    case refused(status: Int, text: String)
    /// The answer is no document. The text says why.
    case noDocument(String)

    /// What went wrong.
    public var description: String {
        switch self {
        case .serverAway(let why): "the server can't be reached: \(why)"
        case .refused(let status, let text): "the server answers \(status): \(text)"
        case .noDocument(let why): "the answer is no document: \(why)"
        }
    }
}
