internal import BacklotHTTP
public import Logging

/// Keeps what is logged.
public final class LogRecorder: Sendable {
    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.debug

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let line = "\(event.level): \(event.message)"
            recorder.kept.withLock { $0.append(line) }
            recorder.onLine(line)
        }
    }

    private let kept = Locked<[String]>([])
    private let onLine: @Sendable (String) -> Void

    /// - Parameter onLine: called with each line that is logged.
    public init(onLine: @escaping @Sendable (String) -> Void = { _ in }) { self.onLine = onLine }

    /// The lines so far: the level, and the message.
    public var lines: [String] { kept.withLock { $0 } }

    /// Writes the log.
    public var logger: Logger { Logger(label: "test") { _ in Handler(recorder: self) } }
}

extension Logger {
    /// Says nothing.
    public static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
