/// A script or a style sheet as browsers get it: without remarks, and without white space where it means nothing. Both are two fifths of
/// what would go over the wire, compressed.
///
/// The names stay, so that a browser's own tools show readable code. The remarks at the beginning of a file from the system stay
/// too, since they name its licence.
struct WebText {
    /// What is sent.
    let bytes: [UInt8]

    /// - Parameter name: the path below `Web/`; other files than scripts and style sheets stay as they are.
    init(_ text: [UInt8], named name: String) {
        guard name.hasSuffix(".js") || name.hasSuffix(".css") else {
            bytes = text
            return
        }
        var shortener = Shortener(text, isScript: name.hasSuffix(".js"))
        if name.hasPrefix("codemirror/") { shortener.keepNotice() }
        shortener.run()
        bytes = shortener.kept
    }
}

/// Reads a text from token to token.
private struct Shortener {
    /// What stands between two tokens.
    private enum Gap: Int {
        case none, blank, line
    }

    private(set) var kept: [UInt8] = []
    private let text: [UInt8]
    private let isScript: Bool
    private var at = 0
    private var gap = Gap.none
    /// How many braces are open, and at which depths a closing one goes on with a template.
    private var depth = 0
    private var templates: [Int] = []

    init(_ text: [UInt8], isScript: Bool) {
        self.text = text
        self.isScript = isScript
        kept.reserveCapacity(text.count)
    }

    /// Keeps the remarks in lines at the beginning.
    mutating func keepNotice() {
        while begins("//") {
            let end = text[at...].firstIndex(of: Byte.lineFeed).map { $0 + 1 } ?? text.count
            kept += text[at..<end]
            at = end
        }
    }

    mutating func run() {
        while at < text.count {
            switch text[at] {
            case Byte.space, Byte.tab, Byte.carriageReturn: skip(to: at + 1, .blank)
            case Byte.lineFeed: skip(to: at + 1, .line)
            case Byte.slash where begins("/*"): skipRemark()
            case Byte.slash where isScript && begins("//"):
                skip(to: text[at...].firstIndex(of: Byte.lineFeed) ?? text.count, .line)
            case Byte.slash where isScript && mayBeginPattern: put(upTo: endOfPattern())
            case Byte.quote, Byte.apostrophe: put(upTo: endOfQuoted())
            case Byte.backtick where isScript: putTemplate()
            case Byte.closingBrace where templates.last == depth:
                templates.removeLast()
                putTemplate()
            case let byte:
                if byte == Byte.openingBrace { depth += 1 }
                if byte == Byte.closingBrace { depth -= 1 }
                put(upTo: at + 1)
            }
        }
        if !kept.isEmpty, kept.last != Byte.lineFeed { kept.append(Byte.lineFeed) }
    }

    private func begins(_ two: StaticString) -> Bool { text[at...].starts(with: "\(two)".utf8) }

    private mutating func skip(to end: Int, _ seen: Gap) {
        at = end
        if gap.rawValue < seen.rawValue { gap = seen }
    }

    private mutating func skipRemark() {
        var end = at + 2
        while end < text.count, !(text[end] == Byte.asterisk && end + 1 < text.count && text[end + 1] == Byte.slash) {
            end += 1
        }
        skip(to: min(end + 2, text.count), text[at..<end].contains(Byte.lineFeed) ? .line : .blank)
    }

    /// Keeps the bytes up to an end, with what must stand before them.
    private mutating func put(upTo end: Int) {
        if let last = kept.last, gap != .none, let separator = separator(between: last, and: text[at]) {
            kept.append(separator)
        }
        gap = .none
        kept += text[at..<min(end, text.count)]
        at = min(end, text.count)
    }

    private func separator(between last: UInt8, and next: UInt8) -> UInt8? {
        guard last != Byte.lineFeed else { return nil }
        guard isScript else {
            return Self.closed.contains(last) || last == Byte.colon || Self.closed.contains(next) ? nil : Byte.space
        }
        if gap == .line {
            // Elsewhere, the end of a line may be that of a statement.
            return Self.opening.contains(last) || Self.closing.contains(next) ? nil : Byte.lineFeed
        }
        let wouldJoin = Self.isWord(last) && Self.isWord(next) || last == next && Self.doubled.contains(next)
        return wouldJoin ? Byte.space : nil
    }

    /// A slash divides what stands before it, or begins a regular expression.
    private var mayBeginPattern: Bool {
        guard let last = kept.last else { return true }
        guard Self.isWord(last) else { return Self.beforePattern.contains(last) }
        let word = kept.suffix(10).reversed().prefix { Self.isWord($0) }.reversed()
        return Self.wordsBeforePattern.contains(String(decoding: word, as: UTF8.self))
    }

    private func endOfPattern() -> Int {
        var (end, isInSet) = (at + 1, false)
        while end < text.count, text[end] != Byte.slash || isInSet, text[end] != Byte.lineFeed {
            switch text[end] {
            case Byte.backslash: end += 1
            case Byte.openingBracket: isInSet = true
            case Byte.closingBracket: isInSet = false
            default: break
            }
            end += 1
        }
        return end + 1
    }

    private func endOfQuoted() -> Int {
        var end = at + 1
        while end < text.count, text[end] != text[at] { end += text[end] == Byte.backslash ? 2 : 1 }
        return end + 1
    }

    /// Keeps a template, or what follows an expression in one, up to the next expression.
    private mutating func putTemplate() {
        var end = at + 1
        while end < text.count, text[end] != Byte.backtick {
            if text[end] == Byte.dollar, end + 1 < text.count, text[end + 1] == Byte.openingBrace {
                templates.append(depth)
                return put(upTo: end + 2)
            }
            end += text[end] == Byte.backslash ? 2 : 1
        }
        put(upTo: end + 1)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        Byte.isLetterOrDigit(byte) || byte == Byte.underscore || byte == Byte.dollar || byte == Byte.hash
            || byte >= 0x80
    }

    private static let opening = Array("{;,([".utf8)
    private static let closing = Array("})]".utf8)
    private static let doubled = Array("+-/".utf8)
    private static let closed = Array("{};,".utf8)
    private static let beforePattern = Array("(,=:[!&|?{};+-*%~^<>".utf8)
    private static let wordsBeforePattern: Set = [
        "await", "case", "delete", "do", "else", "in", "new", "of", "return", "throw", "typeof", "void", "yield",
    ]
}

private enum Byte {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote = UInt8(ascii: "\"")
    static let hash = UInt8(ascii: "#")
    static let dollar = UInt8(ascii: "$")
    static let apostrophe = UInt8(ascii: "'")
    static let asterisk = UInt8(ascii: "*")
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let openingBracket = UInt8(ascii: "[")
    static let backslash = UInt8(ascii: "\\")
    static let closingBracket = UInt8(ascii: "]")
    static let underscore = UInt8(ascii: "_")
    static let backtick = UInt8(ascii: "`")
    static let openingBrace = UInt8(ascii: "{")
    static let closingBrace = UInt8(ascii: "}")

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
