import BacklotHTTP

/// A form of dates and times: Java's letters, such as `yyyy-MM-dd HH:mm`, or `epoch` for milliseconds and `unix` for seconds since
/// 1970.
struct DateFormat: Sendable {
    private enum Part: Sendable {
        case text(String)
        case field(Character, Int)
    }

    private enum Form: Sendable {
        case parts([Part])
        /// A number since 1970, with this many units per second.
        case number(Double)
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
    /// The source of the format.
    let source: String

    private init(_ parts: [Part]) {
        (form, source) = (.parts(parts), "")
    }

    init(_ source: String) throws(MessageError) {
        self.source = source
        form = source == "epoch" ? .number(1000) : source == "unix" ? .number(1) : .parts(try Self.parts(source))
    }

    private static func parts(_ source: String) throws(MessageError) -> [Part] {
        var parts: [Part] = []
        var rest = source[...]
        while let first = rest.first {
            let run = rest.prefix { $0 == first }
            switch first {
            case "'":
                guard let end = rest.dropFirst().firstIndex(of: "'") else {
                    throw MessageError("a quote in it has no end")
                }
                let text = rest[..<end].dropFirst()
                parts.append(.text(text.isEmpty ? "'" : String(text)))
                rest = rest[end...].dropFirst()
                continue
            // Optional parts aren't supported.
            case "[", "]": throw MessageError("brackets are not known in dates here")
            case _ where first.isASCII && first.isLetter:
                guard "yuMLdEeaHkhKmsSnXxZzVO".contains(first) else {
                    throw MessageError("the letter '\(first)' is not known in dates here")
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

/// The parts of a date and time that letters stand for.
private struct Moment {
    /// The parts that are numbers.
    static let parts: [Character: any WritableKeyPath<Moment, Int> & Sendable] = [
        "y": \.year, "u": \.year, "M": \.month, "L": \.month, "d": \.day, "H": \.hour, "k": \.hour, "h": \.hour,
        "K": \.hour, "m": \.minute, "s": \.second, "S": \.nanosecond, "n": \.nanosecond,
    ]

    var (year, month, day) = (0, 1, 1)
    var (hour, minute, second, nanosecond) = (0, 0, 0, 0)
}

/// Writing.
extension DateFormat {
    /// A point in time, on the clocks of a zone.
    ///
    /// - Parameter milliseconds: since 1970 began in UTC.
    func text(_ milliseconds: Int64, _ zone: ZoneRules) -> String {
        let (seconds, millisecond) = Int(milliseconds).dividedDown(by: 1000)
        switch form {
        case .number(let perSecond): return "\(perSecond == 1000 ? Int(milliseconds) : seconds)"
        case .parts(let parts):
            let rule = zone.rule(at: Int64(seconds))
            let (days, clock) = (seconds + rule.offset).dividedDown(by: 86_400)
            var moment = Moment()
            (moment.year, moment.month, moment.day) = HTTPDate.calendarDate(daysSince1970: days)
            (moment.hour, moment.minute, moment.second) = (clock / 3600, clock / 60 % 60, clock % 60)
            moment.nanosecond = millisecond * 1_000_000
            let weekday = Self.weekdays[days.dividedDown(by: 7).rest]
            return parts.reduce(into: "") { text, part in
                switch part {
                case .text(let more): text += more
                case .field(let letter, let count): text += Self.text(letter, count, moment, weekday, rule)
                }
            }
        }
    }

    private static func text(
        _ letter: Character,
        _ count: Int,
        _ moment: Moment,
        _ weekday: String,
        _ rule: ZoneRules.Rule
    ) -> String {
        switch letter {
        case "E", "e": return count >= 4 ? weekday : String(weekday.prefix(3))
        case "M" where count >= 3, "L" where count >= 3:
            return count >= 4 ? months[moment.month - 1] : String(months[moment.month - 1].prefix(3))
        case "a": return moment.hour < 12 ? "AM" : "PM"
        case "y" where count == 2, "u" where count == 2: return padded(moment.year % 100, 2)
        case "k" where moment.hour == 0: return padded(24, count)
        case "h": return padded((moment.hour + 11) % 12 + 1, count)
        case "K": return padded(moment.hour % 12, count)
        case "S": return padded(moment.nanosecond / 1_000_000, count)
        default:
            guard let part = Moment.parts[letter] else { return zoneText(letter, count, rule) }
            return padded(moment[keyPath: part], count)
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
    /// The time in a text; nil if the text has another form, and for a number outside of the years 1 to 9999.
    func time(_ text: String) -> CivilTime? {
        switch form {
        case .number(let perSecond):
            let time = Int64(text).map { CivilTime(seconds: Double($0) / perSecond, offset: 0) }
            return time?.isWritable == true ? time : nil
        case .parts(let parts):
            var reader = Reader(text)
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
        private var rest: Substring
        private var moment = Moment()
        private var isAfternoon: Bool?
        private var offset: Int?

        init(_ text: String) {
            rest = text[...]
        }

        /// nil without a year, and if a part of the text is left.
        var time: CivilTime? {
            guard moment.year > 0, rest.isEmpty else { return nil }
            let hour = isAfternoon.map { moment.hour % 12 + ($0 ? 12 : 0) } ?? moment.hour
            let second = Double(moment.second) + Double(moment.nanosecond) / 1e9
            return CivilTime((moment.year, moment.month, moment.day), (hour, moment.minute, second), offset: offset)
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
                let half = ["am", "pm"].firstIndex(of: word().lowercased())
                isAfternoon = half == 1
                return half != nil
            case "M" where count > 2, "L" where count > 2:
                let word = word().lowercased()
                let index = DateFormat.months.firstIndex { $0.lowercased().hasPrefix(word) }
                guard word.count >= 3, let index else { return false }
                moment.month = index + 1
                return true
            default:
                guard let part = Moment.parts[letter] else { return zone() }
                guard let number = number(letter, count, isTight: isTight) else { return false }
                moment[keyPath: part] = number
                return true
            }
        }

        private mutating func number(_ letter: Character, _ count: Int, isTight: Bool) -> Int? {
            let isYear = letter == "y" || letter == "u"
            let isExact = letter == "S" || isYear && (isTight || count == 2)
            let most = isExact ? count : isYear ? 6 : letter == "n" ? 9 : 2
            let least = letter == "n" ? 1 : count
            let digits = rest.prefix { $0.isASCII && $0.isNumber }.prefix(max(least, most))
            guard digits.count >= least, let number = Int(digits) else { return nil }
            rest = rest[digits.endIndex...]
            return switch letter {
            // Two digits are of the years around now.
            case "y" where count == 2, "u" where count == 2: number + (number >= 70 ? 1900 : 2000)
            case "k": number % 24
            case "h": number % 12
            case "S": Int(((Double("0.\(digits)") ?? 0) * 1e9).rounded())
            default: number
            }
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
