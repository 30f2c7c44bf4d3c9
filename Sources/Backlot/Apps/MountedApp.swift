/// An app of a protocol, mounted on a router, with the facts that preview needs to show it. Protocol modules add one for each app.
public struct MountedApp: Sendable {
    /// The protocol that its clients speak. Preview shows the client with its name.
    public var appProtocol: AppProtocol
    /// The path of the app's base URL, such as `/objects/`, or of its one address.
    public var basePath: String
    /// The settings that its clients need before their first request, such as `["dialect": "objects"]`.
    public var facts: [String: String]
    /// The inspector of the app's responses.
    public var inspector: any PageInspector
    /// The routes below its base URL; nil if unknown: then inspectors don't follow links.
    public var lookup: RouteLookup?
    /// The app's sessions; nil for an app without sessions.
    public var sessions: AppSessions?
    /// The vocabulary of its responses, if it differs from the protocol's.
    private var words: (@Sendable () -> Vocabulary)?
    /// Whether a path, from the host's root and percent-encoded, is one of its pages.
    public var hasPage: @Sendable (_ path: String) -> Bool
    /// Finds the paths of its pages that need no parameters, from the host's root. Preview lists them; the app starts at the first.
    public var openPages: @Sendable () -> [String]

    /// Creates an app.
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
    /// The path where the app's clients start.
    package var startPath: String { facts["indicator"] ?? basePath }

    /// Writes one of its responses in Swift; nil for a protocol without a DSL.
    package var swiftSource: (@Sendable (JSONValue) throws(DocumentError) -> SwiftSource)? {
        (words?() ?? appProtocol.vocabulary).swiftSource
    }

    /// The JSON Schema of its responses, for editors; nil for a protocol without a vocabulary.
    package var schema: JSONValue? {
        let kinds = words.map { Array($0().kinds.prefix(1)) } ?? appProtocol.responseKinds
        guard let first = kinds.first else { return nil }
        let schema = VocabularySchema(words?() ?? appProtocol.vocabulary, roots: kinds) { _ in false }
        guard kinds.count > 1 else { return schema.document(of: first, title: first.name) }
        let choice = JSONValue.array(kinds.map { schema.reference(to: $0) })
        return schema.document(title: "response", "One of the app's responses.", [("anyOf", choice)])
    }

    /// The app with a separate vocabulary, made at first use.
    package func speaking(_ vocabulary: @escaping @Sendable @autoclosure () -> Vocabulary) -> MountedApp {
        var app = self
        app.words = vocabulary
        return app
    }
}

/// The paths of an app's pages, for checking whether a path is a page.
public struct PagePaths: Sendable {
    private let tree: PathPatternTree<Bool>

    /// The pages with these paths, from the host's root. A path may hold `{parameters}`. Malformed paths are skipped.
    public init(_ paths: some Sequence<String>) {
        var tree = PathPatternTree<Bool>()
        for pattern in paths.compactMap({ try? PathPattern($0) }) { tree.change(pattern) { $0 = [true] } }
        self.tree = tree
    }

    /// Whether a path, percent-encoded as a client sends it, is a page.
    public func contains(_ path: String) -> Bool {
        PathSegments.of(path).flatMap { tree.first(at: $0) } != nil
    }
}
