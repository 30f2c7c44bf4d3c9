internal import Backlot
import BacklotClients
import BacklotMocks
internal import HTTPTypes

extension DriftRun {
    /// The differences of an answer; none where it is the same in some state.
    func changes(_ asked: Asked) -> [DriftChange] {
        let changes = asked.drift.changes(asked.exchanges)
        guard !changes.isEmpty, let probe = asked.probe else { return changes }
        let isElsewhere = alternatives[probe.id]?.values.contains { $0.drift.changes($0.exchanges).isEmpty } ?? false
        return isElsewhere ? [] : changes
    }

    /// How the backend refuses a request that was guessed; nil where it takes it.
    private func refusal(of asked: Asked) -> String? {
        guard asked.isGuess, let exchange = asked.exchanges.first, exchange.mock.status.kind == .successful,
            case .success(let answer) = exchange.backend
        else { return nil }
        if [400, 411, 415, 422].contains(answer.status.code) { return "\(answer.status.code)" }
        guard exchange.mock.document?["rc"] == 0, let code = answer.document?["rc"], code != 0 else { return nil }
        return "the return code \(code)"
    }

    private static func fix(_ asked: Asked) -> String {
        let takeOver = "take its answer over: --update writes it into the file."
        guard let exchange = asked.exchanges.first, case .success(let answer) = exchange.backend else {
            return "Correct the backend."
        }
        guard exchange.request.method != .get,
            answer.status.kind == .clientError && exchange.mock.status.kind == .successful
                || answer.document?["rc"].map({ $0 != 0 }) ?? false
        else { return asked.probe == nil ? "Correct the backend, or the file." : "Correct the backend, or \(takeOver)" }
        return "Correct the backend, give it the values that it needs by --variable, or \(takeOver)"
    }

    /// Why an answer doesn't count as compared; nil where it does.
    func obstacle(to asked: Asked) -> String? {
        guard let exchange = asked.exchanges.first else { return nil }
        if exchange.asksForLogIn, !options.tellsUser {
            if asked.probe == nil {
                return "the backend asks for a log-in: --header tells the backend whose session it is"
            }
            if !options.callsRPCs, probes.contains(where: \.logsIn) {
                return
                    "the backend asks for a log-in: --rpc logs in as the mocks do, and --header tells the backend whose session it is"
            }
        }
        // Whoever isn't logged in, since the log-in failed, is refused or led to it.
        if !options.tellsUser, exchange.asksForLogIn || exchange.isRedirected, let failed = failedSteps.first,
            !failedSteps.contains(where: { $0.title == asked.title })
        {
            return failed.reason
        }
        return refusal(of: asked).map {
            "the backend refuses (\($0)): the file doesn't name all variables; add them by --variable"
        }
    }

    /// Compares what was answered.
    func fill(_ report: inout DriftReport) {
        var refused = 0
        var hidden: [StubID: String] = [:]
        var cookies: Set<String> = []
        for key in order {
            guard let asked = asked[key] else { continue }
            let source = asked.source.file.map { " (\($0):\(asked.source.line))" } ?? ""
            let changes = changes(asked).filter { change in
                // Backends set a cookie with every answer; once is enough.
                change.rule != "cookie-added" || cookies.insert(change.now ?? "").inserted
            }
            if let obstacle = obstacle(to: asked) {
                guard let probe = asked.probe else {
                    let place = asked.source.file.map { "\($0):\(asked.source.line)" } ?? "added at run time"
                    report.unverified.append(
                        DriftReport.Unverified(request: asked.title, source: place, reason: obstacle)
                    )
                    continue
                }
                hidden[probe.id] = obstacle
                continue
            }
            if case .success(let answer)? = asked.exchanges.first?.backend, [401, 403].contains(answer.status.code),
                changes.contains(where: { $0.rule == "status-changed" })
            {
                refused += 1
            }
            let places =
                changes.isEmpty ? nil : asked.source.file.flatMap { AnswerPlaces(of: asked.probe?.id, in: $0, mocks) }
            let findings = changes.map { change in
                Finding(
                    change.severity,
                    rule: change.rule,
                    path: FindingPath(
                        page: asked.title,
                        steps: change.steps,
                        pointer: change.pointer,
                        line: asked.source.file == nil ? nil : places?.line(of: change.place) ?? asked.source.line
                    ),
                    message: change.message,
                    fix: Self.fix(asked)
                )
            }
            report.pages.append((asked.title + source, findings))
            report.drifts += zip(findings, changes).map { finding, change in
                DriftReport.Drift(
                    finding: finding,
                    request: asked.title,
                    file: asked.source.file,
                    was: change.was,
                    now: change.now
                )
            }
        }
        report.compared = report.pages.count
        let compared = Set(asked.values.compactMap { $0.probe?.id }).subtracting(hidden.keys)
        report.unverified += probes.filter { !compared.contains($0.id) || $0.obstacle != nil }.map { probe in
            let source = probe.file.map { "\($0):\(probe.line)" } ?? "added at run time"
            let reason =
                probe.obstacle ?? hidden[probe.id] ?? (isOver ? "the time was over" : reasons[probe.id])
                ?? "no session leads to its state"
            return DriftReport.Unverified(request: probe.title, source: source, reason: reason)
        }
        if refused > 0 {
            report.notes.append(
                "The backend refuses \(refused) \(refused == 1 ? "request" : "requests") with 401 or 403: add --header 'Cookie=session=…' or --header 'Authorization=Bearer …' to log in."
            )
        }
        if isOver { report.notes.append("Stopped: the time was over.") }
        if failuresInRow >= Self.mostFailures { report.notes.append("Stopped: the backend gives no answers any more.") }
        if report.compared == 0, report.unverified.isEmpty { report.notes.append("There are no mocks to compare.") }
    }
}
