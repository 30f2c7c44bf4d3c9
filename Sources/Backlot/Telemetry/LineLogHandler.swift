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
        // Made before the output is held: texts of metadata may take their time, and log themselves.
        let line = format == .json ? json(event, metadata) : text(event, metadata)
        return lines.output.write(isUrgent: event.level >= .error) { all, _ in all += line }
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
        var line: [UInt8] = []
        lines.append(event.level, to: &line, lines.output.dateTime) {
            $0.field("message", Self.shortened(event.message.description))
            for (key, value) in metadata { Self.write(key, value, to: &$0) }
        }
        return line
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
