/// Finds repetitions that can divide one text among themselves in very many ways, such as `(a+)+` or `(.*a){25}`: a text that
/// nearly matches costs a step for each way.
///
/// It goes by the pattern alone, and knows what people write by mistake: a repeated group that holds a repetition, without
/// anything in it that the repetition can't match too. `(/[^/]+)*` is in order: the slash divides.
struct PatternRisk {
    /// A part of a pattern that may be repeated.
    private struct Item {
        /// What it may match, where that is one character; else what characters it may be made of.
        var characters = CharacterSet()
        /// The alternatives of a group; nil for one character.
        var alternatives: [[Item]]?
        var least = 1
        var most = 1
        /// Whether it looks at the text and takes nothing of it, or gives nothing back.
        var isSettled = false
        var range = 0..<0

        var isRepetition: Bool { most >= PatternRisk.many && most > least && !isSettled }
    }

    /// How often something must be repeated to count as a repetition.
    private static let many = 8
    /// Groups in groups that are looked into; PCRE2 knows no more.
    private static let mostDepth = 250

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0
    /// Whether what comes is meant literally, up to `\E`.
    private var isQuoted = false

    /// The first risky part of a pattern that can be read; nil where there is none.
    static func part(of source: String) -> String? {
        var reader = PatternRisk(bytes: Array(source.utf8))
        let items = reader.alternatives()
        return risky(items).map { String(decoding: reader.bytes[$0], as: UTF8.self) }
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    // MARK: Judging

    private static func risky(_ alternatives: [[Item]]) -> Range<Int>? {
        for item in alternatives.joined() {
            guard let own = item.alternatives else { continue }
            if item.most >= many, !item.isSettled, own.contains(where: isAmbiguous) || overlap(own) {
                return item.range
            }
            if let range = risky(own) { return range }
        }
        return nil
    }

    /// Whether a sequence that is repeated holds a repetition, and nothing that divides one round from the next.
    private static func isAmbiguous(_ sequence: [Item]) -> Bool {
        let dividers = sequence.flatMap(dividers)
        return repetitions(sequence).contains { repetition in
            !dividers.contains { $0.isDisjoint(with: repetition) }
        }
    }

    /// The characters that one round must have.
    private static func dividers(_ item: Item) -> [CharacterSet] {
        guard item.least > 0, item.most > 0 else { return [] }
        guard let alternatives = item.alternatives else { return [item.characters] }
        guard alternatives.count == 1, !item.isSettled else { return [] }
        return alternatives[0].flatMap(dividers)
    }

    private static func repetitions(_ sequence: [Item]) -> [CharacterSet] {
        sequence.flatMap { item in
            (item.isRepetition ? [item.characters] : [])
                + (item.isSettled ? [] : (item.alternatives ?? []).flatMap(repetitions))
        }
    }

    /// Whether one alternative can be told from another by nothing: `a|aa`, `\w|\d`.
    private static func overlap(_ alternatives: [[Item]]) -> Bool {
        let plain = alternatives.filter { sequence in
            !sequence.isEmpty && sequence.allSatisfy { $0.alternatives == nil && $0.least == 1 && $0.most == 1 }
        }
        // Long lists of words are many, and rarely a mistake.
        guard plain.count <= 32 else { return false }
        for (place, one) in plain.enumerated() {
            for other in plain[(place + 1)...] {
                let (short, long) = one.count <= other.count ? (one, other) : (other, one)
                guard !zip(short, long).contains(where: { $0.characters.isDisjoint(with: $1.characters) }) else {
                    continue
                }
                if short.count == long.count { return true }
                if !long[short.count].characters.isDisjoint(with: short[0].characters) { return true }
            }
        }
        return false
    }

    // MARK: Reading

    private mutating func alternatives() -> [[Item]] {
        var alternatives: [[Item]] = [[]]
        while index < bytes.count, isQuoted || bytes[index] != UInt8(ascii: ")") {
            if isQuoted {
                if take(#"\E"#) { isQuoted = false } else { alternatives[alternatives.count - 1].append(quoted()) }
            } else if take("|") {
                alternatives.append([])
            } else if let item = item() {
                alternatives[alternatives.count - 1].append(item)
            }
        }
        return alternatives
    }

    private mutating func quoted() -> Item {
        var item = Item()
        item.characters = CharacterSet(character())
        return item
    }

    /// - Returns: nil for what takes nothing of the text, such as `^`.
    private mutating func item() -> Item? {
        let start = index
        var item = Item()
        switch bytes[index] {
        case UInt8(ascii: "("): item = group()
        case UInt8(ascii: "["): item.characters = bracketed()
        case UInt8(ascii: "."):
            index += 1
            item.characters = .all
        case UInt8(ascii: "^"), UInt8(ascii: "$"):
            index += 1
            return nil
        case UInt8(ascii: "\\"):
            if has(#"\Q"#) || has(#"\E"#) {
                isQuoted = has(#"\Q"#)
                index += 2
                return nil
            }
            guard let characters = escaped() else { return nil }
            item.characters = characters
        default: item.characters = CharacterSet(character())
        }
        readQuantifier(&item)
        item.range = start..<index
        return item
    }

    private mutating func group() -> Item {
        var item = Item()
        index += 1
        if take("?") {
            if bytes[index...].first == UInt8(ascii: "<"), !has("<="), !has("<!") {
                index = bytes[index...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
            } else if take("=") || take("!") || take("<=") || take("<!") || take(">") {
                item.isSettled = true
            } else {
                while index < bytes.count, !has(":"), !has(")") { index += 1 }
                _ = take(":")
            }
        }
        guard depth < Self.mostDepth else {
            index = bytes.count
            return item
        }
        depth += 1
        let alternatives = alternatives()
        depth -= 1
        _ = take(")")
        item.alternatives = alternatives
        for part in alternatives.joined() { item.characters.formUnion(part.characters) }
        return item
    }

    private mutating func readQuantifier(_ item: inout Item) {
        guard index < bytes.count else { return }
        switch bytes[index] {
        case UInt8(ascii: "*"): (item.least, item.most) = (0, .max)
        case UInt8(ascii: "+"): (item.least, item.most) = (1, .max)
        case UInt8(ascii: "?"): (item.least, item.most) = (0, 1)
        case UInt8(ascii: "{"):
            guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else { return }
            let numbers = bytes[(index + 1)..<end].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                .map { Int(String(decoding: $0, as: UTF8.self)) }
            guard let least = numbers.first ?? nil, numbers.count <= 2 else { return }
            (item.least, item.most) = (least, numbers.count == 1 ? least : numbers[1] ?? .max)
            index = end
        default: return
        }
        index += 1
        if take("+") { item.isSettled = true } else { _ = take("?") }
    }

    private mutating func bracketed() -> CharacterSet {
        index += 1
        let isNegated = take("^")
        var characters = CharacterSet()
        var isFirst = true
        while index < bytes.count, isFirst || bytes[index] != UInt8(ascii: "]") {
            isFirst = false
            if has("[:"), let end = bytes[index...].firstIndex(of: UInt8(ascii: "]")) {
                index = end + 1
                characters = .all
                continue
            }
            let low: UInt8?
            if bytes[index] == UInt8(ascii: "\\") {
                let escape = escaped() ?? CharacterSet()
                characters.formUnion(escape)
                low = escape.only
            } else {
                let character = character()
                characters.insert(character)
                low = character
            }
            guard let low, has("-"), index + 1 < bytes.count, bytes[index + 1] != UInt8(ascii: "]") else { continue }
            index += 1
            let high = bytes[index] == UInt8(ascii: "\\") ? escaped()?.only ?? low : character()
            if low <= high { for character in low...high { characters.insert(character) } }
        }
        _ = take("]")
        return isNegated ? characters.inverted : characters
    }

    /// What stands after a backslash; nil for what takes nothing of the text.
    private mutating func escaped() -> CharacterSet? {
        index += 1
        guard index < bytes.count else { return CharacterSet() }
        let letter = bytes[index]
        index += 1
        switch letter {
        case UInt8(ascii: "d"): return .digits
        case UInt8(ascii: "D"): return CharacterSet.digits.inverted
        case UInt8(ascii: "w"): return .word
        case UInt8(ascii: "W"): return CharacterSet.word.inverted
        case UInt8(ascii: "s"), UInt8(ascii: "h"), UInt8(ascii: "v"), UInt8(ascii: "R"): return .blanks
        case UInt8(ascii: "S"): return CharacterSet.blanks.inverted
        case UInt8(ascii: "n"): return CharacterSet(10)
        case UInt8(ascii: "r"): return CharacterSet(13)
        case UInt8(ascii: "t"): return CharacterSet(9)
        case UInt8(ascii: "b"), UInt8(ascii: "B"), UInt8(ascii: "A"), UInt8(ascii: "Z"), UInt8(ascii: "z"),
            UInt8(ascii: "G"), UInt8(ascii: "K"):
            return nil
        default:
            guard Character(Unicode.Scalar(letter)).isLetter || Character(Unicode.Scalar(letter)).isNumber else {
                return CharacterSet(min(letter, CharacterSet.others))
            }
            // A property, a number, what a group has matched: it may be anything.
            if has("{") || has("<") {
                let close = has("{") ? UInt8(ascii: "}") : UInt8(ascii: ">")
                index = bytes[index...].firstIndex(of: close).map { $0 + 1 } ?? bytes.count
            }
            return .all
        }
    }

    /// One character; all that are not ASCII are one.
    private mutating func character() -> UInt8 {
        let byte = bytes[index]
        index += 1
        guard byte >= 0x80 else { return byte }
        while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
        return CharacterSet.others
    }

    private func has(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    private mutating func take(_ text: String) -> Bool {
        guard has(text) else { return false }
        index += text.utf8.count
        return true
    }
}

extension PatternRisk {
    /// ASCII's characters, and one for all others.
    fileprivate struct CharacterSet {
        static let others: UInt8 = 128

        private var low: UInt64 = 0
        private var high: UInt64 = 0
        private var hasOthers = false

        init() {}

        init(_ character: UInt8) {
            insert(character)
        }

        private init(_ characters: some Sequence<UInt8>) {
            for character in characters { insert(character) }
        }

        static let all = CharacterSet().inverted
        static let digits = CharacterSet("0123456789".utf8)
        static let word = CharacterSet("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)
        static let blanks = CharacterSet(" \t\n\u{B}\u{C}\r".utf8)

        mutating func insert(_ character: UInt8) {
            switch character {
            case 0..<64: low |= 1 << character
            case 64..<128: high |= 1 << (character - 64)
            default: hasOthers = true
            }
        }

        mutating func formUnion(_ other: CharacterSet) {
            low |= other.low
            high |= other.high
            hasOthers = hasOthers || other.hasOthers
        }

        var inverted: CharacterSet {
            var set = self
            (set.low, set.high, set.hasOthers) = (~low, ~high, !hasOthers)
            return set
        }

        func isDisjoint(with other: CharacterSet) -> Bool {
            low & other.low == 0 && high & other.high == 0 && !(hasOthers && other.hasOthers)
        }

        /// The one ASCII character in it; nil for none, or more.
        var only: UInt8? {
            guard low.nonzeroBitCount + high.nonzeroBitCount == 1, !hasOthers else { return nil }
            return UInt8(low != 0 ? low.trailingZeroBitCount : 64 + high.trailingZeroBitCount)
        }
    }
}
