internal import Backlot
import BacklotClients
import BacklotMocks
internal import HTTPTypes

extension DriftRun {
    /// Compares what was answered.
    func fill(_ report: inout DriftReport) {
        var refused = 0
        for key in order {
            guard let asked = asked[key] else { continue }
            let source = asked.source.file.map { " (\($0):\(asked.source.line))" } ?? ""
            let changes = asked.drift.changes(asked.exchanges)
            if case .success(let answer)? = asked.exchanges.first?.backend, [401, 403].contains(answer.status.code),
                changes.contains(where: { $0.rule == "status-changed" })
            {
                refused += 1
            }
            let findings = changes.map { change in
                Finding(
                    change.severity,
                    rule: change.rule,
                    path: FindingPath(
                        page: asked.title,
                        steps: change.steps,
                        pointer: change.pointer,
                        line: asked.source.file == nil ? nil : asked.source.line
                    ),
                    message: change.message,
                    fix: "Correct the backend, or take its answer over: --update writes it into the file."
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
        let compared = Set(asked.values.compactMap { $0.probe?.id })
        report.unverified = probes.filter { !compared.contains($0.id) || $0.obstacle != nil }.map { probe in
            let source = probe.file.map { "\($0):\(probe.line)" } ?? "added at run time"
            let reason =
                probe.obstacle ?? (isOver ? "the time was over" : reasons[probe.id]) ?? "no session leads to its state"
            return DriftReport.Unverified(request: probe.title, source: source, reason: reason)
        }
        if refused > 0 {
            report.notes.append(
                "The backend refuses \(refused) \(refused == 1 ? "request" : "requests") with 401 or 403: --header 'Cookie=session=…' or --header 'Authorization=Bearer …' tells it who asks."
            )
        }
        if isOver { report.notes.append("Stopped: the time was over.") }
        if failuresInRow >= Self.mostFailures { report.notes.append("Stopped: the backend gives no answers any more.") }
        if report.compared == 0, report.unverified.isEmpty { report.notes.append("There are no mocks to compare.") }
    }
}
