internal import BacklotJSON

/// Keys with a unique beginning, which their makers chose.
enum KnownKeys {
    private struct Shape {
        let prefix: [UInt8]
        /// The least number of bytes after the beginning.
        let least: Int
        /// The characters of keys besides letters, digits, `_` and `-`.
        let signs: [UInt8]
        /// Whether words may have the same beginning, so that the rest must look random.
        let isDrawn: Bool
        /// Whether the prefix isn't part of the key, such as a host.
        let isBefore: Bool

        init(_ prefix: String, _ least: Int, signs: String = "", isDrawn: Bool = false, isBefore: Bool = false) {
            self.prefix = Array(prefix.utf8)
            self.least = least
            self.signs = Array(signs.utf8)
            self.isDrawn = isDrawn
            self.isBefore = isBefore
        }
    }

    private static let shapes =
        ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map { Shape($0, 16) }
        + ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "xoxb-", "xoxp-", "xoxa-", "xoxs-"].map { Shape($0, 10) }
        + [Shape("github_pat_", 20), Shape("AKIA", 16), Shape("ASIA", 16), Shape("AIza", 30)]
        + [Shape("glpat-", 16), Shape("ya29.", 16)]
        + ["npm_", "pypi-", "sk-", "hvs."].map { Shape($0, 16, isDrawn: true) }
        + [Shape("SG.", 16, signs: ".", isDrawn: true)]
        + [Shape("hooks.slack.com/services/", 20, signs: "/", isBefore: true)]
    private static let first = Set(shapes.map { $0.prefix[0] })

    private static let begin = Array("-----BEGIN ".utf8)
    private static let privateKey = Array("PRIVATE KEY-----".utf8)
    private static let end = Array("-----END ".utf8)

    /// The range of a key that begins at an index, or of the text of a private key in a block that begins there (RFC 7468, section
    /// 10).
    static func range(in bytes: [UInt8], from start: Int) -> Range<Int>? {
        if bytes[start] == begin[0] { return block(in: bytes, from: start) }
        guard first.contains(bytes[start]),
            let shape = shapes.first(where: { bytes[start...].starts(with: $0.prefix) })
        else { return nil }
        let key = bytes[(start + shape.prefix.count)...]
        func isPart(_ byte: UInt8) -> Bool { isKey(byte) || shape.signs.contains(byte) }
        // A text such as sk-sk-sk- isn't read to its end from each of its parts.
        guard !shape.isDrawn || isDrawn(key.prefix(200).prefix(while: isPart)) else { return nil }
        var rest = key.prefix(while: isPart)
        // The key may be the end of a sentence, or of a path.
        while let last = rest.last, shape.signs.contains(last) { rest = rest.dropLast() }
        guard rest.count >= shape.least else { return nil }
        return (shape.isBefore ? rest.startIndex : start)..<rest.endIndex
    }

    /// Whether some part has letters and digits in a way that words, versions and dates don't.
    private static func isDrawn(_ key: ArraySlice<UInt8>) -> Bool {
        key.split { "_-.".utf8.contains($0) }.contains { part in
            let digits = part.count { $0 < UInt8(ascii: "A") }
            return part.count >= 20 && digits < part.count || part.count >= 16 && digits > 0 && digits < part.count
        }
    }

    private static func block(in bytes: [UInt8], from start: Int) -> Range<Int>? {
        guard bytes[start...].starts(with: begin) else { return nil }
        let rest = bytes[(start + begin.count)...]
        // `RSA`, `EC`, `ENCRYPTED`, `OPENSSH` or empty.
        guard let title = rest.prefix(40).firstRange(of: privateKey) else { return nil }
        // Headers, such as `Proc-Type: 4,ENCRYPTED`, may come before it.
        let text = rest[title.upperBound...].drop { $0 <= 0x20 }
        var upper = text.startIndex
        // No further than to the end of the block: many blocks may follow.
        while upper < text.endIndex, isBlock(bytes[upper]), !text[upper...].starts(with: end) { upper += 1 }
        while upper > text.startIndex, bytes[upper - 1] <= 0x20 { upper -= 1 }
        return upper - text.startIndex >= 16 ? text.startIndex..<upper : nil
    }

    private static func isBlock(_ byte: UInt8) -> Bool {
        isKey(byte) || byte <= 0x20 || "+/=:,\\".utf8.contains(byte)
    }

    private static func isKey(_ byte: UInt8) -> Bool {
        byte.isDigit || byte.isLetter || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }
}
