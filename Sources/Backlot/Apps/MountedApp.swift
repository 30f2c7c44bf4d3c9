/// An app of one of the protocols, as it is mounted on a router: what preview must know to show it. Protocol modules add one
/// for each of theirs.
public struct MountedApp: Sendable {
    /// The protocol that its clients speak: its name is that of the client that preview shows.
    public var appProtocol: AppProtocol
    /// The path of the app's base URL, such as `/objects/`, or of its one address.
    public var basePath: String
    /// What its clients must know before they ask for anything, such as `["dialect": "objects"]`.
    public var facts: [String: String]
    /// What judges its answers.
    public var inspector: any PageInspector
    /// What it answers where, below its base URL; nil when that isn't known, and links are not followed.
    public var lookup: RouteLookup?
    /// Its sessions; nil where it has none.
    public var sessions: AppSessions?
    /// Gives the words of its responses, where they aren't all the protocol's.
    private var words: (@Sendable () -> Vocabulary)?
    /// Whether a path, from the host's root and percent-encoded, is one of its pages.
    public var hasPage: @Sendable (_ path: String) -> Bool
    /// Finds the paths of its pages that can be opened as they are, from the host's root: preview lists them, the first as
    /// where the app begins.
    public var openPages: @Sendable () -> [String]

    /// An app.
    public init(
        _ appProtocol: AppProtocol,
        basePath: String,
        facts: [String: String] = [:],
        inspector: any PageInspector,
        lookup: RouteLookup? = nil,
        sessions: AppSessions? = nil,
        openPages: (@Sendable () -> [String])? = nil,
        hasPage: @escaping @Sendable (_ path: String) -> Bool
    ) {
        self.appProtocol = appProtocol
        self.basePath = basePath
        self.facts = facts
        self.inspector = inspector
        self.lookup = lookup
        self.sessions = sessions
        self.hasPage = hasPage
        self.openPages = openPages ?? { hasPage(basePath) ? [basePath] : [] }
    }
}

extension MountedApp {
    /// The path at which its clients begin.
    package var startPath: String { facts["indicator"] ?? basePath }

    /// Writes one of its responses in Swift; nil for a protocol that has no DSL to write it in.
    package var swiftSource: (@Sendable (JSONValue) throws(DocumentError) -> SwiftSource)? {
        (words?() ?? appProtocol.vocabulary).swiftSource
    }

    /// The JSON Schema of its responses, for editors; nil for a protocol without words.
    package var schema: JSONValue? {
        let kinds = words.map { Array($0().kinds.prefix(1)) } ?? appProtocol.responseKinds
        guard let first = kinds.first else { return nil }
        let schema = VocabularySchema(words?() ?? appProtocol.vocabulary, roots: kinds) { _ in false }
        guard kinds.count > 1 else { return schema.document(of: first, title: first.name) }
        let choice = JSONValue.array(kinds.map { schema.reference(to: $0) })
        return schema.document(title: "answer", "One of the app's answers.", [("anyOf", choice)])
    }

    /// The app, with words of its own, which are made when they are first needed.
    package func speaking(_ vocabulary: @escaping @Sendable @autoclosure () -> Vocabulary) -> MountedApp {
        var app = self
        app.words = vocabulary
        return app
    }
}

/// The paths of an app's pages, to find out whether a path is one of them.
public struct PagePaths: Sendable {
    private let tree: PathPatternTree<Bool>

    /// The pages with these paths, from the host's root and with `{parameters}` perhaps. Malformed paths are skipped.
    public init(_ paths: some Sequence<String>) {
        var tree = PathPatternTree<Bool>()
        for pattern in paths.compactMap({ try? PathPattern($0) }) { tree.change(pattern) { $0 = [true] } }
        self.tree = tree
    }

    /// Whether a path, percent-encoded as a client sends it, is a page's.
    public func contains(_ path: String) -> Bool {
        PathSegments.of(path).flatMap { tree.first(at: $0) } != nil
    }
}
