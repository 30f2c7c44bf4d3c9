/// The value of `Content-Range` (RFC 9110, section 14.4).
enum ContentRange {
    /// Which bytes of how many a part is; `range` isn't empty.
    static func text(_ range: Range<Int>, of size: Int) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
    }

    /// How many bytes there are, where none are sent.
    static func unsatisfied(_ size: Int) -> String { "bytes */\(size)" }
}
