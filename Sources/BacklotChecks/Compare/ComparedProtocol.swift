internal import Applin
internal import Backlot
internal import BacklotClients
internal import BacklotJSON
internal import DynamicViews
internal import Floki
internal import Xpedite

/// What a comparison knows of one protocol: how its documents are recognised and read, and what clients make of them.
struct ComparedProtocol: Sendable {
    typealias Tree = @Sendable (JSONValue) -> DocumentTree
    typealias Findings = @Sendable (_ document: JSONValue, _ path: String) -> [Finding]

    /// The keys of packets, and a return code that means success.
    struct Packets: Sendable {
        let code = "rc"
        let success: JSONValue = 0
        let token = "token"
        let method = "method"
        let parameters = "parameters"

        /// The text of a refusal.
        func refusal(in document: JSONValue) -> String? { document["components"]?[0]?["text"]?.string }
    }

    /// What only pages with inputs and links have.
    struct Pages: Sendable {
        /// Their media type.
        let contentType: String
        /// The inputs that are booleans, and those that are texts.
        let inputs: @Sendable (JSONValue) -> [String: Bool]
        /// Where a page leads.
        let links: @Sendable (_ document: JSONValue, _ path: String) -> [(target: String, place: FindingPath)]
        /// What clients that use a page may reject.
        let judge: @Sendable (ClientResponse, _ path: String, _ base: HTTPURL, ClientLimits) -> [Finding]
        /// The body of a POST from a page while nobody has touched its inputs, and the rpcs that it leads to.
        let form: @Sendable (ClientResponse, _ path: String, ClientLimits) -> (variables: JSONObject?, rpcs: [String])?
    }

    let wire: CrawlWire
    /// The protocol's name in sentences.
    let title: String
    /// The keys under which parts name a variable that clients send.
    var variables: Set<String> = []
    /// The keys under which parts say where clients go, or what they call.
    var targets: Set<String> = []
    /// The keys whose values above 0 make a variable required.
    var requirements: Set<String> = []
    /// The nouns of parts that are rows of data, of which there may be any number.
    var rows: Set<String> = []
    /// What isn't called without ``ComparisonOptions/callsRPCs``.
    var calls = "rpcs"
    var packets: Packets?
    var pages: Pages?
    /// Whether its documents can't be mistaken for other JSON.
    var isUnmistakable = false
    /// Whether a response is surely a document of the protocol, as far as its keys tell.
    let isDocument: @Sendable (JSONValue) -> Bool
    /// Whether it may be one, where the protocol is known.
    let mayBeDocument: @Sendable (JSONValue) -> Bool
    /// The objects of a document.
    var tree: Tree
    /// What clients reject in a document.
    var findings: Findings
    /// The same protocol for the clients that a URL is for.
    var reading: @Sendable (_ own: ComparedProtocol, HTTPURL) -> ComparedProtocol = { own, _ in own }
    /// Its released clients; nil where versions make no difference.
    var releases: ComparedReleases?
}

extension ComparedProtocol {
    static let applin = ComparedProtocol(
        wire: .applin,
        title: "Applin",
        variables: ["var_name", "var_name1", "var_name2"],
        targets: ["page", "url"],
        requirements: ["min_chars"],
        pages: Pages(
            contentType: AnswerJudge.pageType,
            inputs: { document in
                let inputs = PageContents(document["page"] ?? .null).inputs
                return inputs.reduce(into: [:]) { $0[$1.name] = $1.initial.bool != nil }
            },
            links: { document, path in
                ApplinRules.links(inPage: document, path: path, dialect: .objects)
                    .filter { $0.kind == .page && StaticPages.page($0.target) == nil }
                    .map { ($0.target, $0.place) }
            },
            judge: { response, path, base, limits in
                AnswerJudge(dialect: nil, base: base, app: nil, limits: limits).page(response, path: path).findings
            },
            form: { response, path, limits in
                CrawledPage(response, path: path, dialect: nil, limits: limits).map { page in
                    (page.variables, page.links.filter { $0.kind == .rpc }.map(\.target))
                }
            }
        ),
        isUnmistakable: true,
        isDocument: { $0["page"]?["typ"]?.string != nil },
        mayBeDocument: { $0["page"]?.object != nil },
        tree: { ApplinRules.tree(of: $0, dialect: nil) },
        findings: { ApplinInspector(dialect: nil).findings(in: $0, path: $1, app: nil) },
        releases: ComparedReleases(
            all: ReleasedClients.releases,
            verdicts: { document, base in
                let verdicts = ReleasedClients.verdicts(on: document, baseURL: base)
                return .init(accepts: verdicts.accepts, rejects: verdicts.rejects, failsToPost: verdicts.failsToPost)
            },
            dialect: { document in
                guard let dialect = PageContents(document["page"] ?? .null).dialect else { return nil }
                return { Dialect(of: $0) == dialect }
            }
        )
    )

