import BacklotHTTP

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A point in time in a template, and how it is written.
struct TemplateDate: Sendable {
    /// Since 1970 began in UTC.
    var milliseconds: Int64
    var format: DateFormat?
    var zone = ZoneRules.utc

    /// The years 1 to 9999, which can be written.
    private static let writable = -62_135_596_800.0...253_402_300_799.0

    init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// - Returns: nil beyond the years that can be written.
    init?(_ time: CivilTime, in zone: ZoneRules = .utc) {
        guard Self.writable.contains(time.seconds) else { return nil }
        let ahead = time.offset ?? zone.rule(at: Int64(time.seconds.rounded(.down))).offset
        milliseconds = Int64(((time.seconds - Double(ahead)) * 1000).rounded())
    }

    /// The present.
    static var now: TemplateDate {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return TemplateDate(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The time by a clock in UTC.
    var time: CivilTime { CivilTime(seconds: Double(milliseconds) / 1000, offset: 0) }

    /// The same with another point in time; nil beyond the years that can be written.
    func at(_ time: CivilTime) -> TemplateDate? {
        guard var date = TemplateDate(time) else { return nil }
        (date.format, date.zone) = (format, zone)
        return date
    }

    /// The date later by a span such as `3 days` or `-1 months`; nil for what is no span.
    func moved(by text: String) -> TemplateDate? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let amount = Int(words[0]), amount.magnitude < 1_000_000_000 else { return nil }
        let name = words[1].lowercased()
        guard let unit = CivilTime.Unit(rawValue: name.hasSuffix("s") ? name : name + "s") else { return nil }
        guard amount.magnitude < 120_000 || unit != .months && unit != .years else { return nil }
        return at(time.moved(by: amount, unit))
    }

    /// As ISO 8601, unless there is a format.
    var text: String { (format ?? DateFormat.iso)?.text(milliseconds, zone) ?? "" }
}

extension DateFormat {
    static let iso = try? DateFormat("yyyy-MM-dd'T'HH:mm:ssXXX")
    /// Formats that have names.
    static let named = [
        "full": "EEEE, MMMM d, yyyy", "long": "MMMM d, yyyy", "medium": "MMM d, yyyy", "short": "M/d/yy",
    ]
    private static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]

    /// A point in time, as the clocks of a zone show it.
    ///
    /// - Parameter milliseconds: since 1970 began in UTC.
    func text(_ milliseconds: Int64, _ zone: ZoneRules) -> String {
        let seconds = Self.floor(milliseconds, 1000)
        switch form {
        case .number(let perSecond): return "\(perSecond == 1000 ? milliseconds : seconds)"
        case .parts(let parts):
            let rule = zone.rule(at: seconds)
            let local = seconds + Int64(rule.offset)
            let days = Self.floor(local, 86_400)
            let clock = Int(local - days * 86_400)
            return parts.reduce(into: "") { text, part in
                switch part {
                case .text(let more): text += more
                case .field(let letter, let count):
                    text +=
                        Self.dateText(letter, count, days: Int(days))
                        ?? Self.clockText(letter, count, clock, millisecond: Int(milliseconds - seconds * 1000))
                        ?? Self.zoneText(letter, count, rule)
                }
            }
        }
    }

    static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }

    private static func dateText(_ letter: Character, _ count: Int, days: Int) -> String? {
        let (year, month, day) = HTTPDate.calendarDate(daysSince1970: days)
        switch letter {
        case "y", "u": return count == 2 ? padded(year % 100, 2) : padded(year, count)
        case "M", "L":
            let name = monthNames[month - 1]
            return count >= 4 ? name : count == 3 ? String(name.prefix(3)) : padded(month, count)
        case "d": return padded(day, count)
        case "E", "e":
            let name = weekdays[((days % 7) + 7) % 7]
            return count >= 4 ? name : String(name.prefix(3))
        default: return nil
        }
    }

    private static func clockText(_ letter: Character, _ count: Int, _ seconds: Int, millisecond: Int) -> String? {
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
        switch letter {
        case "z", "V": return rule.name
        case "Z": return offset(rule.offset, colon: false)
        case "O": return rule.offset == 0 ? "GMT" : "GMT" + offset(rule.offset, colon: true)
        default:
            if letter == "X", rule.offset == 0 { return "Z" }
            return count == 1
                ? String(offset(rule.offset, colon: false).prefix(3)) : offset(rule.offset, colon: count > 2)
        }
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, min(count, 20) - text.count)) + text
    }

    private static func offset(_ seconds: Int, colon: Bool) -> String {
        let minutes = abs(seconds) / 60
        return (seconds < 0 ? "-" : "+") + padded(minutes / 60, 2) + (colon ? ":" : "") + padded(minutes % 60, 2)
    }
}
