internal import Applin
internal import Backlot
internal import BacklotClients
internal import BacklotJSON

/// Which released clients refuse a page of B, and load that of A.
struct VersionDiff {
    /// The released clients that can use an app: those that load its first page, and speak the dialect of its actions.
    static func clients(of page: JSONValue, among known: Set<ClientVersion>?, baseURL: String) -> Set<ClientVersion> {
        let all = known ?? Set(ReleasedClients.verdicts(on: page, baseURL: baseURL).accepts)
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
        var differences = groups(refused).map { range, reason in
            difference(
                .breaking,
                "version-refused",
                "\(range) A's page, and \(range.refuse) B's: \(reason.message) \(reason.fix)",
                reason
            )
        }
        let silent = Set(was.failsToPost.map(\.release))
        let failing = now.failsToPost.filter { accepted.contains($0.release) && !silent.contains($0.release) }
            .filter { !knownReasons.contains($0.reason.rule) }
        differences += groups(failing).map { range, reason in
            difference(
                .breaking,
                "version-sends-nothing",
                "\(range) both pages, and can send nothing from B's: \(reason.message) \(reason.fix)",
                reason
            )
        }
        let welcome = now.accepts.filter { release in
            was.rejects.contains { $0.release == release } && step.clients?.contains(release) != false
        }
        if let first = welcome.first, let last = welcome.last {
            let range = Range(first: first, last: last)
            let message = "\(range.title) \(range.refuse) A's page, and \(range.load) B's."
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

    /// Some releases, one after the other.
    private struct Range: CustomStringConvertible {
        let first: ClientVersion
        var last: ClientVersion

        var title: String { first == last ? "The client \(first)" : "The clients \(first) to \(last)" }
        var load: String { first == last ? "loads" : "load" }
        var refuse: String { first == last ? "refuses" : "refuse" }
        var description: String { "\(title) \(load)" }
    }

    /// Puts releases together that follow each other and have the same reason.
    private func groups(_ verdicts: [(release: ClientVersion, reason: Finding)]) -> [(range: Range, reason: Finding)] {
        var groups: [(range: Range, reason: Finding)] = []
        for (release, reason) in verdicts {
            let isNext = groups.last.map { last in
                let index = ReleasedClients.releases.firstIndex(of: last.range.last).map { $0 + 1 }
                return last.reason == reason && index.map { ReleasedClients.releases[$0] } == release
            }
            if isNext == true {
                groups[groups.count - 1].range.last = release
            } else {
                groups.append((Range(first: release, last: release), reason))
            }
        }
        return groups
    }
}
