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

/// The least level that loggers write. Every logger that was made with it follows when it changes.
public final class LogThreshold: Sendable {
    private static let levels = Logger.Level.allCases
    private let index: Atomic<Int>

    /// A threshold.
    public init(_ level: Logger.Level) {
        index = Atomic(Self.index(of: level))
    }

    /// The level now.
    public var level: Logger.Level {
        get { Self.levels[index.load(ordering: .relaxed)] }
        set { index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    private static func index(of level: Logger.Level) -> Int { levels.firstIndex(of: level) ?? 0 }
}

/// Where log lines go: a file descriptor, to which a separate thread writes.
///
/// Callers never wait for a disk or a terminal: lines are gathered and written together within 20 ms, those of an error
/// or worse at once, and what is left when the program exits. While the reader of the descriptor is so slow that more than
/// 1 MiB waits, further lines are dropped, and a line says how many.
public final class LogOutput: Sendable {
    /// Standard error.
    public static let standardError: LogOutput = {
        let output = LogOutput(descriptor: STDERR_FILENO)
        atexit { LogOutput.standardError.flush() }
        return output
    }()

    private static let dropped = Atomic<Int>(0)
    /// The lines that were dropped since the program began, in all outputs.
    static var droppedLines: Int { dropped.load(ordering: .relaxed) }

    /// Whether it is a terminal, which people read.
    public let isTerminal: Bool
    private let limit: Int
    private let queue: LogQueue

    /// An output.
    ///
    /// - Parameters:
    ///   - descriptor: an open file descriptor; it stays open.
    ///   - limit: how many bytes may wait to be written.
    public convenience init(descriptor: Int32, limit: Int = 1024 * 1024) {
        self.init(descriptor: descriptor, limit: limit, isTerminal: isatty(descriptor) == 1)
    }

    init(descriptor: Int32, limit: Int, isTerminal: Bool) {
        self.limit = limit
        self.isTerminal = isTerminal
        queue = LogQueue(descriptor: descriptor)
    }

    deinit { queue.end() }

    /// A logger that writes here.
    ///
    /// - Parameters:
    ///   - label: the logger's name.
    ///   - format: how lines look; nil for text on a terminal and JSON elsewhere.
    ///   - level: what is logged: this and worse.
    public func logger(label: String, format: LogFormat? = nil, level: Logger.Level = .info) -> Logger {
        let format = format ?? (isTerminal ? .text : .json)
        var logger = Logger(label: label) { LineLogHandler(label: $0, format: format, output: self) }
        logger.logLevel = level
        return logger
    }

    /// A logger that writes here, whose level may change while it is used.
    ///
    /// - Parameters:
    ///   - label: the logger's name.
    ///   - format: how lines look; nil for text on a terminal and JSON elsewhere.
    ///   - threshold: the least level that is logged, as long as the logger has no `logLevel` of its own.
    public func logger(label: String, format: LogFormat? = nil, threshold: LogThreshold) -> Logger {
        let format = format ?? (isTerminal ? .text : .json)
        return Logger(label: label) { LineLogHandler(label: $0, format: format, output: self, threshold: threshold) }
    }

    /// Writes what waits. It returns when that is done.
    public func flush() { queue.write() }

    /// The date and time now.
    var dateTime: LogTime.Text { queue.waiting.withLock { $0.time.dateTime(.now) } }

    /// Appends the time of the day now: `20:17:12.345`, in UTC.
    func appendTimeOfDay(to line: inout [UInt8]) {
        let time = dateTime
        for index in 11..<23 { line.append(time[index]) }
    }

    /// The event that reports dropped lines; nil when none were dropped.
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

    /// Adds a line; otherwise as the other `write`.
    func write(isUrgent: Bool, _ line: [UInt8]) -> Int { write(isUrgent: isUrgent) { all, _ in all += line } }

    /// Adds a line, ending included.
    ///
    /// - Parameters:
    ///   - isUrgent: write it now, and not with what comes later.
    ///   - append: appends the line to those that wait, and gets the present time. It is called under the lock: it must not log.
    /// - Returns: how many lines were dropped before this one and have not been reported yet.
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

/// The lines that wait, and the thread that writes them in their order.
private final class LogQueue: Sendable {
    struct Waiting {
        var bytes: [UInt8] = []
        /// How many lines found no room since the last that did.
        var dropped = 0
        /// Whether the thread knows that something waits.
        var isScheduled = false
        /// Whether it can't wait for further lines.
        var isUrgent = false
        var hasThread = false
        var hasEnded = false
        var time = LogTime()
    }

    private static let delay = Duration.milliseconds(20)
    /// The most memory that is kept for the next lines, in bytes.
    private static let keptCapacity = 64 * 1024

    let waiting = Locked(Waiting())
    private let descriptor: Int32
    private let signal = ThreadSignal()
    /// The bytes that are being written.
    private let writing = Locked<[UInt8]>([])

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Tells the thread that something waits. It is started with the first line.
    func wake() {
        signal.give()
        let isFirst = waiting.withLock { waiting in
            defer { waiting.hasThread = true }
            return !waiting.hasThread
        }
        // A serial queue with a long piece of work is a thread.
        if isFirst { DispatchQueue(label: "backlot.log").async { self.run() } }
    }

    private func run() {
        while !waiting.withLock(\.hasEnded) {
            guard signal.wait(atMost: .seconds(3600)) else { continue }
            // What comes within a moment goes out too.
            if !waiting.withLock(\.isUrgent) { signal.wait(atMost: Self.delay) }
            write()
        }
    }

    /// Writes what waits. It returns when that is done.
    func write() {
        writing.withLock { bytes in
            waiting.withLock { waiting in
                swap(&waiting.bytes, &bytes)
                (waiting.isScheduled, waiting.isUrgent) = (false, false)
            }
            // When the reader is gone, this can't be reported either.
            _ = Descriptor.write(bytes, to: descriptor)
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
        }
    }

    /// Writes what waits, and ends the thread.
    func end() {
        write()
        waiting.withLock { $0.hasEnded = true }
        signal.give()
    }
}

/// How log events are written down.
public enum LogFormat: String, CaseIterable, Sendable {
    /// For people: `20:17:12.345 info GET /notes 200 duration-ms=1.2`.
    case text
    /// For programs: one JSON object a line (https://jsonlines.org), with `time` (RFC 3339, UTC), `level`, `logger`, `message`,
    /// and the metadata beside them.
    case json
}

/// The time of log events as text, in UTC. The part that lasts a second is made once a second.
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
