/// Keys whose makers begin them in a way that nothing else begins in.
enum KnownKeys {
    private struct Shape {
        let prefix: [UInt8]
        /// How many bytes follow at least.
        let least: Int

        init(_ prefix: String, _ least: Int) {
            self.prefix = Array(prefix.utf8)
            self.least = least
        }
    }

    private static let shapes =
        ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map { Shape($0, 16) }
        + ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "xoxb-", "xoxp-", "xoxa-", "xoxs-"].map { Shape($0, 10) }
        + [Shape("github_pat_", 20), Shape("AKIA", 16), Shape("ASIA", 16), Shape("AIza", 30)]
    private static let first = Set(shapes.map { $0.prefix[0] })

    private static let begin = Array("-----BEGIN ".utf8)
    private static let privateKey = Array("PRIVATE KEY-----".utf8)
    private static let end = Array("-----END ".utf8)

    /// Where a key is that begins at an index, or the text of a private key whose block begins there (RFC 7468, section 10).
    static func range(in bytes: [UInt8], from start: Int) -> Range<Int>? {
        if bytes[start] == begin[0] { return block(in: bytes, from: start) }
        guard first.contains(bytes[start]),
            let shape = shapes.first(where: { bytes[start...].starts(with: $0.prefix) })
        else { return nil }
        let rest = bytes[(start + shape.prefix.count)...].prefix(while: isKey)
        return rest.count >= shape.least ? start..<rest.endIndex : nil
    }

    private static func block(in bytes: [UInt8], from start: Int) -> Range<Int>? {
        guard bytes[start...].starts(with: begin) else { return nil }
        let rest = bytes[(start + begin.count)...]
        // `RSA`, `EC`, `ENCRYPTED`, `OPENSSH` or none.
        guard let title = rest.prefix(40).firstRange(of: privateKey) else { return nil }
        // Headers, such as `Proc-Type: 4,ENCRYPTED`, may stand before it.
        let text = rest[title.upperBound...].drop { $0 <= 0x20 }.prefix {
            isKey($0) || $0 <= 0x20 || "+/=:,\\".utf8.contains($0)
        }
        var upper = text.firstRange(of: end)?.lowerBound ?? text.endIndex
        while upper > text.startIndex, bytes[upper - 1] <= 0x20 { upper -= 1 }
        return upper - text.startIndex >= 16 ? text.startIndex..<upper : nil
    }

    private static func isKey(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }
}
