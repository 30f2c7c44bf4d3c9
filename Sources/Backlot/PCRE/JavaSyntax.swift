/// A pattern in Java's syntax, translated to PCRE2's. Syntax that PCRE2 would read in another way is refused.
struct JavaSyntax {
    /// The pattern in PCRE2's syntax.
    private(set) var bytes: [UInt8] = []
    /// The index in the source of each byte.
    private var origins: [Int] = []
    private let source: String
    private let input: [UInt8]
    private var index = 0
    private var isInClass = false
    /// Whether a character class may contain other classes.
    private let classesNest: Bool

    /// Java's classes of ASCII characters, with their bracket names.
    private static let classes = [
        "Lower": "lower", "Upper": "upper", "ASCII": "ascii", "Alpha": "alpha", "Digit": "digit", "Alnum": "alnum",
        "Punct": "punct", "Graph": "graph", "Print": "print", "Blank": "blank", "Cntrl": "cntrl", "XDigit": "xdigit",
        "Space": "space",
    ]

    /// - Throws: `PatternError` for syntax that PCRE2 doesn't know, or reads in another way.
    static func translate(_ source: String, _ kind: PCRERegex.Syntax = .java) throws(PatternError) -> JavaSyntax {
        var syntax = JavaSyntax(source, kind)
        try syntax.read()
        return syntax
    }

    private init(_ source: String, _ kind: PCRERegex.Syntax) {
        self.source = source
        classesNest = kind == .java
        input = Array(source.utf8)
        bytes.reserveCapacity(input.count)
        origins.reserveCapacity(input.count)
    }

    /// The position in the source of a position in ``bytes``.
    func origin(of offset: Int) -> Int { offset < origins.count ? origins[offset] : input.count }

    private mutating func read() throws(PatternError) {
        while index < input.count {
            switch input[index] {
            case UInt8(ascii: "\\"): try readEscape()
            case UInt8(ascii: "["): try readBracket()
            case UInt8(ascii: "]"):
                isInClass = false
                copy(1)
            case UInt8(ascii: "&") where isInClass && classesNest && has("&&"):
                throw unknown("'&&' between character classes")
            case UInt8(ascii: "(") where !isInClass && has("(?"): try readFlags()
            default: copy(1)
            }
        }
    }

    private mutating func readBracket() throws(PatternError) {
        if isInClass {
            guard classesNest else { return append(#"\["#, insteadOf: 1) }
            guard has("[:") else {
                throw unknown(#"a character class within another (for the bracket itself, write \[)"#)
            }
            // Up to the end of the class's name: this bracket doesn't close the outer class.
            let end = input[index...].firstIndex(of: UInt8(ascii: "]")) ?? input.count - 1
            return copy(end + 1 - index)
        }
        isInClass = true
        copy(1)
        if has("^") { copy(1) }
        // A bracket at the beginning is literal.
        if has("]") { copy(1) }
    }

    /// `(?i)` and the like. With `i` alone, letters of all scripts match in any case, as with `u`.
    private mutating func readFlags() throws(PatternError) {
        let flags = input[(index + 2)...].prefix { $0.isLetter || $0 == UInt8(ascii: "-") }
        let next = input[flags.endIndex...].first
        guard !flags.isEmpty, next == UInt8(ascii: ")") || next == UInt8(ascii: ":") else { return copy(2) }
        let known = Set("imsxu-".utf8)
        for (place, flag) in zip(flags.indices, flags) where !known.contains(flag) {
            let text = "the flag '\(Character(Unicode.Scalar(flag)))'"
            throw PatternError("\(text) is not known here", at: place, in: source, isUnknownHere: true)
        }
        copy(2)
        for flag in flags { if flag == UInt8(ascii: "u") { index += 1 } else { copy(1) } }
    }

    // MARK: Escapes

    private mutating func readEscape() throws(PatternError) {
        guard index + 1 < input.count else { return copy(1) }
        switch input[index + 1] {
        case UInt8(ascii: "Q"):
            var end = index + 2
            while end < input.count, !(input[end...].starts(with: #"\E"#.utf8)) { end += 1 }
            copy(min(input.count, end + 2) - index)
        case UInt8(ascii: "u"): try readUnicode()
        case UInt8(ascii: "0"): readOctal()
        case UInt8(ascii: "p"), UInt8(ascii: "P"): readProperty()
        case UInt8(ascii: "b") where has(#"\b{"#): throw unknown(#"'\b{'"#)
        default: copy(2)
        }
    }

    /// `\uhhhh`. A pair of them may make one character.
    private mutating func readUnicode() throws(PatternError) {
        guard let first = codeUnit(at: index) else { throw unknown(#"'\u' without four hexadecimal digits"#) }
        let units = [first] + (UTF16.isLeadSurrogate(first) ? codeUnit(at: index + 6).map { [$0] } ?? [] : [])
        let text = String(decoding: units, as: UTF16.self).unicodeScalars
        guard text.count == 1, let scalar = text.first, first == 0xFFFD || scalar.value != 0xFFFD else {
            throw unknown(#"half of a surrogate pair ('\u"# + String(first, radix: 16, uppercase: true) + "')")
        }
        append(#"\x{"# + String(scalar.value, radix: 16) + "}", insteadOf: 6 * units.count)
    }

    private func codeUnit(at place: Int) -> UInt16? {
        guard input[min(place, input.count)...].starts(with: #"\u"#.utf8), place + 6 <= input.count else { return nil }
        let digits = input[(place + 2)..<(place + 6)]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// `\0` and one to three octal digits, as many as make a byte.
    private mutating func readOctal() {
        let digits = input[(index + 2)...].prefix(3).prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
        guard let first = digits.first else { return copy(2) }
        let fitting = first > UInt8(ascii: "3") ? digits.prefix(2) : digits
        append(#"\o{"# + String(decoding: fitting, as: UTF8.self) + "}", insteadOf: 2 + fitting.count)
    }

    /// `\p{Alpha}`, and names that begin with `Is`.
    private mutating func readProperty() {
        let start = index + 3
        guard input[min(index + 2, input.count)...].first == UInt8(ascii: "{"),
            let end = input[start...].firstIndex(of: UInt8(ascii: "}"))
        else { return copy(2) }
        let name = String(decoding: input[start..<end], as: UTF8.self)
        if let bracketed = Self.classes[name] {
            let not = input[index + 1] == UInt8(ascii: "P") ? "^" : ""
            let text = "[:\(not)\(bracketed):]"
            append(isInClass ? text : "[\(text)]", insteadOf: end + 1 - index)
        } else if name.hasPrefix("Is") {
            copy(3)
            index += 2
            copy(end + 1 - index)
        } else {
            copy(end + 1 - index)
        }
    }

    // MARK: Bytes

    private func has(_ text: String) -> Bool { input[index...].starts(with: text.utf8) }

    private func unknown(_ what: String) -> PatternError {
        PatternError("\(what) is not known here", at: index, in: source, isUnknownHere: true)
    }

    private mutating func copy(_ count: Int) {
        bytes += input[index..<(index + count)]
        origins += index..<(index + count)
        index += count
    }

    private mutating func append(_ text: String, insteadOf count: Int) {
        bytes += text.utf8
        origins += repeatElement(index, count: text.utf8.count)
        index += count
    }
}
