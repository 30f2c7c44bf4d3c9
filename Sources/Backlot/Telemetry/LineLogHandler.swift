internal import Logging

/// Writes each event of a logger as one line.
///
/// Values of metadata whose names say that they are secrets are left out. Nothing in an event can move a terminal's cursor, or
/// begin a line: on a terminal, a message of several lines has blanks before each but the first.
struct LineLogHandler: LogHandler {
    /// The longest text, in bytes: a longer one is cut, and the line says so.
    private static let longest = 8 * 1024

    let label: String
    let format: LogFormat
    let output: LogOutput
    /// What stands for a line break in a message.
    private let lineBreak: String
    /// The level of all loggers of the program; nil for a logger that has its own.
    private(set) var threshold: LogThreshold?
    private var ownLevel = Logger.Level.info
    var metadataProvider: Logger.MetadataProvider?
    /// What comes with every event; secrets are hidden as it is set.
    var metadata: Logger.Metadata = [:]

    var logLevel: Logger.Level {
        get { threshold?.level ?? ownLevel }
        set { (ownLevel, threshold) = (newValue, nil) }
    }

    init(label: String, format: LogFormat, output: LogOutput, threshold: LogThreshold? = nil) {
        self.threshold = threshold
        lineBreak = output.isTerminal ? "\n    " : "\\n"
        self.label = label
        self.format = format
        self.output = output
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
        let isUrgent = event.level >= .error
        // Made before the output is held: texts of metadata may take their time, and log themselves.
        let dropped = output.write(isUrgent: isUrgent, format == .json ? json(event, all) : text(event, all))
        if let warning = LogOutput.warning(dropped: dropped) { log(event: warning) }
    }

    // MARK: Text

    private func text(_ event: LogEvent, _ metadata: Logger.Metadata) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(160)
        output.appendTimeOfDay(to: &line)
        line += " \(event.level.rawValue) ".utf8
        line += LogText.escaped(Self.shortened(event.message.description), lineBreak: lineBreak).utf8
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            line += " \(LogText.escaped(key))=\(LogText.escaped(Self.shortened(Self.text(key, value))))".utf8
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    private static func text(_ key: String, _ value: Logger.Metadata.Value) -> String {
        if LogRedaction.hides(key) { return LogRedaction.mark }
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
        JSONWriter.document(capacity: 384) { writer in
            writer.object {
                $0.field("time") { [time = output.dateTime] in $0.piece(ascii: time.span) }
                $0.field("level", event.level.rawValue)
                $0.field("logger", label)
                $0.field("message", Self.shortened(event.message.description))
                for (key, value) in metadata { Self.write(key, value, to: &$0) }
            }
            writer.endLine()
        }
    }

    private static func write(_ key: String, _ value: Logger.Metadata.Value, to writer: inout JSONWriter) {
        let isTaken = ["time", "level", "logger", "message"].contains(key)
        writer.name(isTaken ? "metadata.\(key)" : key)
        write(LogRedaction.hides(key) ? .string(LogRedaction.mark) : value, to: &writer)
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

/// What must not be in a log: values whose names say that they are secrets.
package enum LogRedaction {
    /// What stands in a secret's place.
    package static let mark = "[redacted]"

    private static let words = [
        "password", "passwd", "secret", "token", "authorization", "cookie", "credential", "api-key", "api_key",
        "apikey",
    ]
    /// A program has few names, and uses them in every line.
    private static let known = Locked<[String: Bool]>([:])
    private static let mostKnown = 1000

    /// Whether a name is that of a secret. Letter case doesn't count.
    package static func hides(_ name: String) -> Bool {
        if let response = known.withLock({ $0[name] }) { return response }
        let lowercased = name.lowercased()
        let response = words.contains { lowercased.contains($0) }
        known.withLock { if $0.count < mostKnown { $0[name] = response } }
        return response
    }
}

/// Texts of others in a line for people: control characters are spelled out, so that none can begin a line or reach the terminal.
package enum LogText {
    /// - Parameter lineBreak: what stands for a line break.
    package static func escaped(_ text: String, lineBreak: String = "\\n") -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": escaped += lineBreak
            case "\r": escaped += "\\r"
            case "\t": escaped += "\\t"
            // C0, DEL and C1, and what turns the direction of the text around (U+202A to U+202E, U+2066 to U+2069).
            case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                escaped += "\\u{\(String(scalar.value, radix: 16))}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
