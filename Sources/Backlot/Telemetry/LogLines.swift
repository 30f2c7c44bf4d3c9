internal import BacklotJSON
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
