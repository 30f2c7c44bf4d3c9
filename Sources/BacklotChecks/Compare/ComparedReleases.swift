internal import Backlot
internal import BacklotClients

/// The released clients of a protocol. Finds those that load A's page but reject B's.
struct ComparedReleases {
    private typealias Reasons = [(release: ClientVersion, reason: Finding)]

    private let client: KnownClient
    private let releases: ReleaseVerdicts
    private let pages: ComparedPages?

    /// The releases of a protocol; nil if its versions don't differ.
    init?(_ language: AppProtocol) {
        guard let releases = language.releases, let client = language.clients.first else { return nil }
        (self.client, self.releases, pages) = (client, releases, language.pages)
    }

    private func verdicts(_ document: JSONValue, _ baseURL: String) -> ClientFindings {
        releases.verdicts(document.bytes, "/", client.releases, baseURL)
    }

    /// The releases that can use an app: those that load its first page and speak the dialect of its actions. If the page doesn't
    /// load in any release, all releases count: it may have a defect or custom words.
    func users(of page: JSONValue, among known: Set<ClientVersion>?, baseURL: String) -> Set<ClientVersion> {
        let accepts = known ?? Set(verdicts(page, baseURL).accepts)
        let users = accepts.isEmpty ? Set(client.releases) : accepts
        guard let dialect = pages?.dialect(page) else { return users }
        let own = users.filter { releases.dialect($0) == dialect }
        // For an app with both dialects, no client would remain.
        return own.isEmpty ? users : own
    }

    /// The differences for the released clients.
    ///
    /// - Parameters:
    ///   - users: the releases that can use A at all; nil for every release.
    ///   - knownReasons: the rules that B's page breaks for the newest clients, which are already reported.
    func differences(
        _ a: JSONValue,
        _ b: JSONValue,
        users: Set<ClientVersion>?,
        baseURL: String,
        knownReasons: Set<String>
    ) -> [Difference] {
        let (was, now) = (verdicts(a, baseURL), verdicts(b, baseURL))
        let accepted = users.map { Set(was.accepts).intersection($0) } ?? Set(was.accepts)
        let silent = Set(was.failsToPost.map(\.release))
        var differences: [Difference] = []
        /// Adds a difference for each reason, with all releases that have it.
        func add(_ rule: String, _ reasons: Reasons, _ sentence: (_ load: String, _ refuse: String) -> String) {
            var rest = reasons.filter { accepted.contains($0.release) && !knownReasons.contains($0.reason.rule) }
            while let reason = rest.first?.reason {
                let clients = rest.filter { $0.reason == reason }.map(\.release)
                rest.removeAll { $0.reason == reason }
                let message = "\(told(clients, sentence)): \(reason.message) \(reason.fix)"
                differences.append(Difference(rule, .breaking, at: reason.path, message))
            }
        }
        add("version-refused", now.rejects) { load, refuse in "\(load) A's page, and \(refuse) B's" }
        add("version-sends-nothing", now.failsToPost.filter { !silent.contains($0.release) }) { load, _ in
            "\(load) both pages, and can send nothing from B's"
        }
        let refused = Set(was.rejects.map(\.release))
        let welcome = now.accepts.filter { refused.contains($0) && users?.contains($0) != false }
        if !welcome.isEmpty {
            let message = told(welcome) { load, refuse in "\(refuse) A's page, and \(load) B's." }
            differences.append(Difference("version-accepted", .neutral, message))
        }
        return differences
    }

    /// A sentence about some releases: `The clients 0.31 to 0.35 and 0.37 load …`.
    func told(_ clients: [ClientVersion], _ sentence: (_ load: String, _ refuse: String) -> String) -> String {
        let ranges = client.ranges(of: clients)
        let names = [ranges.dropLast().joined(separator: ", "), ranges.last ?? ""].filter { !$0.isEmpty }
        let (noun, ending) = clients.count == 1 ? ("client", "s") : ("clients", "")
        return "The \(noun) \(names.joined(separator: " and ")) " + sentence("load\(ending)", "refuse\(ending)")
    }
}
