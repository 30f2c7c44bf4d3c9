/// How dates and times are written: Java's letters, such as `yyyy-MM-dd HH:mm`, or `epoch` for milliseconds and `unix` for
/// seconds since 1970.
struct DateFormat: Sendable {
    enum Part: Sendable {
        case text(String)
        case field(Character, Int)
    }

    enum Form: Sendable {
        case parts([Part])
        /// Since 1970, with so many in a second.
        case number(Double)
    }

    /// Why a text is no format.
    struct Mistake: Error {
        let text: String
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private static let known: Set<Character> = [
        "y", "u", "M", "L", "d", "E", "e", "a", "H", "k", "h", "K", "m", "s", "S", "n", "X", "x", "Z", "z", "V", "O",
    ]

    let form: Form
    /// The format, as it is written.
    let source: String

    init(_ source: String) throws(Mistake) {
        self.source = source
        switch source {
        case "epoch": form = .number(1000)
        case "unix": form = .number(1)
        default: form = .parts(try Self.parts(source))
        }
    }

    private static func parts(_ source: String) throws(Mistake) -> [Part] {
        var parts: [Part] = []
        var rest = source[...]
        while let first = rest.first {
            if first == "'" {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: "'") else { throw Mistake(text: "a quote in it has no end") }
                parts.append(.text(end == rest.startIndex ? "'" : String(rest[..<end])))
                rest = rest[rest.index(after: end)...]
            } else if first.isASCII, first.isLetter {
                guard known.contains(first) else {
                    throw Mistake(text: "the letter '\(first)' is not known in dates here")
                }
                let run = rest.prefix { $0 == first }
                parts.append(.field(first, run.count))
                rest = rest[run.endIndex...]
            } else if first == "[" || first == "]" {
                // What is optional isn't told from what isn't.
                throw Mistake(text: "brackets are not known in dates here")
            } else {
                parts.append(.text(String(first)))
                rest = rest.dropFirst()
            }
        }
        return parts
    }

    /// The time that a text says; nil when it is written in another way.
    func time(_ text: String) -> CivilTime? {
        switch form {
        case .number(let perSecond):
            guard let number = Int64(text) else { return nil }
            return CivilTime(seconds: Double(number) / perSecond, offset: 0)
        case .parts(let parts):
            var reader = Reader(rest: text[...])
            for (index, part) in parts.enumerated() {
                switch part {
                case .text(let text): guard reader.take(text) else { return nil }
                case .field(let letter, let count):
                    var isTight = false
                    if index + 1 < parts.count, case .field(let next, let width) = parts[index + 1] {
                        isTight = !("MLEa".contains(next) && width > 2)
                    }
                    guard reader.read(letter, count, isTight: isTight) else { return nil }
                }
            }
            return reader.rest.isEmpty ? reader.time : nil
        }
    }

    /// `+01:00`, `+0100`, `+01` or `Z` in seconds.
    static func offset(_ text: Substring) -> Int? {
        if text == "Z" { return 0 }
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.count == 2 || digits.count == 4, digits.allSatisfy(\.isNumber), let number = Int(digits) else {
            return nil
        }
        let (hours, minutes) = digits.count == 2 ? (number, 0) : (number / 100, number % 100)
        guard hours <= 18, minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (sign == "-" ? -1 : 1)
    }

    private struct Reader {
        var rest: Substring
        private var year: Int?
        private var month = 1
        private var day = 1
        private var hour = 0
        private var isAfternoon: Bool?
        private var minute = 0
        private var second = 0.0
        private var offset: Int?

        init(rest: Substring) {
            self.rest = rest
        }

        var time: CivilTime? {
            guard let year else { return nil }
            var hour = hour
            if let isAfternoon { hour = hour % 12 + (isAfternoon ? 12 : 0) }
            return CivilTime(
                year: year,
                month: month,
                day: day,
                hour: hour,
                minute: minute,
                second: second,
                offset: offset
            )
        }

        mutating func take(_ text: String) -> Bool {
            guard rest.hasPrefix(text) else { return false }
            rest = rest.dropFirst(text.count)
            // A day of one digit may have a second blank before it, as in asctime.
            if text == " " { rest = rest.drop { $0 == " " } }
            return true
        }

        /// - Parameter isTight: whether digits that belong to another field follow at once.
        mutating func read(_ letter: Character, _ count: Int, isTight: Bool) -> Bool {
            switch letter {
            case "y", "u":
                guard let number = number(count, isTight || count == 2 ? count : 6) else { return false }
                year = count == 2 ? 2000 + number : number
                // Two digits are of the years around now.
                if count == 2, number >= 70 { year = 1900 + number }
            case "M", "L":
                if count > 2 { return name() }
                guard let number = number(count, 2) else { return false }
                month = number
            case "d": return set(\.day, count)
            case "H": return set(\.hour, count)
            case "k", "K", "h":
                guard set(\.hour, count) else { return false }
                if letter == "k" || letter == "h" { hour %= letter == "k" ? 24 : 12 }
            case "m": return set(\.minute, count)
            case "s":
                guard let number = number(count, 2) else { return false }
                second += Double(number)
            case "S", "n":
                let digits = rest.prefix { $0.isNumber }.prefix(letter == "n" ? 9 : count)
                guard let number = Double(digits), letter == "n" || digits.count == count else { return false }
                second += number / (letter == "n" ? 1e9 : (0..<count).reduce(1.0) { scale, _ in scale * 10 })
                rest = rest[digits.endIndex...]
            case "E", "e", "a": return word(isHalf: letter == "a")
            default: return zone()
            }
            return true
        }

        private mutating func set(_ part: WritableKeyPath<Reader, Int>, _ count: Int) -> Bool {
            guard let number = number(count, 2) else { return false }
            self[keyPath: part] = number
            return true
        }

        private mutating func number(_ least: Int, _ most: Int) -> Int? {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }.prefix(max(least, most))
            guard digits.count >= least, let number = Int(digits) else { return nil }
            rest = rest[digits.endIndex...]
            return number
        }

        private mutating func name() -> Bool {
            let word = rest.prefix { $0.isLetter }.lowercased()
            guard word.count >= 3, let index = DateFormat.months.firstIndex(where: { $0.hasPrefix(word) }) else {
                return false
            }
            month = index + 1
            rest = rest.dropFirst(word.count)
            return true
        }

        private mutating func word(isHalf: Bool) -> Bool {
            let word = rest.prefix { $0.isLetter }
            guard !word.isEmpty else { return false }
            if isHalf {
                guard let half = ["am", "pm"].firstIndex(of: word.lowercased()) else { return false }
                isAfternoon = half == 1
            }
            rest = rest[word.endIndex...]
            return true
        }

        private mutating func zone() -> Bool {
            let word = rest.prefix { $0.isLetter || $0.isNumber || "+-:".contains($0) }
            if ["GMT", "UTC", "UT", "Z"].contains(word) {
                offset = 0
            } else {
                guard let ahead = DateFormat.offset(word.hasPrefix("GMT") ? word.dropFirst(3) : word) else {
                    return false
                }
                offset = ahead
            }
            rest = rest[word.endIndex...]
            return true
        }
    }
}
