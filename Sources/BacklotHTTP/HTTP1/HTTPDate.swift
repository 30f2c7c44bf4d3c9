/// A moment as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate, RFC 9110, section 5.6.7).
public struct HTTPDate: Hashable, Comparable, CustomStringConvertible, Sendable {
    static let secondsPerDay = 86_400
    private static let weekdays: StaticString = "ThuFriSatSunMonTueWed"
    private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

    /// HTTP can express the years 1 to 9999. A file's time is outside only if a program has set it so.
    private static let writable = -62_135_596_800...253_402_300_799

    /// The moment, in whole seconds since 1970-01-01 in UTC; negative before that.
    public let secondsSince1970: Int

    /// Creates a moment from whole seconds since 1970-01-01 in UTC. A moment outside the years 1 to 9999 becomes the
    /// nearest one inside, since HTTP can't express others.
    public init(secondsSince1970: Int) {
        self.secondsSince1970 = min(max(secondsSince1970, Self.writable.lowerBound), Self.writable.upperBound)
    }

    /// The current time.
    public static var now: HTTPDate { HTTPDate(secondsSince1970: FileTime.now.seconds) }

    /// Whether one moment is before another.
    public static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.secondsSince1970 < right.secondsSince1970 }

    /// The date in IMF-fixdate form.
    public var description: String {
        let (days, time) = dayAndTime
        let (year, month, day) = Self.calendarDate(daysSince1970: days)
        var text: [UInt8] = []
        text.reserveCapacity(29)
        text.append(word: days - Self.floor(days, toMultipleOf: 7), of: Self.weekdays)
        text.append(", ")
        text.append(twoDigits: day)
        text.append(ASCII.space)
        text.append(word: month - 1, of: Self.months)
        text.append(ASCII.space)
        text.append(twoDigits: year / 100)
        text.append(twoDigits: year % 100)
        text.append(ASCII.space)
        text.append(twoDigits: time / 3600)
        text.append(ASCII.colon)
        text.append(twoDigits: time / 60 % 60)
        text.append(ASCII.colon)
        text.append(twoDigits: time % 60)
        text.append(" GMT")
        return String(decoding: text, as: UTF8.self)
    }

    /// The day, counted from 1 January 1970, and the seconds since it began.
    var dayAndTime: (days: Int, time: Int) {
        let midnight = Self.floor(secondsSince1970, toMultipleOf: Self.secondsPerDay)
        return (midnight / Self.secondsPerDay, secondsSince1970 - midnight)
    }

    private static func floor(_ number: Int, toMultipleOf divisor: Int) -> Int {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return (remainder < 0 ? quotient - 1 : quotient) * divisor
    }

    /// The Gregorian date of a day. Years are counted from March, so that the leap day is the last of its year.
    package static func calendarDate(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let daysPerEra = 146_097  // 400 years
        let day = days + 719_468  // since 1 March of the year 0
        let (era, dayOfEra) = day.quotientAndRemainder(dividingBy: daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
            month: month,
            day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    /// The days from the start of 1970 to a Gregorian date of the year 1 or later; negative before 1970.
    package static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let leapDays = yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400
        return yearFromMarch * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
    }
}

extension Array where Element == UInt8 {
    fileprivate mutating func append(twoDigits number: Int) {
        append(UInt8(ascii: "0") + UInt8(number / 10))
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Appends one of the three-letter words in `words`.
    fileprivate mutating func append(word index: Int, of words: StaticString) {
        words.withUTF8Buffer { unsafe append(contentsOf: $0[(index * 3)..<(index * 3 + 3)]) }
    }
}

extension HTTPDate {
    /// The same moment as RFC 3339 writes it, in UTC: `1994-11-06T08:49:37Z`.
    package var rfc3339: String {
        let (days, time) = dayAndTime
        let (year, month, day) = Self.calendarDate(daysSince1970: days)
        func padded(_ number: Int, _ digits: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
        }
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))T"
            + "\(padded(time / 3600)):\(padded(time / 60 % 60)):\(padded(time % 60))Z"
    }
}

extension HTTPDate {
    /// Reads a date in any form that a recipient must accept (RFC 9110, section 5.6.7): IMF-fixdate, and the obsolete
    /// ones of RFC 850 (`Sunday, 06-Nov-94 08:49:37 GMT`) and of C's asctime (`Sun Nov  6 08:49:37 1994`).
    ///
    /// Letter case matters, as in that section. The weekday must be valid, but isn't compared with the date. A leap
    /// second counts as the second before it.
    ///
    /// - Parameters:
    ///   - text: the date, with no blanks around it.
    ///   - now: the current time. RFC 850's year of two digits is read as at most 50 years after it.
    /// - Returns: nil for other text, and for a day that doesn't exist.
    public init?(_ text: String, now: HTTPDate = .now) {
        var reader = HTTPDateReader(text)
        guard let date = reader.imfFixdate() ?? reader.rfc850(now: now) ?? reader.asctime() else { return nil }
        self = date
    }
}

/// Reads the parts of dates, one after the other.
private struct HTTPDateReader {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longWeekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    private let text: Substring.UTF8View
    private var rest: Substring.UTF8View

    init(_ text: String) {
        self.text = text[...].utf8
        rest = self.text
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    mutating func imfFixdate() -> HTTPDate? {
        rest = text
        guard word(Self.weekdays) != nil, skip(", "), let day = number(2), skip(" "), let month = word(Self.months),
            skip(" "), let year = number(4), skip(" "), let time = time(), skip(" GMT"), rest.isEmpty
        else { return nil }
        return Self.date(year, month + 1, day, time)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    mutating func rfc850(now: HTTPDate) -> HTTPDate? {
        rest = text
        guard word(Self.longWeekdays) != nil, skip(", "), let day = number(2), skip("-"), let month = word(Self.months),
            skip("-"), let year = number(2), skip(" "), let time = time(), skip(" GMT"), rest.isEmpty
        else { return nil }
        let thisYear = HTTPDate.calendarDate(daysSince1970: now.secondsSince1970 / HTTPDate.secondsPerDay).year
        let fullYear = thisYear - thisYear % 100 + year
        return Self.date(fullYear > thisYear + 50 ? fullYear - 100 : fullYear, month + 1, day, time)
    }

    /// `Sun Nov  6 08:49:37 1994`
    mutating func asctime() -> HTTPDate? {
        rest = text
        guard word(Self.weekdays) != nil, skip(" "), let month = word(Self.months), skip(" "),
            let day = skip(" ") ? number(1) : number(2), skip(" "), let time = time(), skip(" "), let year = number(4),
            rest.isEmpty
        else { return nil }
        return Self.date(year, month + 1, day, time)
    }

    private mutating func time() -> Int? {
        guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60, skip(":"),
            let second = number(2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + min(second, 59)
    }

    private static func date(_ year: Int, _ month: Int, _ day: Int, _ time: Int) -> HTTPDate? {
        guard year > 0, day > 0 else { return nil }
        let days = HTTPDate.daysSince1970(year: year, month: month, day: day)
        guard HTTPDate.calendarDate(daysSince1970: days).day == day else { return nil }
        return HTTPDate(secondsSince1970: days * HTTPDate.secondsPerDay + time)
    }

    /// Takes one of `words`, and returns its index.
    private mutating func word(_ words: [String]) -> Int? {
        words.firstIndex { skip($0) }
    }

    private mutating func skip(_ literal: String) -> Bool {
        guard rest.starts(with: literal.utf8) else { return false }
        rest = rest.dropFirst(literal.utf8.count)
        return true
    }

    /// Takes exactly `count` digits.
    private mutating func number(_ digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy(ASCII.isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
