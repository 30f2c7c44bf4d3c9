import Backlot
public import BacklotChecks
import BacklotClients
public import BacklotService
import Dispatch

/// Handles Ctrl-C in a tool: the first one ends the work and prints its result; the second ends the process.
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

/// A line on a terminal with a tool's progress; each call replaces it.
final class ProgressLine: Sendable {
    private static let interval = Duration.milliseconds(100)
    private static let width = 79
    private let last = Locked<ContinuousClock.Instant?>(nil)

    /// nil if standard error isn't a terminal.
    init?() {
        guard StandardError.isTerminal else { return nil }
    }

    /// Shows a text, but not too often.
    func show(_ text: @autoclosure () -> String) {
        last.withLock { last in
            if let last, last.duration(to: .now) < Self.interval { return }
            last = .now
            StandardError.write("\r\u{1B}[K" + text().prefix(Self.width))
        }
    }

    /// Removes the line.
    func clear() {
        if last.withLock({ $0 != nil }) { StandardError.write("\r\u{1B}[K") }
    }

    /// The progress of a crawl.
    static func text(_ progress: CrawlProgress) -> String {
        "pages: \(progress.pages) done, \(progress.waiting) waiting: \(progress.path)"
    }
}

extension ReportFormat: ExpressibleByArgument {}

extension Finding.Severity: ExpressibleByArgument {}

extension ServerReport {
    /// Prints the report.
    ///
    /// - Throws: `ExitCode`: 1 for findings; 2 for a server that can't be reached, and for a tool that couldn't finish and found
    ///   nothing; 130 if the tool was interrupted and had found nothing.
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
