internal import Dispatch
public import Logging
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The minimum level of loggers. A change affects every logger that was made with it.
public final class LogThreshold: Sendable {
    private static let levels = Logger.Level.allCases
    private let index: Atomic<Int>

    /// A threshold.
    public init(_ level: Logger.Level) {
        index = Atomic(Self.index(of: level))
    }

    /// The current level.
    public var level: Logger.Level {
        get { Self.levels[index.load(ordering: .relaxed)] }
        set { index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    private static func index(of level: Logger.Level) -> Int { levels.firstIndex(of: level) ?? 0 }
}

/// The destination of log lines: a file descriptor, with a separate thread that writes to it.
///
/// Callers never wait for a disk or a terminal. Lines are collected and written together within 20 ms, errors and worse at once,
/// and the rest when the program exits. While the reader of the descriptor is so slow that more than 1 MiB waits, further lines are
/// dropped, and a later line gives their number.
///
/// ```swift
/// let logger = LogOutput.standardError.logger(label: "clinic", level: .notice)
/// try await Server(router, logger: logger).run()
/// ```
public final class LogOutput: Sendable {
    /// Standard error.
    public static let standardError: LogOutput = {
        let output = LogOutput(descriptor: STDERR_FILENO)
        atexit { LogOutput.standardError.flush() }
        return output
    }()

    private static let dropped = Atomic<Int>(0)
    /// The number of lines dropped since the program began, in all outputs.
    static var droppedLines: Int { dropped.load(ordering: .relaxed) }

    /// Whether it is a terminal.
    public let isTerminal: Bool
    private let limit: Int
    private let queue: LogQueue

    /// An output.
    ///
    /// - Parameters:
    ///   - descriptor: an open file descriptor, which stays open.
    ///   - limit: the maximum number of waiting bytes.
    public convenience init(descriptor: Int32, limit: Int = 1024 * 1024) {
        self.init(descriptor: descriptor, limit: limit, isTerminal: isatty(descriptor) == 1)
    }

    init(descriptor: Int32, limit: Int, isTerminal: Bool) {
        self.limit = limit
        self.isTerminal = isTerminal
        queue = LogQueue(descriptor: descriptor)
    }

    deinit { queue.end() }

    /// A logger with this output.
    ///
    /// - Parameters:
    ///   - label: the logger's name.
    ///   - format: the format of lines; nil for text on a terminal and JSON elsewhere.
    ///   - level: the minimum level.
    public func logger(label: String, format: LogFormat? = nil, level: Logger.Level = .info) -> Logger {
        let format = format ?? (isTerminal ? .text : .json)
        var logger = Logger(label: label) { LineLogHandler(label: $0, format: format, output: self) }
        logger.logLevel = level
        return logger
    }

    /// A logger with this output and a level that may change.
    ///
    /// - Parameters:
    ///   - label: the logger's name.
    ///   - format: the format of lines; nil for text on a terminal and JSON elsewhere.
    ///   - threshold: the minimum level, unless the logger sets its `logLevel`.
    public func logger(label: String, format: LogFormat? = nil, threshold: LogThreshold) -> Logger {
        let format = format ?? (isTerminal ? .text : .json)
        return Logger(label: label) { LineLogHandler(label: $0, format: format, output: self, threshold: threshold) }
    }

    /// Writes all waiting lines before it returns.
    public func flush() { queue.write() }

    /// The current date and time.
    var dateTime: LogTime.Text { queue.waiting.withLock { $0.time.dateTime(.now) } }

    /// Appends the current time of day: `20:17:12.345`, in UTC.
    func appendTimeOfDay(to line: inout [UInt8]) {
        let time = dateTime
        for index in 11..<23 { line.append(time[index]) }
    }

    /// The event that reports dropped lines; nil if none were dropped.
    static func warning(dropped count: Int) -> LogEvent? {
        guard count > 0 else { return nil }
        let lines = count == 1 ? "1 line of the log was" : "\(count) lines of the log were"
        return LogEvent(
            level: .warning,
            message: "\(lines) dropped, since it is read too slowly",
            metadata: nil,
            source: nil,
            file: "",
            function: "",
            line: 0
        )
    }

    /// Adds a line, like the other `write`.
    func write(isUrgent: Bool, _ line: [UInt8]) -> Int { write(isUrgent: isUrgent) { all, _ in all += line } }

    /// Adds a line with its ending.
    ///
    /// - Parameters:
    ///   - isUrgent: whether to write it at once, instead of together with later lines.
    ///   - append: appends the line to the waiting ones, with the current time. It runs under the lock and must not log.
    /// - Returns: the number of lines that were dropped before this one and haven't been reported yet.
    func write(isUrgent: Bool, _ append: (inout [UInt8], LogTime.Text) -> Void) -> Int {
        let (isNews, dropped) = queue.waiting.withLock { waiting in
            let count = waiting.bytes.count
            append(&waiting.bytes, waiting.time.dateTime(.now))
            guard waiting.bytes.count <= limit else {
                waiting.bytes.removeLast(waiting.bytes.count - count)
                waiting.dropped += 1
                Self.dropped.add(1, ordering: .relaxed)
                return (false, 0)
            }
            defer {
                waiting.isScheduled = true
                waiting.isUrgent = waiting.isUrgent || isUrgent
                waiting.dropped = 0
            }
            return (isUrgent || !waiting.isScheduled, waiting.dropped)
        }
        if isNews { queue.wake() }
        return dropped
    }
}

/// The waiting lines, and the thread that writes them in order.
private final class LogQueue: Sendable {
    struct Waiting {
        var bytes: [UInt8] = []
        /// The number of lines dropped since the last accepted one.
        var dropped = 0
        /// Whether the thread knows about waiting lines.
        var isScheduled = false
        /// Whether the thread must not wait for further lines.
        var isUrgent = false
        var hasThread = false
        var hasEnded = false
        var time = LogTime()
    }

    private static let delay = Duration.milliseconds(20)
    /// The maximum memory that is kept for the next lines, in bytes.
    private static let keptCapacity = 64 * 1024

    let waiting = Locked(Waiting())
    private let descriptor: Int32
    private let signal = ThreadSignal()
    /// The bytes of the current write.
    private let writing = Locked<[UInt8]>([])

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Wakes the thread to write. The first line starts it.
    func wake() {
        signal.give()
        let isFirst = waiting.withLock { waiting in
            defer { waiting.hasThread = true }
            return !waiting.hasThread
        }
        // A serial queue with one endless task serves as a thread.
        if isFirst { DispatchQueue(label: "backlot.log").async { self.run() } }
    }

    private func run() {
        while !waiting.withLock(\.hasEnded) {
            guard signal.wait(atMost: .seconds(3600)) else { continue }
            // Lines that arrive within a moment are written too.
            if !waiting.withLock(\.isUrgent) { signal.wait(atMost: Self.delay) }
            write()
        }
    }

    /// Writes all waiting lines before it returns.
    func write() {
        writing.withLock { bytes in
            waiting.withLock { waiting in
                swap(&waiting.bytes, &bytes)
                (waiting.isScheduled, waiting.isUrgent) = (false, false)
            }
            // If the reader has disconnected, the log can't report that either.
            _ = Descriptor.write(bytes, to: descriptor)
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
        }
    }

    /// Writes all waiting lines, and ends the thread.
    func end() {
        write()
        waiting.withLock { $0.hasEnded = true }
        signal.give()
    }
}

/// The format of log events.
public enum LogFormat: String, CaseIterable, Sendable {
    /// For people: `20:17:12.345 info GET /notes 200 duration-ms=1.2`.
    case text
    /// For programs: one JSON object a line (https://jsonlines.org), with `time` (RFC 3339, UTC), `level`, `logger`, `message`,
    /// and the metadata beside them.
    case json
    /// For programs that read words: `time=2026-11-21T20:17:12.345Z level=info logger=app msg="GET /notes 200" duration-ms=1.2`.
    case logfmt
}

/// The time of log events as text, in UTC. The part up to the seconds is made once a second.
struct LogTime {
    /// The date and time of RFC 3339, in ASCII: `2026-11-21T20:17:12.345Z`.
    typealias Text = InlineArray<24, UInt8>

    private var second = Int.min
    private var text = Text(repeating: UInt8(ascii: "Z"))

    /// The date and time as text.
    mutating func dateTime(_ time: FileTime) -> Text {
        if time.seconds != second {
            second = time.seconds
            let dateTime = HTTPDate(secondsSince1970: second).rfc3339.utf8
            for (index, byte) in dateTime.prefix(19).enumerated() { text[index] = byte }
            text[19] = UInt8(ascii: ".")
        }
        let milliseconds = UInt16(time.nanoseconds / 1_000_000)
        func digit(_ divisor: UInt16) -> UInt8 { UInt8(ascii: "0") + UInt8(milliseconds / divisor % 10) }
        text[20] = digit(100)
        text[21] = digit(10)
        text[22] = digit(1)
        return text
    }
}
