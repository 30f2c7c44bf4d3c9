internal import Backlot
import BacklotClients
internal import BacklotJSON
import BacklotMocks
import BacklotRecording
internal import HTTPTypes

extension DriftRun {
    /// Writes the backend's answers into the files of the mocks that differ, without secrets.
    func update(_ report: inout DriftReport) {
        let different = order.compactMap { asked[$0] }.filter { obstacle(to: $0) == nil && !changes($0).isEmpty }
        guard !different.isEmpty else { return }
        guard var files = RouteFileUpdate(mocks), let folder = mocks.folderPath else {
            report.notUpdated.append("the mocks came from no folder")
            return
        }
        // All at once: the same secret has the same pseudonym everywhere.
        var redaction = Redaction(keys: options.redactedKeys)
        let recorded = redaction.redacted(different.map(\.recorded))
        for (asked, exchange) in zip(different, recorded) {
            let place = "\(asked.title)" + (asked.source.file.map { " (\($0):\(asked.source.line))" } ?? "")
            guard let probe = asked.probe else {
                report.notUpdated.append("\(place): the files of an app say more than its answers: change it by hand")
                continue
            }
            guard case .success? = asked.exchanges.first?.backend else {
                report.notUpdated.append("\(place): the backend has given no answer")
                continue
            }
            // Refusals follow from what was sent, and from the steps before: they are no new recording.
            guard !asked.exchanges.contains(where: { $0.isRefused || $0.isRefusedByCode }) else {
                report.notUpdated.append(
                    "\(place): the backend refuses what the mock accepts: record it again, or change it by hand"
                )
                continue
            }
            do throws(RouteFileUpdate.Refusal) {
                try files.replace(probe.id, with: exchange)
            } catch {
                report.notUpdated.append("\(place): \(error.reason)")
            }
        }
        do {
            try RecordingWriter(folder).write(files.files, update: true)
            report.updated = files.files.map(\.path)
            report.notes += redaction.report.map { "redacted: \($0)" }
        } catch {
            report.notUpdated.append(error.text)
        }
    }
}

extension DriftRun.Asked {
    /// The first exchange with the backend, as a recording has it.
    fileprivate var recorded: RecordedExchange {
        guard let exchange = exchanges.first, case .success(let answer) = exchange.backend else {
            return RecordedExchange(.get, "/")
        }
        return RecordedExchange(
            exchange.request.method,
            exchange.mockRequest.url.target,
            requestHeaders: exchange.request.headers,
            requestBody: exchange.request.body,
            status: Int(answer.status.code),
            responseHeaders: answer.headers,
            responseBody: answer.body
        )
    }
}
