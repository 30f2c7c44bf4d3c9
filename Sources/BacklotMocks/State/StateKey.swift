public import Backlot
import Logging

/// The part of a request that tells clients apart. Each client has its own states of scenarios and its own data.
public enum StateKey: Sendable, Hashable {
    /// The cookie `session`.
    case cookie
    /// A header field, such as `Authorization`; the cookie for requests without the field. Requests with neither are those of
    /// one client, which gets no cookie.
    case field(HTTPField.Name)

    /// Reads `cookie`, or the name of a header field.
    ///
    /// - Returns: nil for a text that can't be the name of a field.
    public init?(_ text: String) {
        if text.lowercased() == "cookie" {
            self = .cookie
        } else {
            guard let name = HTTPField.Name(text) else { return nil }
            self = .field(name)
        }
    }
}

/// The keys of a folder of routes: `settings.yaml` holds for the folder that it is in, and for those below it.
struct FolderStateKeys: Sendable {
    private var keys: [(folder: String, file: String, key: StateKey)] = []

    /// Replaces the key of a settings file; nil removes it.
    mutating func set(_ key: StateKey?, ofFile file: String) {
        keys.removeAll { $0.file == file }
        guard let key else { return }
        keys.append((String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]), file, key))
        keys.sort { ($0.folder.utf8.count, $0.file) > ($1.folder.utf8.count, $1.file) }
    }

    /// The key of the nearest folder; nil without settings.
    func key(of source: StubSource) -> StateKey? {
        guard !keys.isEmpty, case .file(let file, _) = source else { return keys.first { $0.folder.isEmpty }?.key }
        return keys.first { $0.folder.isEmpty || file.hasPrefix("\($0.folder)/") }?.key
    }
}

/// Reads `settings.yaml`, which says how the mocks of its folder, and of the folders below it, behave.
struct SettingsFile {
    static let kind = Kind(
        "settings file",
        as: [.settingsFile],
        "Settings of the mocks in the folder of the file, and in the folders below it.",
        keys: [
            .optional(
                "stateBy",
                .string,
                "The part of a request that tells clients apart: cookie, or the name of a header field.",
                default: "cookie"
            )
        ]
    )

    private let file: String

    /// - Returns: nil for files that are about something else.
    init?(_ file: String) {
        // data/settings.yaml declares the data `settings`.
        guard ["settings.yaml", "settings.yml", "settings.json"].contains(file.split(separator: "/").last ?? ""),
            !file.hasPrefix("data/")
        else { return nil }
        self.file = file
    }

    /// Reads the file's bytes.
    ///
    /// - Throws: `MockFileErrors`.
    func read(_ bytes: [UInt8]) throws(MockFileErrors) -> LoadedFile {
        let source = try SourceText(bytes, of: file)
        var loaded = LoadedFile()
        var reader = MockReader(isForeign: false)
        do throws(StubError) {
            let document = LocatedValue(source.document)
            try reader.check(document, as: .settingsFile)
            if let name = document["stateBy"], let text = name.value.string {
                guard let key = StateKey(text) else {
                    throw name.problem(
                        "\(text.shown) is no header field; write cookie, or a name such as Authorization"
                    )
                }
                loaded.stateKey = key
            }
        } catch {
            throw source.problems([error])
        }
        loaded.routes = ["the settings of the folder '\(file.split(separator: "/").dropLast().joined(separator: "/"))'"]
        return loaded
    }
}

/// Notes once that a client loses the states that it changes, because it doesn't keep its cookie.
final class LostCookieLog: Sendable {
    /// The most clients that are remembered.
    private static let most = 1000

    private struct State {
        var isSaid = false
        /// The clients that got a cookie: their addresses and programs.
        var clients: Set<String> = []
    }

    private let logger: Logger
    private let state = Locked(State())

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Remembers a client that gets a cookie now.
    func gotCookie(_ request: MockRequest) {
        state.withLock { state in
            guard !state.isSaid else { return }
            if state.clients.count >= Self.most { state.clients = [] }
            state.clients.insert(Self.client(request))
        }
    }

    /// Looks at a request without a cookie, to a route with states.
    func cameWithout(_ request: MockRequest) {
        let isNew = state.withLock { state in
            guard !state.isSaid, !state.clients.isEmpty, state.clients.contains(Self.client(request)) else {
                return false
            }
            state = State(isSaid: true)
            return true
        }
        guard isNew else { return }
        let hasToken = request.headers.contains(.authorization)
        let cure =
            hasToken
            ? "--state-by Authorization, or 'stateBy: Authorization' in settings.yaml"
            : "--state-by X-Client, or 'stateBy: X-Client' in settings.yaml, if each client sends a value of its own in that field"
        logger.warning(
            "\(request.title) comes without the session cookie that this client got when it changed a state, so it sees none of its changes. Let the client keep cookies, or tell clients apart by a header field: \(cure) (this is said once)"
        )
    }

    private static func client(_ request: MockRequest) -> String {
        var address = request.clientAddress
        address.port = 0
        return "\(address) \(request.headerValues("User-Agent").first?.prefix(200) ?? "")"
    }
}

extension MockRequest {
    /// The longest value that identifies a session. Longer cookies are ignored, and longer header fields count by their hashes.
    private static let longestSession = 256

    /// The scope of the session cookie; the shared one without such a cookie.
    public var scope: ScenarioStates.Scope { scope(by: .cookie) }

    /// The scope of the request's client; the shared one for a request that tells nothing.
    func scope(by key: StateKey) -> ScenarioStates.Scope {
        if case .field(let name) = key, let value = headers[name], !value.isEmpty { return .client(value) }
        let others = key == .cookie ? ScenarioStates.Scope.shared : .session("")
        guard headers.contains(.cookie), let cookie = cookies.first(where: { $0.name == "session" }),
            (1...Self.longestSession).contains(cookie.value.utf8.count)
        else { return others }
        return .session(cookie.value)
    }
}

extension ScenarioStates.Scope {
    /// The scope of the clients that send a value: in their cookie, or in the header field that tells them apart.
    static func client(_ value: String) -> Self {
        .session(value.utf8.count > 256 ? "sha256:\(ContentHash.text(of: Array(value.utf8)))" : value)
    }
}

extension MockBackend {
    /// The key that tells the clients of a stub apart: the configuration's, or else its folder's.
    func stateKey(of source: StubSource) -> StateKey {
        configuration.stateKey ?? folderStateKeys.withLock { $0.key(of: source) } ?? .cookie
    }

    /// The scope of the states of a request's client.
    func scope(of request: MockRequest, by key: StateKey) -> ScenarioStates.Scope {
        guard !configuration.sharesState else { return .shared }
        let scope = request.scope(by: key)
        if scope == .shared, key == .cookie { lostCookieLog.cameWithout(request) }
        return scope
    }
}
