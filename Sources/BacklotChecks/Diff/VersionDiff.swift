internal import Applin
internal import Backlot
internal import BacklotClients
internal import BacklotJSON

/// Which released clients refuse a page of B, and load that of A.
struct VersionDiff {
    /// The released clients that can use an app: those that load its first page, and speak the dialect of its actions. All, where
    /// none loads it: that page may have a defect or words of its own.
    static func clients(of page: JSONValue, among known: Set<ClientVersion>?, baseURL: String) -> Set<ClientVersion> {
        let accepts = known ?? Set(ReleasedClients.verdicts(on: page, baseURL: baseURL).accepts)
        let all = accepts.isEmpty ? Set(ReleasedClients.releases) : accepts
        guard let dialect = PageContents(page["page"] ?? .null).dialect else { return all }
        let own = all.filter { Dialect(of: $0) == dialect }
        // Of an app that speaks both, no client is left.
        return own.isEmpty ? all : own
    }

    let step: AnswerDiff

    /// - Parameter knownReasons: the rules that B's page breaks for the newest clients, which are reported already.
    func differences(_ a: JSONValue, _ b: JSONValue, knownReasons: Set<String>) -> [DiffReport.Difference] {
        let was = ReleasedClients.verdicts(on: a, baseURL: step.baseURL)
        let now = ReleasedClients.verdicts(on: b, baseURL: step.baseURL)
        let accepted = step.clients.map { Set(was.accepts).intersection($0) } ?? Set(was.accepts)
        let refused = now.rejects.filter { accepted.contains($0.release) && !knownReasons.contains($0.reason.rule) }
        var differences = groups(refused).map { clients, reason in
            difference(
                .breaking,
                "version-refused",
                "\(clients.title) \(clients.load) A's page, and \(clients.refuse) B's: \(reason.message) \(reason.fix)",
                reason
            )
        }
        let silent = Set(was.failsToPost.map(\.release))
        let failing = now.failsToPost.filter { accepted.contains($0.release) && !silent.contains($0.release) }
            .filter { !knownReasons.contains($0.reason.rule) }
        differences += groups(failing).map { clients, reason in
            difference(
                .breaking,
                "version-sends-nothing",
                "\(clients.title) \(clients.load) both pages, and can send nothing from B's: \(reason.message) \(reason.fix)",
                reason
            )
        }
        let welcome = now.accepts.filter { release in
            was.rejects.contains { $0.release == release } && step.clients?.contains(release) != false
        }
        if !welcome.isEmpty {
            let clients = Releases(welcome)
            let message = "\(clients.title) \(clients.refuse) A's page, and \(clients.load) B's."
            differences.append(step.difference(.neutral, "version-accepted", message))
        }
        return differences
    }

    private func difference(
        _ kind: DiffClass,
        _ rule: String,
        _ message: String,
        _ reason: Finding
    ) -> DiffReport.Difference {
        step.difference(kind, rule, message, steps: reason.path.steps, at: reason.path.pointer)
    }

    /// Puts releases together that have the same reason.
    private func groups(
        _ verdicts: [(release: ClientVersion, reason: Finding)]
    ) -> [(clients: Releases, reason: Finding)] {
        var groups: [(clients: Releases, reason: Finding)] = []
        for (release, reason) in verdicts {
            if let index = groups.firstIndex(where: { $0.reason == reason }) {
                groups[index].clients.add(release)
            } else {
                groups.append((Releases([release]), reason))
            }
        }
        return groups
    }
}

/// Some releases, in words: those that follow each other by the first and the last of them.
struct Releases {
    private var runs: [(first: ClientVersion, last: ClientVersion)] = []

    init(_ releases: [ClientVersion]) {
        for release in releases { add(release) }
    }

    mutating func add(_ release: ClientVersion) {
        let all = ReleasedClients.releases
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
