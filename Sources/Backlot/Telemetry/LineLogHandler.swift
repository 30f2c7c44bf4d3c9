internal import Logging

/// Writes each event of a logger as one line.
///
/// It leaves out metadata with the names of secrets. An event can't move a terminal's cursor or begin a line: on a terminal, each
/// further line of a message starts with blanks.
struct LineLogHandler: LogHandler {
    /// The maximum length of a text, in bytes. A longer one is cut, and the line says so.
    private static let longest = 8 * 1024

    let label: String
    let format: LogFormat
    let output: LogOutput
    /// The replacement for a line break in a message.
    private let lineBreak: String
    /// The level of all loggers of the program; nil for a logger with a separate level.
    private(set) var threshold: LogThreshold?
    private var ownLevel = Logger.Level.info
    var metadataProvider: Logger.MetadataProvider?
    /// The metadata of every event. Secrets are hidden when it is set.
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
        let line =
            switch format {
            case .text: text(event, all)
            case .json: json(event, all)
            case .logfmt: logfmt(event, all)
            }
        let dropped = output.write(isUrgent: isUrgent, line)
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

    private func logfmt(_ event: LogEvent, _ metadata: Logger.Metadata) -> [UInt8] {
        let time = output.dateTime
        let own = [
            ("time", String(decoding: time.indices.map { time[$0] }, as: UTF8.self)), ("level", event.level.rawValue),
            ("logger", label), ("msg", event.message.description),
        ]
        let others = metadata.sorted { $0.key < $1.key }.map { key, value in
            (own.contains { $0.0 == key } ? "metadata.\(key)" : key, Self.text(key, value))
        }
        let words = (own + others).map { key, value in
            let key = String(String.UnicodeScalarView(key.unicodeScalars.map { LogText.breaksWord($0) ? "_" : $0 }))
            return "\(key)=\(LogText.word(Self.shortened(value)))"
        }
        return Array("\(words.joined(separator: " "))\n".utf8)
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
                for (key, value) in metadata {
                    let isTaken = ["time", "level", "logger", "message"].contains(key)
                    Self.write(isTaken ? "metadata.\(key)" : key, value, to: &$0)
                }
            }
            writer.endLine()
        }
    }

    private static func write(_ key: String, _ value: Logger.Metadata.Value, to writer: inout JSONWriter) {
        writer.name(key)
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

/// The names of values that must not be in a log, because they are secrets.
package enum LogRedaction {
    /// The replacement for a secret.
    package static let mark = "[redacted]"

    private static let words = [
        "password", "passwd", "secret", "token", "authorization", "cookie", "credential", "api-key", "api_key",
        "apikey",
    ]
    /// A cache: a program has few names, and uses them in every line.
    private static let known = Locked<[String: Bool]>([:])
    private static let mostKnown = 1000

    /// Whether a name means a secret. Letter case doesn't count.
    package static func hides(_ name: String) -> Bool {
        if let response = known.withLock({ $0[name] }) { return response }
        let lowercased = name.lowercased()
        let response = words.contains { lowercased.contains($0) }
        known.withLock { if $0.count < mostKnown { $0[name] = response } }
        return response
    }
}

/// Texts from outside in a line for people. Control characters are escaped, so that they can't begin a line or affect the terminal.
package enum LogText {
    /// - Parameter lineBreak: the replacement for a line break.
    package static func escaped(_ text: String, lineBreak: String = "\\n") -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": escaped += lineBreak
            case "\r": escaped += "\\r"
            case "\t": escaped += "\\t"
            // C0, DEL and C1, and the characters that change the direction of text (U+202A to U+202E, U+2066 to U+2069).
            case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                escaped += "\\u{\(String(scalar.value, radix: 16))}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Whether a character ends a word of logfmt, or makes it ambiguous.
    static func breaksWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar <= " " || scalar == "=" || scalar == "\"" || scalar == "\\"
    }

    /// A value of logfmt: in quotes where it has blanks, and where it would be read as something else.
    static func word(_ text: String) -> String {
        guard text.isEmpty || text.unicodeScalars.contains(where: breaksWord) else { return escaped(text) }
        let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped(quoted))\""
    }
}
