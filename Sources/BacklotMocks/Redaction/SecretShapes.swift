internal import BacklotJSON

/// Secrets that have a recognizable shape.
package enum SecretShapes {
    package static let mail = "e-mail address"
    package static let card = "card number"
    private static let token = Array("eyJ".utf8)
    private static let slashes = Array("://".utf8)
    private static let bearer = Array("bearer ".utf8)

    /// The secrets in a text, in their order.
    package static func found(in text: String) -> [(text: String, kind: String)] {
        let bytes = Array(text.utf8)
        var found: [(text: String, kind: String)] = []
        /// - Returns: the end of the secret.
        func add(_ range: Range<Int>, _ kind: String) -> Int {
            found.append((String(decoding: bytes[range], as: UTF8.self), kind))
            return range.upperBound
        }
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let dash = UInt8(ascii: "-")
            let isStart = index == 0 || !isWord(bytes[index - 1])
            if byte == UInt8(ascii: "@"), let range = address(in: bytes, around: index) {
                index = add(range, mail)
            } else if byte == token[0], isStart, index == 0 || bytes[index - 1] != dash,
                let end = endOfToken(in: bytes, from: index)
            {
                index = add(index..<end, "token")
            } else if isStart, byte | 0x20 == bearer[0], let range = bearerToken(in: bytes, from: index) {
                index = add(range, "token")
            } else if byte == slashes[0], bytes[index...].starts(with: slashes),
                let range = credentials(in: bytes, from: index + slashes.count),
                let colon = bytes[range].firstIndex(of: UInt8(ascii: ":"))
            {
                // As a whole: a password such as `secret` isn't replaced elsewhere.
                _ = add(range, "credentials")
                index = add((colon + 1)..<range.upperBound, "password") + 1
            } else if isStart || byte == dash, let range = KnownKeys.range(in: bytes, from: index) {
                index = add(range, "token")
            } else if isStart, byte.isDigit {
                let end = number(in: bytes, from: index)
                index = isCard(bytes[index..<end]) ? add(index..<end, card) : max(end, index + 1)
            } else {
                index += 1
            }
        }
        return found
    }

    /// Whether a text looks randomly generated, unlike words.
    package static func isRandom(_ text: String) -> Bool {
        guard text.utf8.count >= 6, text.utf8.allSatisfy({ $0 > 0x20 }) else { return false }
        let digits = text.utf8.count(where: \.isDigit)
        if digits == text.utf8.count || text.utf8.count >= 10 && digits > 1 && text.contains(where: \.isLetter) {
            return true
        }
        return text.utf8.count >= 16 && text.contains(where: \.isUppercase) && text.contains(where: \.isLowercase)
            && !text.contains { "-_ ./".contains($0) }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte.isDigit || byte.isLetter || byte == UInt8(ascii: "_") || byte >= 0x80
            || byte == UInt8(ascii: ".")
    }

    /// The end of a JSON Web Token: three parts in base64url with dots between them (RFC 7519, section 3).
    private static func endOfToken(in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes[start...].starts(with: token) else { return nil }
        let text = bytes[start...].prefix { $0 < 0x80 && isWord($0) || $0 == UInt8(ascii: "-") }
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        // An unsigned token has an empty third part.
        guard parts.count > 2, !parts[1].isEmpty else { return nil }
        return parts[2].endIndex
    }

    /// The text after `Bearer`, unless it is a word (RFC 6750, section 2.1).
    private static func bearerToken(in bytes: [UInt8], from start: Int) -> Range<Int>? {
        let scheme = bytes[start...].prefix(bearer.count)
        guard scheme.map({ $0 | 0x20 }) == bearer else { return nil }
        var rest = bytes[scheme.endIndex...].prefix { $0 < 0x80 && isWord($0) || "-~+/=".utf8.contains($0) }
        // It may be the end of a sentence.
        while rest.last == UInt8(ascii: ".") { rest = rest.dropLast() }
        let isOneWord = rest.allSatisfy { $0.isDigit || $0.isLetter }
        guard rest.count >= 24 && isOneWord || isRandom(String(decoding: rest, as: UTF8.self)) else { return nil }
        return rest.startIndex..<rest.endIndex
    }

    /// The `user:password` of a URL, before its `@` (RFC 3986, section 3.2.1).
    private static func credentials(in bytes: [UInt8], from start: Int) -> Range<Int>? {
        let authority = bytes[start...].prefix { $0 > 0x20 && !"/?#\"'<>\\".utf8.contains($0) }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")),
            let colon = authority[..<at].firstIndex(of: UInt8(ascii: ":")), colon + 1 < at
        else { return nil }
        return start..<at
    }

    private static func address(in bytes: [UInt8], around at: Int) -> Range<Int>? {
        var start = at
        while start > 0, isWord(bytes[start - 1]) || "+-".utf8.contains(bytes[start - 1]) { start -= 1 }
        var end = at + 1
        while end < bytes.count, isWord(bytes[end]) || bytes[end] == UInt8(ascii: "-") { end += 1 }
        while end > at, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        guard start < at, let dot = bytes[(at + 1)..<max(end, at + 1)].lastIndex(of: UInt8(ascii: ".")), dot > at + 1,
            end - dot > 2, bytes[(dot + 1)..<end].allSatisfy({ !$0.isDigit })
        else { return nil }
        return start..<end
    }

    /// The end of digits with single blanks or dashes between them.
    private static func number(in bytes: [UInt8], from start: Int) -> Int {
        var end = start
        while end < bytes.count,
            bytes[end].isDigit || " -".utf8.contains(bytes[end]) && end + 1 < bytes.count && bytes[end + 1].isDigit
        {
            end += 1
        }
        return end
    }

    private static func isCard(_ bytes: ArraySlice<UInt8>) -> Bool {
        let digits = bytes.filter(\.isDigit).map { Int($0) - 0x30 }
        // 13 digits are more often a time in milliseconds than a card.
        guard (14...19).contains(digits.count), (3...6).contains(digits[0]), Set(digits).count > 1 else { return false }
        return sum(digits) % 10 == 0
    }

    /// The sum of ISO/IEC 7812-1, annex B (Luhn).
    package static func sum(_ digits: [Int]) -> Int {
        digits.reversed().enumerated().reduce(0) { sum, item in
            let value = item.offset % 2 == 1 ? item.element * 2 : item.element
            return sum + (value > 9 ? value - 9 : value)
        }
    }
}
