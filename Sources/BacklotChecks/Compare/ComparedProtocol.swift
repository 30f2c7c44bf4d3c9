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

    let wire: AppProtocol
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
    static let all = [applin, views, xpedite, floki]
    /// The packets of the protocols that have them.
    static let packets = all.lazy.compactMap(\.packets).first ?? Packets()
    /// The pages of the protocols that have them.
    static let pages = all.lazy.compactMap(\.pages).first

    /// The protocol that a backend speaks.
    init(_ wire: AppProtocol) { self = Self.all.first { $0.wire == wire } ?? .applin }

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

/// The released clients of a protocol: which of them refuse a page of B, and load that of A.
struct ComparedReleases: Sendable {
    typealias Reasons = [(release: ClientVersion, reason: Finding)]

    /// What released clients make of a page.
    struct Verdicts {
        let accepts: [ClientVersion]
        let rejects: Reasons
        /// Those that load it, but then can send nothing from it.
        let failsToPost: Reasons
    }

    /// Every release that reads pages of today, oldest first.
    let all: [ClientVersion]
    let verdicts: @Sendable (_ document: JSONValue, _ baseURL: String) -> Verdicts
    /// Tells the releases that speak the dialect of a page; nil for a page that is for all.
    let dialect: @Sendable (JSONValue) -> ((ClientVersion) -> Bool)?

    /// The releases that can use an app: those that load its first page, and speak the dialect of its actions. All, where none loads
    /// it: that page may have a defect or words of its own.
    func users(of page: JSONValue, among known: Set<ClientVersion>?, baseURL: String) -> Set<ClientVersion> {
        let accepts = known ?? Set(verdicts(page, baseURL).accepts)
        let users = accepts.isEmpty ? Set(all) : accepts
        guard let speaks = dialect(page) else { return users }
        let own = users.filter(speaks)
        // Of an app that speaks both, no client is left.
        return own.isEmpty ? users : own
    }

    /// - Parameters:
    ///   - users: the releases that can use A at all; nil for every release.
    ///   - knownReasons: the rules that B's page breaks for the newest clients, which are reported already.
    func differences(
        _ a: JSONValue,
        _ b: JSONValue,
        users: Set<ClientVersion>?,
        baseURL: String,
        knownReasons: Set<String>
    ) -> [Difference] {
        let (was, now) = (verdicts(a, baseURL), verdicts(b, baseURL))
        let accepted = users.map { Set(was.accepts).intersection($0) } ?? Set(was.accepts)
        func news(_ reasons: Reasons) -> Reasons {
            reasons.filter { accepted.contains($0.release) && !knownReasons.contains($0.reason.rule) }
        }
        var differences = groups(news(now.rejects)).map { clients, reason in
            let message = "\(clients.title) \(clients.load) A's page, and \(clients.refuse) B's"
            return difference("version-refused", reason, message)
        }
        let silent = Set(was.failsToPost.map(\.release))
        let failing = news(now.failsToPost).filter { !silent.contains($0.release) }
        differences += groups(failing).map { clients, reason in
            let message = "\(clients.title) \(clients.load) both pages, and can send nothing from B's"
            return difference("version-sends-nothing", reason, message)
        }
        let refused = Set(was.rejects.map(\.release))
        let welcome = now.accepts.filter { refused.contains($0) && users?.contains($0) != false }
        if !welcome.isEmpty {
            let clients = ReleaseNames(welcome, of: all)
            let message = "\(clients.title) \(clients.refuse) A's page, and \(clients.load) B's."
            differences.append(Difference("version-accepted", .neutral, message))
        }
        return differences
    }

    private func difference(_ rule: String, _ reason: Finding, _ message: String) -> Difference {
        Difference(rule, .breaking, at: reason.path, "\(message): \(reason.message) \(reason.fix)")
    }

    /// Puts releases together that have the same reason.
    private func groups(_ reasons: Reasons) -> [(clients: ReleaseNames, reason: Finding)] {
        var groups: [(clients: ReleaseNames, reason: Finding)] = []
        for (release, reason) in reasons {
            if let index = groups.firstIndex(where: { $0.reason == reason }) {
                groups[index].clients.add(release)
            } else {
                groups.append((ReleaseNames([release], of: all), reason))
            }
        }
        return groups
    }
}

/// Some releases, in words: those that follow each other by the first and the last of them.
struct ReleaseNames {
    private let all: [ClientVersion]
    private var runs: [(first: ClientVersion, last: ClientVersion)] = []

    init(_ releases: [ClientVersion], of all: [ClientVersion]) {
        self.all = all
        for release in releases { add(release) }
    }

    mutating func add(_ release: ClientVersion) {
        let index = runs.last.flatMap { all.firstIndex(of: $0.last) }.map { $0 + 1 }
        if let index, all.indices.contains(index), all[index] == release {
            runs[runs.count - 1].last = release
        } else {
            runs.append((release, release))
        }
    }

    private var isOne: Bool { runs.count == 1 && runs[0].first == runs[0].last }

    /// `The clients 0.31 to 0.35 and 0.37`.
    var title: String {
        let names = runs.map { $0.first == $0.last ? "\($0.first)" : "\($0.first) to \($0.last)" }
        let list = [names.dropLast().joined(separator: ", "), names.last ?? ""].filter { !$0.isEmpty }
        return "The \(isOne ? "client" : "clients") " + list.joined(separator: " and ")
    }

    var load: String { isOne ? "loads" : "load" }
    var refuse: String { isOne ? "refuses" : "refuse" }
}
