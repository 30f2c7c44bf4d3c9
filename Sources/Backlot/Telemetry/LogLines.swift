internal import Logging

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
        guard count > 0 else { return nil }
        let lines = count == 1 ? "1 line of the log was" : "\(count) lines of the log were"
        return "\(lines) dropped, since it is read too slowly"
    }

    /// Writes a line whose last members `members` writes: the message, and what else there is.
    ///
    /// - Parameter members: is called while other threads wait: it takes a moment, and logs nothing itself.
    func write(_ level: Logger.Level, _ members: (inout JSONWriter) -> Void) {
        let dropped = output.write(isUrgent: level >= .error) { append(level, to: &$0, $1, members) }
        guard let text = Self.report(dropped: dropped) else { return }
        _ = output.write(isUrgent: false) { append(.warning, to: &$0, $1) { $0.field("message", text) } }
    }

    /// Appends such a line.
    func append(
        _ level: Logger.Level,
        to lines: inout [UInt8],
        _ time: LogTime.Text,
        _ members: (inout JSONWriter) -> Void
    ) {
        JSONWriter.append(to: &lines, capacity: 384) { writer in
            writer.object {
                $0.field("time") { $0.piece(ascii: time.span) }
                $0.field("level", level.rawValue)
                $0.field("logger", label)
                members(&$0)
            }
            writer.endLine()
        }
    }
}
