package import BacklotJSON

/// A server-driven-UI protocol, declared once. Each protocol's module declares its own, such as `AppProtocol.applin`, and a
/// program lists those that it uses.
///
/// Crawl, comparison, exploration, mocks, preview and commands take what they need to know of a protocol from its declaration, and
/// name none.
public struct AppProtocol: Sendable {
    /// The name in options, JSON and paths: `dynamic-views`.
    public let name: String
    /// The name for people: `Dynamic Views`.
    public let title: String
    /// The parts of its apps, in a line: `documents of widgets, for iOS and Android`.
    public let summary: String
    /// Names that options and files had in earlier versions, and that still work.
    package var formerNames: [String] = []
    /// The Swift module that declares it, for new packages.
    package var module = ""
    /// What judges the responses of an app of which nothing else is known.
    package let inspector: any PageInspector
    /// How files of mocks hold its pages or apps; nil for a protocol without such files.
    package var format: @Sendable () -> FileFormat? = { nil }
    /// The client programs whose verdicts are known.
    package var clients: [KnownClient] = []
    /// The verdicts of a client's releases on pages; nil if all releases read alike.
    package var releases: ReleaseVerdicts?
    /// The type of the headless client, for a protocol that BacklotClients doesn't know.
    package var headlessClient: Any.Type?
    private let words: @Sendable () -> (vocabulary: Vocabulary, responses: [Kind])
    private let isResponse: @Sendable (JSONValue) -> Bool
    private let isStart: @Sendable (JSONValue) -> Bool

    /// Declares a protocol.
    ///
    /// - Parameters:
    ///   - inspector: judges the responses of an app of which nothing else is known.
    ///   - vocabulary: makes the words of its responses, when they are first needed.
    ///   - responses: the kinds of whole responses; without any, the vocabulary's first kind.
    ///   - recognises: whether a document is surely a response of an app.
    ///   - start: whether a document is what stands at the URL of an app, or the response to its client's greeting.
    package init(
        _ name: String,
        title: String,
        summary: String,
        inspector: any PageInspector,
        vocabulary: @escaping @Sendable @autoclosure () -> Vocabulary,
        responses: @escaping @Sendable @autoclosure () -> [Kind] = [],
        recognises: @escaping @Sendable (JSONValue) -> Bool,
        start: (@Sendable (JSONValue) -> Bool)? = nil
    ) {
        (self.name, self.title, self.summary, self.inspector) = (name, title, summary, inspector)
        words = {
            let (vocabulary, responses) = (vocabulary(), responses())
            return (vocabulary, responses.isEmpty ? Array(vocabulary.kinds.prefix(1)) : responses)
        }
        isResponse = recognises
        isStart = start ?? recognises
    }

    /// Declares a protocol that preview lists, and whose responses an inspector judges.
    public init(_ name: String, title: String, summary: String, inspector: any PageInspector) {
        let none = Vocabulary([], for: [], refusal: "")
        self.init(
            name,
            title: title,
            summary: summary,
            inspector: inspector,
            vocabulary: none,
            recognises: { _ in false }
        )
    }

    /// The words of its responses.
    package var vocabulary: Vocabulary { words().vocabulary }

    /// The kinds of whole responses.
    package var responseKinds: [Kind] { words().responses }

    /// Whether a document is surely a response of one of its apps.
    package func recognises(_ document: JSONValue) -> Bool { isResponse(document) }

    /// Whether a document is what stands at the URL of an app.
    package func begins(with document: JSONValue) -> Bool { isStart(document) }
}

extension AppProtocol: Hashable, CustomStringConvertible {
    /// Protocols are told apart by their names.
    public static func == (left: AppProtocol, right: AppProtocol) -> Bool { left.name == right.name }

    /// Feeds the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name.
    public var description: String { name }
}

extension [AppProtocol] {
    /// The protocol of a name, also of a former one; nil where none has it.
    package func named(_ name: String) -> AppProtocol? {
        first { $0.name == name || $0.formerNames.contains(name) }
    }
}

/// A client program whose verdicts are known.
package struct KnownClient: Sendable, Equatable {
    /// Its name, such as `applin-ios`.
    package let name: String
    /// Every release, oldest first; empty where all are known to read alike.
    package let releases: [ClientVersion]

    package init(_ name: String, releases: [ClientVersion] = []) { (self.name, self.releases) = (name, releases) }
}

/// How the releases of a protocol's client differ.
package struct ReleaseVerdicts: Sendable {
    /// The dialect that a release speaks.
    package let dialect: @Sendable (ClientVersion) -> String
    /// Some releases in groups that read every page alike, oldest first.
    package let groups: @Sendable ([ClientVersion]) -> [[ClientVersion]]
    /// The verdicts of some releases on the body of a response, below a base URL if that is known.
    package let verdicts:
        @Sendable ([UInt8], _ path: String, _ of: [ClientVersion], _ baseURL: String?) -> ClientVerdicts

    package init(
        dialect: @escaping @Sendable (ClientVersion) -> String,
        groups: @escaping @Sendable ([ClientVersion]) -> [[ClientVersion]],
        verdicts: @escaping @Sendable ([UInt8], String, [ClientVersion], String?) -> ClientVerdicts
    ) {
        (self.dialect, self.groups, self.verdicts) = (dialect, groups, verdicts)
    }
}

/// The verdicts of released clients on one page, oldest first.
package struct ClientVerdicts: Sendable {
    /// The releases that load the page.
    package private(set) var accepts: [ClientVersion] = []
    /// The releases that refuse it, each with the first reason.
    package private(set) var rejects: [(release: ClientVersion, reason: Finding)] = []
    /// The releases that load it, but then can send nothing from it, each with the reason.
    package var failsToPost: [(release: ClientVersion, reason: Finding)] = []
    /// What on the page the releases refuse that refuse it, in a word: `reset_var`. nil where that can't be said.
    package private(set) var causes: [ClientVersion: String] = [:]

    package init() {}

    package mutating func accept(_ group: [ClientVersion]) { accepts += group }

    package mutating func refuse(_ group: [ClientVersion], for reason: Finding, because cause: String?) {
        rejects += group.map { ($0, reason) }
        if let cause { group.forEach { causes[$0] = cause } }
    }
}
