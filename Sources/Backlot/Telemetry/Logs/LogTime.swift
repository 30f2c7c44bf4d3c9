internal import BacklotHTTP

/// The time of log events as text, in UTC. The part that lasts a second is made once a second.
struct LogTime {
    private var second = Int.min
    /// `2026-11-21T20:17:12.`
    private var text: [UInt8] = []

    /// The date and time of RFC 3339: `2026-11-21T20:17:12.345Z`.
    mutating func dateTime(_ time: FileTime) -> String {
        if time.seconds != second {
            second = time.seconds
            text = Array(HTTPDate(secondsSince1970: second).rfc3339.utf8.dropLast()) + [UInt8(ascii: ".")]
        }
        let milliseconds = UInt16(time.nanoseconds / 1_000_000)
        func digit(_ divisor: UInt16) -> UInt8 { UInt8(ascii: "0") + UInt8(milliseconds / divisor % 10) }
        return unsafe String(unsafeUninitializedCapacity: text.count + 4) { bytes in
            _ = unsafe bytes.initialize(fromContentsOf: text)
            unsafe bytes[text.count] = digit(100)
            unsafe bytes[text.count + 1] = digit(10)
            unsafe bytes[text.count + 2] = digit(1)
            unsafe bytes[text.count + 3] = UInt8(ascii: "Z")
            return text.count + 4
        }
    }
}
