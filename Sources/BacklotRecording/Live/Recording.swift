package import Backlot
package import BacklotMocks
import Logging

/// A recording of a backend: its exchanges, and the files made from them.
package final class Recording: Sendable {
    /// The settings of a recording.
    package struct Settings: Sendable {
        /// The folder of the routes; nil to write nothing.
        package var folder: String?
        /// The names of further secret keys, fields and variables.
        package var keys: [String] = []
        /// Texts that must not occur in any file.
        package var secrets: [String] = []
        /// Whether to replace existing files.
        package var updates = false
        /// Whether to write the files after each exchange.
        package var writesThrough = false
        /// Whether to leave out files that conflict with others.
        package var leavesConflicts = false
        /// The options for making files.
        package var options = RouteRecording.Options()
        /// The filter for exchanges.
        var filter = RecordingFilter()

        /// Creates the default settings.
        package init() {}
    }

    /// The result of the final writing.
    package struct Outcome: Sendable {
        /// The files and notes.
        package let report: RecordingReport
        /// The folder; nil if nothing was written.
        package let folder: String?
        /// The reason why the files aren't in the intended folder; nil if they are.
        package let mishap: String?
    }

    private struct Writing {
        /// Whether there are new exchanges since the files were written.
        var isDue = false
        var isRunning = false
        /// The last error, which isn't logged again.
        var mistake: String?
    }

    package let recorder: Recorder
    package let settings: Settings
    private let formats: [FileFormat]
    private let logger: Logger
    private let writing = Locked(Writing())
    /// The files of this recording. The lock is held while they are written.
    private let own = Locked(RecordingWriter.OwnFiles())

    /// Creates an empty recording for mocks.
    package init(_ recorder: Recorder, _ settings: Settings, of backend: MockBackend) {
        self.recorder = recorder
        self.settings = settings
        formats = backend.configuration.formats
        logger = backend.logger
    }

    /// A closure for a proxy to call when the exchange that begins now has ended.
    func observer() -> @Sendable (ProxiedExchange) -> Void {
        recorder.begin()
        return { [self] exchange in
            note(exchange)
            recorder.end()
        }
    }

    /// Records an exchange, and schedules the writing of the files if they are written after each exchange.
    package func note(_ exchange: ProxiedExchange) {
        recorder.note(exchange)
        guard settings.writesThrough else { return }
        let begins = writing.withLock { writing in
            writing.isDue = true
            if writing.isRunning { return false }
            writing.isRunning = true
            return true
        }
        if begins { Task { await writeThrough() } }
    }

    /// Writes files as long as there are new exchanges.
    private func writeThrough() async {
        while writing.withLock({ writing in
            writing.isRunning = writing.isDue
            writing.isDue = false
            return writing.isRunning
        }) {
            let start = ContinuousClock.now
            do {
                try await Blocking.run { [self] in try write() }
                writing.withLock { $0.mistake = nil }
            } catch {
                let text = (error as? RecordingWriter.WritingError)?.text ?? "\(error)"
                let isNew = writing.withLock { writing in
                    defer { writing.mistake = text }
                    return writing.mistake != text
                }
                if isNew { logger.error("the recording continues, but isn't written: \(text)") }
            }
            // Larger recordings take longer to write. The pause leaves time for other work.
            let pause = max(.milliseconds(50), min(.seconds(10), start.duration(to: .now) * 4))
            try? await Task.sleep(for: pause)
        }
    }

    /// The files of the recording so far, without writing them.
    package func report() -> RecordingReport { report(of: recorder.contents) }

    private func report(of contents: Recorder.Contents) -> RecordingReport {
        RecordingReport(
            settings.filter.kept(contents.exchanges),
            skipped: contents.skipped,
            keys: settings.keys,
            formats: formats,
            options: settings.options
        )
    }

    /// Writes the recording so far. It blocks the caller.
    ///
    /// - Throws: `RecordingWriter.WritingError`.
    package func write() throws { _ = try write(nil, updating: nil) }

    /// - Parameters:
    ///   - contents: the contents to write; nil for the recording so far.
    ///   - updating: whether to replace existing files; nil for the value in the settings.
    func write(_ contents: Recorder.Contents?, updating: Bool?) throws -> RecordingReport {
        try own.withLock { own in
            var report = report(of: contents ?? recorder.contents)
            guard let folder = settings.folder else { return report }
            let writer = RecordingWriter(folder, secrets: settings.secrets)
            let left = try writer.write(
                report.files,
                update: updating ?? settings.updates,
                own: &own,
                leavingConflicts: settings.leavesConflicts
            )
            for file in left where own.noteConflict(file) {
                logger.warning(
                    "\(file) can't be captured, because another file has this route: add the response there, or move that file away"
                )
            }
            report.note(writer.remarks(on: report.files))
            return report
        }
    }

    /// Writes the recording at its end. If its folder can't be written, the files go beside it or into the temporary folder, so
    /// that nothing is lost. It blocks the caller.
    ///
    /// - Throws: `RecordingWriter.WritingError` if a file would contain a secret, or if no folder can be written.
    package func finish() throws -> Outcome {
        guard let folder = settings.folder else { return Outcome(report: report(), folder: nil, mishap: nil) }
        do {
            return Outcome(report: try write(nil, updating: nil), folder: folder, mishap: nil)
        } catch let error as RecordingWriter.WritingError where error.kind != .secret {
            let report = report()
            let temporary = RecordingWriter.temporaryFolder
            let name = folder.split(separator: "/").last.map(String.init) ?? "Routes"
            let bases = error.kind == .conflict ? [folder, "\(temporary)/\(name)"] : ["\(temporary)/\(name)"]
            for free in bases.map(RecordingWriter.free) {
                let isWritten = (try? RecordingWriter(free, secrets: settings.secrets).write(report.files)) != nil
                if isWritten { return Outcome(report: report, folder: free, mishap: error.text) }
            }
            throw error
        }
    }
}

/// Selects the exchanges that become routes.
struct RecordingFilter: Sendable {
    /// The pattern of the requests; nil for any.
    var pattern: RequestPattern?
    /// Whether repeated requests may become several responses, in states.
    var keepsRepeats = true

    /// The exchanges that become routes.
    func kept(_ exchanges: [RecordedExchange]) -> [RecordedExchange] {
        var budget = MatchBudget.command
        var seen: Set<[UInt8]> = []
        return exchanges.filter { exchange in
            let (method, url, body) = (exchange.method, exchange.url, exchange.requestBody)
            if let pattern {
                let request = try? MockRequest(method, url, headers: exchange.requestHeaders, body: body)
                guard let request, pattern.matches(request, &budget) else { return false }
            }
            return keepsRepeats || seen.insert(Array("\(method.rawValue) \(url)\n".utf8) + body).inserted
        }
    }
}
