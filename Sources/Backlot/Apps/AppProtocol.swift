package import BacklotJSON

/// A server-driven-UI protocol, declared once. Each protocol's module declares its own, such as `AppProtocol.applin`. A program
/// lists the protocols that it uses.
///
/// Crawls, comparisons, exploration, mocks, previews and commands work through this declaration and name no protocol themselves.
public struct AppProtocol: Sendable {
    /// The name in options, JSON and paths: `dynamic-views`.
    public let name: String
    /// The name for people: `Dynamic Views`.
    public let title: String
    /// A line about its apps: `documents of widgets, for iOS and Android`.
    public let summary: String
    /// The names that options and files used in earlier versions. They still work.
    package var formerNames: [String] = []
    /// The Swift module that declares it, which new packages import.
    package var module = ""
    /// The inspector for a response alone, without knowledge of its app.
    package var inspector: any PageInspector
    /// The way that mock files hold its pages or apps; nil for a protocol without mock files.
    package var format: @Sendable () -> FileFormat? = { nil }
    /// The client programs with known behaviour.
    package var clients: [KnownClient] = []
    /// The verdicts of each client release on a page; nil if all releases behave alike.
    package var releases: ReleaseVerdicts?
    /// The keys of its documents that matter to a comparison of two backends.
    package var comparison = ComparedKeys()
    /// The objects in a response, even in one that clients refuse. By default the first kind of responses reads it.
    package var tree: @Sendable (JSONValue) -> DocumentTree
    /// A variant of the protocol, selected by the query of a request; nil for the usual protocol.
    package var variant: @Sendable (_ query: String) -> AppProtocol? = { _ in nil }
    /// Whether a document may be a response, in an app that speaks the protocol for certain.
    package var mayBeResponse: @Sendable (JSONValue) -> Bool
    /// The type of the headless client, for a protocol outside of BacklotClients.
    package var headlessClient: Any.Type?
    private let words: @Sendable () -> (vocabulary: Vocabulary, responses: [Kind])
    private let isResponse: @Sendable (JSONValue) -> Bool
    private let isStart: @Sendable (JSONValue) -> Bool

    /// Declares a protocol.
    ///
    /// - Parameters:
    ///   - inspector: checks a response alone, without knowledge of its app.
    ///   - inspector: checks a response alone, without knowledge of its app.
    ///   - responses: the kinds of complete responses; by default, the vocabulary's first kind.
    ///   - recognises: whether a document is certainly a response of an app.
    ///   - start: whether a document is the response at an app's URL, or the one to its client's greeting.
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

    /// Declares a protocol with an inspector for its responses, for preview to list.
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

    /// The vocabulary of the protocol's responses.
    package var vocabulary: Vocabulary { words().vocabulary }

    /// The kinds of complete responses.
    package var responseKinds: [Kind] { words().responses }

    /// Whether a document is certainly a response of one of its apps.
    package func recognises(_ document: JSONValue) -> Bool { isResponse(document) }

    /// Whether a document is the response at an app's URL.
    package func begins(with document: JSONValue) -> Bool { isStart(document) }
}

extension AppProtocol: Hashable, CustomStringConvertible {
    /// Compares protocols by name.
    public static func == (left: AppProtocol, right: AppProtocol) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name.
    public var description: String { name }
}

extension [AppProtocol] {
    /// The protocol with a name or a former name; nil for an unknown name.
    package func named(_ name: String) -> AppProtocol? {
        first { $0.name == name || $0.formerNames.contains(name) }
    }
}

/// The keys of a protocol's documents that matter to a comparison of two backends.
package struct ComparedKeys: Sendable {
    /// The keys of packets, and the return code that means success.
    package struct Packets: Sendable {
        package let code: String
        package let success: JSONValue
        package let token: String
        package let method: String
        package let parameters: String
        /// The text of a refusal; nil if the packet doesn't refuse.
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

    /// The keys that name a variable for clients to send.
    package var variables: Set<String> = []
    /// The keys that hold a target: a path or URL for navigation or for a call.
    package var targets: Set<String> = []
    /// The keys that make a variable required when their value is above 0.
    package var requirements: Set<String> = []
    /// The names of parts that are rows of data. Their number may vary.
    package var rows: Set<String> = []
    /// The word for calls that change data.
    package var calls = "rpcs"
    /// The keys of packets; nil for a protocol without packets.
    package var packets: Packets?
    /// Whether the protocol's documents never look like other JSON.
    package var isUnmistakable = false
}

/// A client program with known behaviour.
package struct KnownClient: Sendable, Equatable {
    /// The client's name, such as `applin-ios`.
    package let name: String
    /// Every release, oldest first; empty if all releases behave alike.
    package let releases: [ClientVersion]

    package init(_ name: String, releases: [ClientVersion] = []) { (self.name, self.releases) = (name, releases) }
}

/// The differences between the releases of a protocol's client.
package struct ReleaseVerdicts: Sendable {
    /// The dialect that a release speaks.
    package let dialect: @Sendable (ClientVersion) -> String
    /// Groups of releases that read every page alike, oldest first.
    package let groups: @Sendable ([ClientVersion]) -> [[ClientVersion]]
    /// The verdicts of some releases on a response's body, with a base URL if known.
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
    /// The releases that load it but can't post from it, each with the reason.
    package var failsToPost: [(release: ClientVersion, reason: Finding)] = []
    /// The part of the page that makes a release refuse it, in a word, such as `reset_var`. No entry if unknown.
    package private(set) var causes: [ClientVersion: String] = [:]

    package init() {}

    package mutating func accept(_ group: [ClientVersion]) { accepts += group }

    package mutating func refuse(_ group: [ClientVersion], for reason: Finding, because cause: String?) {
        rejects += group.map { ($0, reason) }
        if let cause { group.forEach { causes[$0] = cause } }
    }
}
