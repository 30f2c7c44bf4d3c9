internal import BacklotHTTP
internal import BacklotJSON
internal import Logging

/// Writes each event of a logger as one line.
///
/// Values of metadata whose names say that they are secrets are left out. Nothing in an event can move a terminal's cursor, or
/// begin a line: on a terminal, a message of several lines has blanks before each but the first.
struct LineLogHandler: LogHandler {
    /// The longest text, in bytes: a longer one is cut, and the line says so.
    private static let longest = 8 * 1024

    let lines: LogLines
    let format: LogFormat
    /// What stands for a line break in a message.
    private let lineBreak: String
    var logLevel = Logger.Level.info
    var metadataProvider: Logger.MetadataProvider?
    /// What comes with every event; secrets are hidden as it is set.
    var metadata: Logger.Metadata = [:]

    init(label: String, format: LogFormat, output: LogOutput) {
        lineBreak = output.isTerminal ? "\n    " : "\\n"
        lines = LogLines(label: label, output: output)
        self.format = format
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = event.metadata ?? [:]
        if !metadata.isEmpty { all.merge(metadata) { own, _ in own } }
        if let provided = metadataProvider?.get(), !provided.isEmpty { all.merge(provided) { own, _ in own } }
        if let error = event.error { all["error"] = .string(String(reflecting: error)) }
        noteDropped(write(event, all))
    }

    private func noteDropped(_ count: Int) {
        guard let text = LogLines.report(dropped: count) else { return }
        let event = LogEvent(
            level: .warning,
            message: "\(text)",
            metadata: nil,
            source: nil,
            file: "",
            function: "",
            line: 0
        )
        _ = write(event, [:])
    }

    private func write(_ event: LogEvent, _ metadata: Logger.Metadata) -> Int {
        let line = format == .json ? json(event, metadata) : text(event, metadata)
        return lines.output.write(line, isUrgent: event.level >= .error)
    }

    // MARK: Text

    private func text(_ event: LogEvent, _ metadata: Logger.Metadata) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(160)
        lines.output.appendTimeOfDay(to: &line)
        line += " \(event.level) ".utf8
        LogText.append(Self.shortened(event.message.description), to: &line, lineBreak: lineBreak)
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            line.append(UInt8(ascii: " "))
            LogText.append(key, to: &line)
            line.append(UInt8(ascii: "="))
            LogText.append(Self.shortened(Self.text(key, value)), to: &line)
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    private static func text(_ key: String, _ value: Logger.Metadata.Value) -> String {
        if Redaction.hides(key) { return Redaction.mark }
        switch value {
        case .string(let text): return text
        case .stringConvertible(let other): return other.description
        case .array(let values): return "[\(values.map { text("", $0) }.joined(separator: ", "))]"
        case .dictionary(let values):
            let members = values.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.key, $0.value))" }
            return "{\(members.joined(separator: ", "))}"
        }
    }

    // MARK: JSON

    private func json(_ event: LogEvent, _ metadata: Logger.Metadata) -> [UInt8] {
        lines.json(event.level) {
            $0.field("message", Self.shortened(event.message.description))
            for (key, value) in metadata { Self.write(key, value, to: &$0) }
        }
    }

    private static func write(_ key: String, _ value: Logger.Metadata.Value, to writer: inout JSONWriter) {
        let isTaken = ["time", "level", "logger", "message"].contains(key)
        writer.name(isTaken ? "metadata.\(key)" : key)
        write(Redaction.hides(key) ? .string(Redaction.mark) : value, to: &writer)
    }

    private static func write(_ value: Logger.Metadata.Value, to writer: inout JSONWriter) {
        switch value {
        case .string(let text): writer.value(shortened(text))
        case .stringConvertible(let number as Int): writer.value(number)
        case .stringConvertible(let number as Double): writer.value(number)
        case .stringConvertible(let flag as Bool): writer.value(flag)
        case .stringConvertible(let other): writer.value(shortened(other.description))
        case .array(let values): writer.array { for value in values { write(value, to: &$0) } }
        case .dictionary(let values):
            writer.object { for (key, value) in values { write(key, value, to: &$0) } }
        }
    }

    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > longest else { return text }
        let start = String(decoding: text.utf8.prefix(longest), as: UTF8.self)
        return "\(start)… (\(text.utf8.count - longest) more bytes)"
    }
}

/// Writes lines of JSON. A class, so that no request pays for a copy of what the handler of a logger holds.
final class LogLines: Sendable {
    let label: String
    let output: LogOutput

    init(label: String, output: LogOutput) {
        self.label = label
        self.output = output
    }

    /// The message that reports dropped lines; nil when none were dropped.
    static func report(dropped count: Int) -> String? {
        count > 0 ? "\(count) lines of the log were dropped, since it is read too slowly" : nil
    }

    /// Writes a line whose last members `members` writes: the message, and what else there is.
    func write(_ level: Logger.Level, _ members: (inout JSONWriter) -> Void) {
        let dropped = output.write(json(level, members), isUrgent: level >= .error)
        guard let text = Self.report(dropped: dropped) else { return }
        _ = output.write(json(.warning) { $0.field("message", text) }, isUrgent: false)
    }

    /// Such a line.
    func json(_ level: Logger.Level, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        let time = output.dateTime
        let level = level.rawValue
        return JSONWriter.document(capacity: 384) { writer in
            writer.object {
                $0.field("time") { $0.piece(ascii: time.span) }
                $0.field("level", level)
                $0.field("logger", label)
                members(&$0)
            }
            writer.endLine()
        }
    }
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