    static let xpedite = ComparedProtocol(
        wire: .xpedite,
        title: "Xpedite",
        variables: ["name"],
        targets: ["function", "dynamic"],
        calls: "methods that take input",
        packets: Packets(),
        isDocument: { $0["rc"]?.number != nil },
        mayBeDocument: { $0["rc"] != nil },
        tree: { XpediteRules.tree(of: $0) },
        findings: { XpediteInspector().findings(in: $0, path: $1, app: nil) }
    )

    static let floki = ComparedProtocol(
        wire: .floki,
        title: "Floki",
        rows: ["item", "thumb", "section"],
        isDocument: { FlokiRules.Document($0) != nil },
        mayBeDocument: { FlokiRules.Document($0) != nil },
        tree: { FlokiRules.tree(of: $0) },
        findings: { FlokiInspector().findings(in: $0, path: $1, app: nil) }
    )

    static let views = ComparedProtocol(
        wire: .views,
        title: "Dynamic Views",
        isDocument: { document in
            document["configuration"]?.object != nil && document["widgets"]?.array != nil
                || document["views"]?.array != nil && document.object?.count == 1
        },
        mayBeDocument: { $0["widgets"] != nil },
        tree: { DynamicViewsRules.tree(of: $0) },
        findings: { DynamicViewsInspector().findings(in: $0, path: $1, app: nil) },
        reading: { own, url in
            guard url.query?.contains("dialect=android") == true else { return own }
            var own = own
            own.tree = { DynamicViewsRules.tree(of: $0, dialect: .android) }
            own.findings = { DynamicViewsInspector(dialect: .android).findings(in: $0, path: $1, app: nil) }
            return own
        }
    )

    /// Those whose documents can't be mistaken come first.
    static let all = [applin, views, xpedite, floki]
    /// The packets of the protocols that have them.
    static let packets = all.lazy.compactMap(\.packets).first ?? Packets()
    /// The pages of the protocols that have them.
    static let pages = all.lazy.compactMap(\.pages).first

    /// The protocol that a backend speaks.
    init(_ wire: CrawlWire) { self = Self.all.first { $0.wire == wire } ?? .applin }

    /// The protocol of an app; nil for one that nobody knows.
    init?(_ app: MountedApp) {
        guard let known = Self.all.first(where: { $0.title == app.appProtocol.title }) else { return nil }
        self = known
    }

    /// The protocol in which a document is surely written; nil where that can't be said.
    init?(ofKeys document: JSONValue) {
        guard let known = Self.all.first(where: { $0.isDocument(document) }) else { return nil }
        self = known
    }

    /// The protocol in which a document is written; nil for other JSON, which may have such keys by chance: a document follows the
    /// rules of its protocol.
    init?(of document: JSONValue) {
        self.init(ofKeys: document)
        guard isUnmistakable || !findings(document, "").contains(where: \.isRejection) else { return nil }
    }

    /// The protocol where a document is one of its own.
    func reading(_ document: JSONValue, at url: HTTPURL) -> ComparedProtocol? {
        mayBeDocument(document) ? reading(self, url) : nil
    }

    /// Whether a document says by a return code that a call was refused.
    static func isRefusal(_ document: JSONValue?) -> Bool { refusal(document) != nil }

    /// The return code of a call that was refused; nil for one that wasn't, and for other documents.
    static func refusal(_ document: JSONValue?) -> JSONValue? {
        guard let code = document?[packets.code], code != packets.success else { return .none }
        return code
    }

    /// The method that the body of a request calls.
    static func method(in body: [UInt8]) -> String? { (try? JSONValue(parsing: body))?[packets.method]?.string }
}

extension CrawlWire {
    /// The protocol's name in sentences.
    var title: String { ComparedProtocol(self).title }
}
