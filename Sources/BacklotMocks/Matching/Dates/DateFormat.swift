import BacklotHTTP

/// How dates and times are written: Java's letters, such as `yyyy-MM-dd HH:mm`, or `epoch` for milliseconds and `unix` for
/// seconds since 1970.
struct DateFormat: Sendable {
    private enum Part: Sendable {
        case text(String)
        case field(Character, Int)
    }

    private enum Form: Sendable {
        case parts([Part])
        /// Since 1970, with so many in a second.
        case number(Double)
    }

    /// Why a text is no format.
    struct Mistake: Error {
        let text: String
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
    /// Formats that have names.
    static let named = [
        "full": "EEEE, MMMM d, yyyy", "long": "MMMM d, yyyy", "medium": "MMM d, yyyy", "short": "M/d/yy",
    ]
    static let iso = DateFormat([
        .field("y", 4), .text("-"), .field("M", 2), .text("-"), .field("d", 2), .text("T"), .field("H", 2), .text(":"),
        .field("m", 2), .text(":"), .field("s", 2), .field("X", 3),
    ])

    private let form: Form
    /// The format, as it is written.
    let source: String

    private init(_ parts: [Part]) {
        (form, source) = (.parts(parts), "")
    }

    init(_ source: String) throws(Mistake) {
        self.source = source
        form = source == "epoch" ? .number(1000) : source == "unix" ? .number(1) : .parts(try Self.parts(source))
    }

    private static func parts(_ source: String) throws(Mistake) -> [Part] {
        var parts: [Part] = []
        var rest = source[...]
        while let first = rest.first {
            let run = rest.prefix { $0 == first }
            switch first {
            case "'":
                guard let end = rest.dropFirst().firstIndex(of: "'") else {
                    throw Mistake(text: "a quote in it has no end")
                }
                let text = rest[..<end].dropFirst()
                parts.append(.text(text.isEmpty ? "'" : String(text)))
                rest = rest[end...].dropFirst()
                continue
            // What is optional isn't told from what isn't.
            case "[", "]": throw Mistake(text: "brackets are not known in dates here")
            case _ where first.isASCII && first.isLetter:
                guard "yuMLdEeaHkhKmsSnXxZzVO".contains(first) else {
                    throw Mistake(text: "the letter '\(first)' is not known in dates here")
                }
                parts.append(.field(first, run.count))
            default: parts.append(.text(String(run)))
            }
            rest = rest[run.endIndex...]
        }
        return parts
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
}

/// Writing.
extension DateFormat {
    /// A point in time, as the clocks of a zone show it.
    ///
    /// - Parameter milliseconds: since 1970 began in UTC.
    func text(_ milliseconds: Int64, _ zone: ZoneRules) -> String {
        let milliseconds = Int(milliseconds)
        let (seconds, fraction) = milliseconds.dividedDown(by: 1000)
        switch form {
        case .number(let perSecond): return "\(perSecond == 1000 ? milliseconds : seconds)"
        case .parts(let parts):
            let rule = zone.rule(at: Int64(seconds))
            let (days, clock) = (seconds + rule.offset).dividedDown(by: 86_400)
            return parts.reduce(into: "") { text, part in
                switch part {
                case .text(let more): text += more
                case .field(let letter, let count):
                    text +=
                        Self.dateText(letter, count, days) ?? Self.clockText(letter, count, clock, fraction)
                        ?? Self.zoneText(letter, count, rule)
                }
            }
        }
    }

    private static func dateText(_ letter: Character, _ count: Int, _ days: Int) -> String? {
        let (year, month, day) = HTTPDate.calendarDate(daysSince1970: days)
        let (number, name): (Int, String?) =
            switch letter {
            case "y", "u": (count == 2 ? year % 100 : year, nil)
            case "M", "L": (month, months[month - 1])
            case "d": (day, nil)
            case "E", "e": (0, weekdays[days.dividedDown(by: 7).rest])
            default: (-1, nil)
            }
        if let name, count >= 3 || number == 0 { return count >= 4 ? name : String(name.prefix(3)) }
        return number < 0 ? nil : padded(number, count)
    }

