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
