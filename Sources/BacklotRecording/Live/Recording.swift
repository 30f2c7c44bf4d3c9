package import Backlot
package import BacklotMocks
import Logging

/// A recording of a backend: what was seen, and the files that it becomes.
package final class Recording: Sendable {
    /// What is recorded, and where it goes.
    package struct Settings: Sendable {
        /// The folder of the routes; nil where nothing is written.
        package var folder: String?
        /// The names of keys, fields and variables whose values are secret, too.
        package var keys: [String] = []
        /// Texts that may be in no file.
        package var secrets: [String] = []
        /// Whether files are replaced that were there before.
        package var updates = false
        /// Whether files are written after each exchange.
        package var writesThrough = false
        /// Whether what can't be written because of other files is left out.
        package var leavesConflicts = false
        /// How files are made.
        package var options = RouteRecording.Options()
        /// Which exchanges are recorded.
        var filter = RecordingFilter()

        /// The usual settings.
        package init() {}
    }

    /// What was written at the end.
    package struct Outcome: Sendable {
        /// What was made.
        package let report: RecordingReport
        /// Where it is; nil where it isn't written.
        package let folder: String?
        /// Why it isn't where it should be; nil where it is.
        package let mishap: String?
    }

    private struct Writing {
        /// Whether something was seen since the files were written.
        var isDue = false
        var isRunning = false
        /// The last mistake, which isn't logged again.
        var mistake: String?
    }

    package let recorder: Recorder
    package let settings: Settings
    private let formats: [FileFormat]
    private let logger: Logger
    private let writing = Locked(Writing())
    /// The files of this recording; the lock is held while they are written.
    private let own = Locked(RecordingWriter.OwnFiles())

    /// A recording without exchanges, for mocks.
    package init(_ recorder: Recorder, _ settings: Settings, of backend: MockBackend) {
        self.recorder = recorder
        self.settings = settings
        formats = backend.configuration.formats
        logger = backend.logger
    }

    /// What a proxy calls when the exchange that begins now is over.
    func observer() -> @Sendable (ProxiedExchange) -> Void {
        recorder.begin()
        return { [self] exchange in
            note(exchange)
            recorder.end()
        }
    }

    /// Notes an exchange, and has the files written soon where that is wanted.
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

    /// Writes files as long as there is something new.
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
                if isNew { logger.error("the recording goes on, but is not written: \(text)") }
            }
            // What is large takes longer to write, and leaves time for other work.
            let pause = max(.milliseconds(50), min(.seconds(10), start.duration(to: .now) * 4))
            try? await Task.sleep(for: pause)
        }
    }

    /// What was recorded so far, as files that aren't written.
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

    /// Writes what was recorded so far. It blocks.
    ///
    /// - Throws: `RecordingWriter.WritingError`.
    package func write() throws { _ = try write(nil, updating: nil) }

    /// - Parameters:
    ///   - contents: what is written; nil for what was recorded so far.
    ///   - updating: whether files are replaced that were there before; nil for what the settings say.
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
                    "\(file) can't be captured, because another file answers this route: add the answer there, or move that file away"
                )
            }
            report.note(writer.remarks(on: report.files))
            return report
        }
    }

    /// Writes the recording at its end. Where that can't be done in its folder, it is written beside that, or where
    /// temporary files are: nothing is lost. It blocks.
    ///
    /// - Throws: `RecordingWriter.WritingError`, where a file would hold a secret, or no file can be written anywhere.
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

/// Which exchanges become routes.
struct RecordingFilter: Sendable {
    /// What a request must be like; nil for any.
    var pattern: RequestPattern?
    /// Whether the same request may become several answers, in states.
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