    private static func clockText(_ letter: Character, _ count: Int, _ seconds: Int, _ millisecond: Int) -> String? {
        let hour = seconds / 3600
        switch letter {
        case "H": return padded(hour, count)
        case "k": return padded(hour == 0 ? 24 : hour, count)
        case "h": return padded(hour % 12 == 0 ? 12 : hour % 12, count)
        case "K": return padded(hour % 12, count)
        case "m": return padded(seconds / 60 % 60, count)
        case "s": return padded(seconds % 60, count)
        case "S": return padded(millisecond, count)
        case "n": return padded(millisecond * 1_000_000, count)
        case "a": return hour < 12 ? "AM" : "PM"
        default: return nil
        }
    }

    private static func zoneText(_ letter: Character, _ count: Int, _ rule: ZoneRules.Rule) -> String {
        func offset(_ colon: String) -> String {
            let minutes = abs(rule.offset) / 60
            return (rule.offset < 0 ? "-" : "+") + padded(minutes / 60, 2) + colon + padded(minutes % 60, 2)
        }
        switch letter {
        case "z", "V": return rule.name
        case "Z": return offset("")
        case "O": return rule.offset == 0 ? "GMT" : "GMT" + offset(":")
        case "X" where rule.offset == 0: return "Z"
        default: return count == 1 ? String(offset("").prefix(3)) : offset(count > 2 ? ":" : "")
        }
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, min(count, 20) - text.count)) + text
    }
}

/// Reading.
extension DateFormat {
    /// The time that a text says; nil when it is written in another way.
    func time(_ text: String) -> CivilTime? {
        switch form {
        case .number(let perSecond): return Int64(text).map { CivilTime(seconds: Double($0) / perSecond, offset: 0) }
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
            return reader.time
        }
    }

    private struct Reader {
        var rest: Substring
        private var year: Int?
        private var (month, day) = (1, 1)
        private var clock = (hour: 0, minute: 0, second: 0.0)
        private var isAfternoon: Bool?
        private var offset: Int?

        init(rest: Substring) {
            self.rest = rest
        }

        /// nil when a part of the text is left.
        var time: CivilTime? {
            guard let year, rest.isEmpty else { return nil }
            var clock = clock
            if let isAfternoon { clock.hour = clock.hour % 12 + (isAfternoon ? 12 : 0) }
            return CivilTime((year, month, day), clock, offset: offset)
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
            case "E", "e": return !word().isEmpty
            case "a":
                guard let half = ["am", "pm"].firstIndex(of: word().lowercased()) else { return false }
                isAfternoon = half == 1
                return true
            case "M" where count > 2, "L" where count > 2:
                let word = word().lowercased()
                let index = DateFormat.months.firstIndex { $0.lowercased().hasPrefix(word) }
                guard word.count >= 3, let index else { return false }
                month = index + 1
                return true
            case "X", "x", "Z", "z", "V", "O": return zone()
            default: break
            }
            let isYear = letter == "y" || letter == "u"
            let isFraction = letter == "S" || letter == "n"
            let most = isYear && !isTight && count != 2 ? 6 : letter == "n" ? 9 : isYear || isFraction ? count : 2
            let digits = rest.prefix { $0.isASCII && $0.isNumber }.prefix(max(letter == "n" ? 1 : count, most))
            guard letter == "n" || digits.count >= count, let number = Int(digits) else { return false }
            rest = rest[digits.endIndex...]
            switch letter {
            // Two digits are of the years around now.
            case "y", "u": year = count == 2 ? number + (number >= 70 ? 1900 : 2000) : number
            case "M", "L": month = number
            case "d": day = number
            case "H", "K": clock.hour = number
            case "k": clock.hour = number % 24
            case "h": clock.hour = number % 12
            case "m": clock.minute = number
            case "s": clock.second += Double(number)
            case "S": clock.second += Double("0.\(digits)") ?? 0
            default: clock.second += Double(number) / 1e9
            }
            return true
        }

        private mutating func word() -> Substring {
            let word = rest.prefix { $0.isLetter }
            rest = rest[word.endIndex...]
            return word
        }

        private mutating func zone() -> Bool {
            let word = rest.prefix { $0.isLetter || $0.isNumber || "+-:".contains($0) }
            rest = rest[word.endIndex...]
            let isUTC = ["GMT", "UTC", "UT"].contains(word)
            offset = isUTC ? 0 : DateFormat.offset(word.hasPrefix("GMT") ? word.dropFirst(3) : word)
            return offset != nil
        }
    }
}

extension Int {
    /// The quotient, rounded down, and the rest, which isn't negative.
    fileprivate func dividedDown(by divisor: Int) -> (quotient: Int, rest: Int) {
        let rest = ((self % divisor) + divisor) % divisor
        return ((self - rest) / divisor, rest)
    }
}
