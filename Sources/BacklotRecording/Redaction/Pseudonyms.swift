import Backlot
import BacklotMocks

/// What stands for secrets: the same for the same secret, and of a similar shape.
///
/// They depend on the order in which secrets are met, and not on the secrets, so that nothing can be learned from them.
struct Pseudonyms {
    private var known: [String: String] = [:]
    private var taken: Set<String> = []
    private var counts: [String: Int] = [:]
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The secrets, and what stands for each.
    var all: [String: String] { known }

    /// What stands for a secret.
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
            // {"alg":"none"}: clients can read it, and nobody is fooled by it.
            return "eyJhbGciOiJub25lIn0.\(payload).\(scrambled(String(parts[2])))"
        }
        let letters = secret.count { $0.isLetter || $0.isNumber }
        return letters == 0 ? "\(kind)-\(number)" : scrambled(secret)
    }

    /// Other letters for letters, other digits for digits.
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

    /// A number of a card that nobody has, with the blanks of another.
    private static func card(_ number: Int, like other: String) -> String {
        let count = other.utf8.count { (0x30...0x39).contains($0) }
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
