import Backlot
import BacklotMocks

/// Makes the pseudonyms of secrets: equal secrets get the same pseudonym, of a similar shape.
///
/// Pseudonyms depend on the order of the secrets rather than on the secrets themselves, so they reveal nothing.
struct Pseudonyms {
    private var known: [String: String] = [:]
    private var taken: Set<String> = []
    private var counts: [String: Int] = [:]
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The pseudonyms by secret.
    var all: [String: String] { known }

    /// The pseudonym of a secret.
    mutating func pseudonym(of secret: String, kind: String) -> String {
        if let known = known[secret] { return known }
        counts[kind, default: 0] += 1
        let number = counts[kind] ?? 1
        var made = make(secret, kind: kind, number: number)
        var tries = 0
        while made == secret || taken.contains(made) || known[made] != nil {
            tries += 1
            made = tries < 100 ? make(secret, kind: kind, number: number + tries) : "\(made)\(number)"
        }
        taken.insert(made)
        known[secret] = made
        return made
    }

    private mutating func make(_ secret: String, kind: String, number: Int) -> String {
        switch kind {
        case SecretShapes.mail: return "user\(number)@example.com"
        case SecretShapes.card: return Self.card(number, like: secret)
        default: break
        }
        let parts = secret.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 3, secret.hasPrefix("eyJ") {
            let payload = Base64.encode(#"{"sub":"\#(kind)-\#(number)"}"#).filter { $0 != "=" }
            // The header is {"alg":"none"}: clients can parse the token, but no server should accept it.
            return "eyJhbGciOiJub25lIn0.\(payload).\(scrambled(String(parts[2])))"
        }
        let letters = secret.count { $0.isLetter || $0.isNumber }
        return letters == 0 ? "\(kind)-\(number)" : scrambled(secret)
    }

    /// Replaces letters by other letters, and digits by other digits.
    private mutating func scrambled(_ text: String) -> String {
        let isHex = text.allSatisfy { $0.isHexDigit || $0 == "-" } && text.contains { $0.isLetter }
        return text.reduce(into: "") { result, character in
            switch character {
            case "0"..."9": result += String(result.isEmpty ? 1 + next(9) : next(10))
            case "a"..."z": result.append(letter("a", isHex ? 6 : 26))
            case "A"..."Z": result.append(letter("A", isHex ? 6 : 26))
            default: result.append(character.isLetter || character.isNumber ? letter("a", 26) : character)
            }
        }
    }

    private mutating func letter(_ first: Unicode.Scalar, _ count: Int) -> Character {
        Character(Unicode.Scalar(UInt8(first.value) + UInt8(next(count))))
    }

    private mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }

    /// A card number that is never issued, with blanks in the same positions.
    private static func card(_ number: Int, like other: String) -> String {
        let count = other.utf8.count(where: \.isDigit)
        guard count >= 5 else {
            let digits = String(1000 + number)
            return String(digits.suffix(max(count, 3)))
        }
        var digits = [4] + [Int](repeating: 0, count: count - 1)
        for (index, digit) in String(number).reversed().enumerated() where index < count - 2 {
            digits[count - 2 - index] = digit.wholeNumberValue ?? 0
        }
        digits[count - 1] = (10 - SecretShapes.sum(digits) % 10) % 10
        var left = digits[...]
        return String(other.map { $0.isASCII && $0.isNumber ? Character(String(left.removeFirst())) : $0 })
    }
}

/// Replaces all occurrences of secrets: plain, percent-encoded, escaped for JSON, and in base64 if it encodes the whole secret.
struct SecretReplacement {
    private struct Pattern {
        let bytes: [UInt8]
        let replacement: [UInt8]
        /// Whether the secret only counts without an adjacent letter or digit.
        let isWhole: Bool
        /// Whether the secret only counts as a whole value, because the word may occur in any sentence.
        let isValue: Bool
        let kind: String
    }

    /// The patterns by their first two bytes, in the order of their bytes. No secret is shorter than two bytes.
    private var patterns: [[Pattern]] = Array(repeating: [], count: 1 << 16)

    /// - Parameters:
    ///   - pseudonyms: the pseudonym of each secret.
    ///   - kinds: the secrets to look for, with their kinds.
    init(_ pseudonyms: [String: String], kinds: [String: String]) {
        for (secret, kind) in kinds { add(secret, pseudonyms[secret] ?? "", kind) }
        for start in patterns.indices where patterns[start].count > 1 {
            patterns[start].sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        }
    }

    private mutating func add(_ secret: String, _ pseudonym: String, _ kind: String) {
        guard secret.utf8.count > 1 else { return }
        let spellings = Self.spellings(of: secret, instead: pseudonym)
        var seen: Set<[UInt8]> = []
        for spelling in spellings where seen.insert(Array(spelling.text.utf8)).inserted {
            let bytes = Array(spelling.text.utf8)
            patterns[Int(bytes[0]) << 8 | Int(bytes[1])].append(
                Pattern(
                    bytes: bytes,
                    replacement: Array(spelling.instead.utf8),
                    isWhole: spelling.isBase64 ? secret.utf8.count < 9 : !SecretShapes.isRandom(secret),
                    isValue: !spelling.isBase64 && secret.allSatisfy(\.isLetter),
                    kind: kind
                )
            )
        }
    }

