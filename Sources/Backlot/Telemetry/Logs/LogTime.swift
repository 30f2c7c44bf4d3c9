internal import BacklotHTTP

/// The time of a log event as text, in UTC. The day's part is made once a second.
struct LogTime {
    private var second = Int.min
    /// `2026-11-21T20:17:12`
    private var text: [UInt8] = []

    /// Appends the date and time of RFC 3339: `2026-11-21T20:17:12.345Z`.
    mutating func appendDateTime(_ time: FileTime, to line: inout [UInt8]) {
        update(time.seconds)
        line += text
        Self.appendMilliseconds(time.nanoseconds, to: &line)
        line.append(UInt8(ascii: "Z"))
    }

    /// Appends the time of day: `20:17:12.345`.
    mutating func appendTimeOfDay(_ time: FileTime, to line: inout [UInt8]) {
        update(time.seconds)
        line += text[11...]
        Self.appendMilliseconds(time.nanoseconds, to: &line)
    }

    private mutating func update(_ now: Int) {
        guard now != second else { return }
        second = now
        text = Array(HTTPDate(secondsSince1970: now).rfc3339.utf8.dropLast())
    }

    private static func appendMilliseconds(_ nanoseconds: Int, to line: inout [UInt8]) {
        let digits = String(1000 + nanoseconds / 1_000_000).utf8.dropFirst()
        line.append(UInt8(ascii: "."))
        line += digits
    }
}
