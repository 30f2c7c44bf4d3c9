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
    package var inspector: any PageInspector
    /// How files of mocks hold its pages or apps; nil for a protocol without such files.
    package var format: @Sendable () -> FileFormat? = { nil }
    /// The client programs whose verdicts are known.
    package var clients: [KnownClient] = []
    /// The verdicts of a client's releases on pages; nil if all releases read alike.
    package var releases: ReleaseVerdicts?
    /// The keys of its documents that a comparison of two backends must know.
    package var comparison = ComparedKeys()
    /// The objects of a response, also of one that clients refuse. Without another one it is read by the first kind of responses.
    package var tree: @Sendable (JSONValue) -> DocumentTree
    /// The protocol as other clients speak it, by the query of a request; nil for the usual clients.
    package var variant: @Sendable (_ query: String) -> AppProtocol? = { _ in nil }
    /// Whether a document may be a response of an app that is known to speak the protocol.
    package var mayBeResponse: @Sendable (JSONValue) -> Bool
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
        let words: @Sendable () -> (vocabulary: Vocabulary, responses: [Kind]) = {
            let (vocabulary, responses) = (vocabulary(), responses())
            return (vocabulary, responses.isEmpty ? Array(vocabulary.kinds.prefix(1)) : responses)
        }
        self.words = words
        tree = { document in
            let (vocabulary, responses) = words()
            guard let kind = responses.first, let audience = vocabulary.audiences.first else { return DocumentTree() }
            var reader = DocumentReader(vocabulary, for: audience)
            reader.read(document, as: kind)
            return reader.tree
        }
        (isResponse, mayBeResponse) = (recognises, recognises)
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

/// The keys of a protocol's documents that a comparison of two backends must know.
package struct ComparedKeys: Sendable {
    /// The keys of packets, and a return code that means success.
    package struct Packets: Sendable {
        package let code: String
        package let success: JSONValue
        package let token: String
        package let method: String
        package let parameters: String
        /// The text of a refusal.
        package let refusal: @Sendable (JSONValue) -> String?

        package init(
            code: String,
            success: JSONValue,
            token: String,
            method: String,
            parameters: String,
            refusal: @escaping @Sendable (JSONValue) -> String?
        ) {
            (self.code, self.success, self.token, self.method) = (code, success, token, method)
            (self.parameters, self.refusal) = (parameters, refusal)
        }
    }

    /// The keys under which parts name a variable that clients send.
    package var variables: Set<String> = []
    /// The keys under which parts say where clients go, or what they call.
    package var targets: Set<String> = []
    /// The keys whose values above 0 make a variable required.
    package var requirements: Set<String> = []
    /// The nouns of parts that are rows of data, of which there may be any number.
    package var rows: Set<String> = []
    /// The calls that change data, in words.
    package var calls = "rpcs"
    /// The keys of packets; nil for a protocol without packets.
    package var packets: Packets?
    /// Whether its documents can't be mistaken for other JSON.
    package var isUnmistakable = false
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
        @Sendable ([UInt8], _ path: String, _ of: [ClientVersion], _ baseURL: String?) -> ClientFindings

    package init(
        dialect: @escaping @Sendable (ClientVersion) -> String,
        groups: @escaping @Sendable ([ClientVersion]) -> [[ClientVersion]],
        verdicts: @escaping @Sendable ([UInt8], String, [ClientVersion], String?) -> ClientFindings
    ) {
        (self.dialect, self.groups, self.verdicts) = (dialect, groups, verdicts)
    }
}

/// The verdicts of released clients on one page, oldest first.
package struct ClientFindings: Sendable {
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