    /// The possible spellings of a text.
    static func spellings(
        of text: String,
        instead other: String = ""
    ) -> [(text: String, instead: String, isBase64: Bool)] {
        var all: [(text: String, instead: String, isBase64: Bool)] = [(text, other, false)]
        func add(_ encode: (String) -> String) { all.append((encode(text), encode(other), false)) }
        add(FormText.encode)
        add(PercentEncoding.segment)
        add { String($0.escapedForJSON) }
        add { String($0.escapedForJSON.replacing("/", with: "\\/")) }
        for isUpper in [false, true] {
            // Encodes everything except letters, digits, `-`, `.`, `_` and `~` (RFC 3986, section 2.3).
            add { PercentEncoding.encode($0, keeping: "-._~", isUpper: isUpper) }
            add { jsonEscaped($0, isUpper) }
            add { jsonEscaped($0, isUpper).replacing("/", with: "\\/") }
        }
        add { String(String($0.escapedForJSON).escapedForJSON) }
        add { xmlEscaped($0) }
        guard text.utf8.count >= 4 else { return all }
        let (mine, its) = (Base64.encode(text), Base64.encode(other))
        for base64 in [(mine, its), (urlSafe(mine), urlSafe(its))] {
            all.append((base64.0, base64.1, true))
            all.append((base64.0.filter { $0 != "=" }, base64.1.filter { $0 != "=" }, true))
        }
        return all
    }

    private static func urlSafe(_ text: String) -> String {
        text.replacing("+", with: "-").replacing("/", with: "_")
    }

    /// Escaped for JSON, with `\u` and four digits for characters outside ASCII.
    private static func jsonEscaped(_ text: String, _ isUpper: Bool) -> String {
        text.escapedForJSON.utf16.reduce(into: "") { result, unit in
            let digits = "000" + String(unit, radix: 16, uppercase: isUpper)
            result += unit < 0x80 ? String(Unicode.Scalar(UInt8(unit))) : "\\u\(digits.suffix(4))"
        }
    }

    private static func xmlEscaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    /// The bytes with pseudonyms in place of secrets, and the kinds of the replaced secrets.
    func replaced(_ bytes: [UInt8]) -> (bytes: [UInt8], kinds: [String]) {
        var result: [UInt8] = []
        var kinds: [String] = []
        var from = 0
        var index = 0
        while index < bytes.count {
            guard let pattern = pattern(in: bytes, at: index) else {
                index += 1
                continue
            }
            if kinds.isEmpty { result.reserveCapacity(bytes.count) }
            result += bytes[from..<index]
            result += pattern.replacement
            kinds.append(pattern.kind)
            index += pattern.bytes.count
            from = index
        }
        guard !kinds.isEmpty else { return (bytes, []) }
        return (result + bytes[from...], kinds)
    }

    /// The longest pattern at an index.
    private func pattern(in bytes: [UInt8], at index: Int) -> Pattern? {
        guard index + 1 < bytes.count else { return nil }
        var rest = patterns[Int(bytes[index]) << 8 | Int(bytes[index + 1])][...]
        var longest: Pattern?
        var end = index + 2
        while !rest.isEmpty {
            // Most texts share their beginning with one secret: it is compared at once.
            if rest.count == 1, let only = rest.first {
                let whole = index..<index + only.bytes.count
                return bytes[index...].starts(with: only.bytes) && Self.counts(only, in: bytes, at: whole)
                    ? only : longest
            }
            let ending = rest.prefix { $0.bytes.count == end - index }
            longest = ending.first { Self.counts($0, in: bytes, at: index..<end) } ?? longest
            guard end < bytes.count else { break }
            rest = Self.patterns(in: rest.dropFirst(ending.count), with: bytes[end], at: end - index)
            end += 1
        }
        return longest
    }

    /// The patterns with a byte at an offset, of some that are equal up to there.
    private static func patterns(
        in patterns: ArraySlice<Pattern>,
        with byte: UInt8,
        at offset: Int
    ) -> ArraySlice<Pattern> {
        /// The index of the first pattern with this byte or a greater one.
        func first(notBelow byte: Int) -> Int {
            var (low, high) = (patterns.startIndex, patterns.endIndex)
            while low < high {
                let middle = (low + high) / 2
                if Int(patterns[middle].bytes[offset]) < byte { low = middle + 1 } else { high = middle }
            }
            return low
        }
        return patterns[first(notBelow: Int(byte))..<first(notBelow: Int(byte) + 1)]
    }

    /// Whether a pattern counts where it occurs.
    private static func counts(_ pattern: Pattern, in bytes: [UInt8], at place: Range<Int>) -> Bool {
        guard pattern.isWhole else { return true }
        let (index, end) = (place.lowerBound, place.upperBound)
        let (before, after) = (index == 0 ? 0 : bytes[index - 1], end == bytes.count ? 0 : bytes[end])
        if isWord(after) || isWord(before) && !isEscape(bytes, before: index) { return false }
        guard pattern.isValue else { return true }
        let isInSentence = before == 0x20 && index > 1 && isWord(bytes[index - 2]) && " .,!?".utf8.contains(after)
        return !isInSentence && !"-_.".utf8.contains(before) && !"-_".utf8.contains(after)
    }

    /// Whether an encoded character ends before an index: `%20` or `\n`.
    private static func isEscape(_ bytes: [UInt8], before index: Int) -> Bool {
        index > 1 && bytes[index - 2] == UInt8(ascii: "\\") || index > 2 && bytes[index - 3] == UInt8(ascii: "%")
    }

    /// Whether the bytes contain a secret.
    func isIn(_ bytes: [UInt8], onlyLong: Bool) -> Bool {
        bytes.indices.contains { index in pattern(in: bytes, at: index).map { !onlyLong || !$0.isWhole } ?? false }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte.isDigit || byte.isLetter || byte >= 0x80
    }

    /// The text with pseudonyms in place of secrets.
    func replaced(_ text: String) -> String {
        let (bytes, kinds) = replaced(Array(text.utf8))
        return kinds.isEmpty ? text : String(decoding: bytes, as: UTF8.self)
    }
}
