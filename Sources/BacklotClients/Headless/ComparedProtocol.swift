internal import Applin
package import Backlot
package import BacklotJSON
internal import DynamicViews
internal import Floki
internal import Xpedite

/// What a comparison knows of one protocol: how its documents are recognised and read, and what clients make of them.
package struct ComparedProtocol: Sendable {
    package typealias Tree = @Sendable (JSONValue) -> DocumentTree
    package typealias Findings = @Sendable (_ document: JSONValue, _ path: String) -> [Finding]

    /// The keys of packets, and a return code that means success.
    package struct Packets: Sendable {
        package let code = "rc"
        package let success: JSONValue = 0
        package let token = "token"
        package let method = "method"
        package let parameters = "parameters"

        /// The text of a refusal.
        package func refusal(in document: JSONValue) -> String? { document["components"]?[0]?["text"]?.string }
    }

    /// What only pages with inputs and links have.
    package struct Pages: Sendable {
        /// Their media type.
        package let contentType: String
        /// The inputs that are booleans, and those that are texts.
        package let inputs: @Sendable (JSONValue) -> [String: Bool]
        /// Where a page leads.
        package let links: @Sendable (_ document: JSONValue, _ path: String) -> [(target: String, place: FindingPath)]
        /// What clients that use a page may reject.
        package let judge: @Sendable (ClientResponse, _ path: String, _ base: HTTPURL, ClientLimits) -> [Finding]
        /// The body of a POST from a page while nobody has touched its inputs, and the rpcs that it leads to.
        package let form:
            @Sendable (ClientResponse, _ path: String, ClientLimits) -> (variables: JSONObject?, rpcs: [String])?
    }

    package let wire: AppProtocol
    /// The protocol's name in sentences.
    package let title: String
    /// The keys under which parts name a variable that clients send.
    package var variables: Set<String> = []
    /// The keys under which parts say where clients go, or what they call.
    package var targets: Set<String> = []
    /// The keys whose values above 0 make a variable required.
    package var requirements: Set<String> = []
    /// The nouns of parts that are rows of data, of which there may be any number.
    package var rows: Set<String> = []
    /// What isn't called without `ComparisonOptions.callsRPCs`.
    package var calls = "rpcs"
    package var packets: Packets?
    package var pages: Pages?
    /// Whether its documents can't be mistaken for other JSON.
    package var isUnmistakable = false
    /// Whether a response is surely a document of the protocol, as far as its keys tell.
    package let isDocument: @Sendable (JSONValue) -> Bool
    /// Whether it may be one, where the protocol is known.
    package let mayBeDocument: @Sendable (JSONValue) -> Bool
    /// The objects of a document.
    package var tree: Tree
    /// What clients reject in a document.
    package var findings: Findings
    /// The same protocol for the clients that a URL is for.
    package var reading: @Sendable (_ own: ComparedProtocol, HTTPURL) -> ComparedProtocol = { own, _ in own }
    /// Its released clients; nil where versions make no difference.
    package var releases: ComparedReleases?
}

extension ComparedProtocol {
    package static let applin = ComparedProtocol(
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

    package static let xpedite = ComparedProtocol(
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

    package static let floki = ComparedProtocol(
        wire: .floki,
        title: "Floki",
        rows: ["item", "thumb", "section"],
        isDocument: { FlokiRules.Document($0) != nil },
        mayBeDocument: { FlokiRules.Document($0) != nil },
        tree: { FlokiRules.tree(of: $0) },
        findings: { FlokiInspector().findings(in: $0, path: $1, app: nil) }
    )

    package static let views = ComparedProtocol(
        wire: .dynamicViews,
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
    package static let all = [applin, views, xpedite, floki]
    /// The packets of the protocols that have them.
    package static let packets = all.lazy.compactMap(\.packets).first ?? Packets()
    /// The pages of the protocols that have them.
    package static let pages = all.lazy.compactMap(\.pages).first

    /// The protocol that a backend speaks.
    package init(_ wire: AppProtocol) { self = Self.all.first { $0.wire == wire } ?? .applin }

    /// The protocol of an app; nil for one that nobody knows.
    package init?(_ app: MountedApp) {
        guard let known = Self.all.first(where: { $0.title == app.appProtocol.title }) else { return nil }
        self = known
    }

    /// The protocol in which a document is surely written; nil where that can't be said.
    package init?(ofKeys document: JSONValue) {
        guard let known = Self.all.first(where: { $0.isDocument(document) }) else { return nil }
        self = known
    }

    /// The protocol in which a document is written; nil for other JSON, which may have such keys by chance: a document follows the
    /// rules of its protocol.
    package init?(of document: JSONValue) {
        self.init(ofKeys: document)
        guard isUnmistakable || !findings(document, "").contains(where: \.isRejection) else { return nil }
    }

    /// The protocol where a document is one of its own.
    package func reading(_ document: JSONValue, at url: HTTPURL) -> ComparedProtocol? {
        mayBeDocument(document) ? reading(self, url) : nil
    }

    /// Whether a document says by a return code that a call was refused.
    package static func isRefusal(_ document: JSONValue?) -> Bool { refusal(document) != nil }

    /// The return code of a call that was refused; nil for one that wasn't, and for other documents.
    package static func refusal(_ document: JSONValue?) -> JSONValue? {
        guard let code = document?[packets.code], code != packets.success else { return .none }
        return code
    }

    /// The method that the body of a request calls.
    package static func method(in body: [UInt8]) -> String? { (try? JSONValue(parsing: body))?[packets.method]?.string }
}

/// The released clients of a protocol: which of them refuse a page of B, and load that of A.
package struct ComparedReleases: Sendable {
    package typealias Reasons = [(release: ClientVersion, reason: Finding)]

    /// What released clients make of a page.
    package struct Verdicts {
        package let accepts: [ClientVersion]
        package let rejects: Reasons
        /// Those that load it, but then can send nothing from it.
        package let failsToPost: Reasons
    }

    /// Every release that reads pages of today, oldest first.
    package let all: [ClientVersion]
    package let verdicts: @Sendable (_ document: JSONValue, _ baseURL: String) -> Verdicts
    /// Tells the releases that speak the dialect of a page; nil for a page that is for all.
    package let dialect: @Sendable (JSONValue) -> ((ClientVersion) -> Bool)?

    /// The releases that can use an app: those that load its first page, and speak the dialect of its actions. All, where none loads
    /// it: that page may have a defect or words of its own.
    package func users(of page: JSONValue, among known: Set<ClientVersion>?, baseURL: String) -> Set<ClientVersion> {
        let accepts = known ?? Set(verdicts(page, baseURL).accepts)
        let users = accepts.isEmpty ? Set(all) : accepts
        guard let speaks = dialect(page) else { return users }
        let own = users.filter(speaks)
        // Of an app that speaks both, no client is left.
        return own.isEmpty ? users : own
    }
}
