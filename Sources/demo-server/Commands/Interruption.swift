import Backlot
public import BacklotChecks
import BacklotClients
public import BacklotService
import Dispatch

/// Ctrl-C while a tool works: the first ends the work, whose result is printed; the second ends the process.
enum Interruption {
    /// Whether a signal has come.
    static var hasCome: Bool { StopSignals.received > 0 }

    /// Runs work in a task that the first SIGINT or SIGTERM cancels, and waits for its result.
    static func watch<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
        let task = Task { try await work() }
        let source = DispatchSource.makeReadSource(fileDescriptor: StopSignals.descriptor)
        source.setEventHandler {
            StopSignals.takeAll()
            if StopSignals.received > 1 { StopSignals.endProcess() }
            task.cancel()
        }
        source.activate()
        StopSignals.catchAll()
        defer {
            source.cancel()
            StopSignals.restoreDefault()
        }
        return try await task.value
    }
}

/// A line on a terminal that says how far a tool has come; each call replaces it.
final class ProgressLine: Sendable {
    private static let interval = Duration.milliseconds(100)
    private static let width = 79
    private let last = Locked<ContinuousClock.Instant?>(nil)

    /// nil when standard error is no terminal.
    init?() {
        guard StandardError.isTerminal else { return nil }
    }

    /// Shows it, but not too often.
    func show(_ text: @autoclosure () -> String) {
        last.withLock { last in
            if let last, last.duration(to: .now) < Self.interval { return }
            last = .now
            StandardError.write("\r\u{1B}[K" + text().prefix(Self.width))
        }
    }

    /// Takes it away.
    func clear() {
        if last.withLock({ $0 != nil }) { StandardError.write("\r\u{1B}[K") }
    }

    /// How far a crawl has come.
    static func text(_ progress: CrawlProgress) -> String {
        "pages: \(progress.pages) done, \(progress.waiting) waiting: \(progress.path)"
    }
}

extension ReportFormat: ExpressibleByArgument {}

extension ServerReport {
    /// Prints the report.
    ///
    /// - Throws: `ExitCode`: 1 for findings, 2 for a server that can't be reached, and where nothing was found by a tool that couldn't finish,
    ///   and 130 where nothing was found before the tool was interrupted.
    func finish(as format: ReportFormat) throws {
        if format == .text, unreachable != nil {
            StandardError.print("Error: \(self)")
        } else {
            print(text(as: format))
        }
        if case .notSecured(let reason)? = unreachable, reason.contains("certificate") {
            StandardError.print(
                "--certificates FILE trusts the certificates in a file, and --trust-anyone trusts all."
            )
        }
        if unreachable != nil { throw ExitCode(2) }
        if !isClean { throw ExitCode(1) }
        if Interruption.hasCome { throw ExitCode(130) }
        if isCutShort { throw ExitCode(2) }
    }
}
