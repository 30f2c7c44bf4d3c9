internal import Backlot
internal import BacklotClients
internal import BacklotJSON

/// The released clients of a protocol: which of them refuse a page of B, and load that of A.
struct ComparedReleases {
    private typealias Reasons = [(release: ClientVersion, reason: Finding)]

    /// Every release, oldest first.
    private let all: [ClientVersion]
    private let releases: ReleaseVerdicts
    private let pages: ComparedPages?

    /// The releases of a protocol; nil where versions make no difference.
    init?(_ language: AppProtocol) {
        guard let releases = language.releases else { return nil }
        all = language.clients.flatMap(\.releases)
        (self.releases, pages) = (releases, language.pages)
    }

    private func verdicts(_ document: JSONValue, _ baseURL: String) -> ClientVerdicts {
        releases.verdicts(document.bytes, "/", all, baseURL)
    }

    /// The releases that can use an app: those that load its first page, and speak the dialect of its actions. All, where none loads
    /// it: that page may have a defect or words of its own.
    func users(of page: JSONValue, among known: Set<ClientVersion>?, baseURL: String) -> Set<ClientVersion> {
        let accepts = known ?? Set(verdicts(page, baseURL).accepts)
        let users = accepts.isEmpty ? Set(all) : accepts
        guard let dialect = pages?.dialect(page) else { return users }
        let own = users.filter { releases.dialect($0) == dialect }
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
