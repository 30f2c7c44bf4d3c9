extension HTTPDate {
    /// Reads a date in any form that a recipient must accept (RFC 9110, section 5.6.7): IMF-fixdate, and the obsolete ones of
    /// RFC 850 (`Sunday, 06-Nov-94 08:49:37 GMT`) and of C's asctime (`Sun Nov  6 08:49:37 1994`).
    ///
    /// Letter case counts, as in that section. The weekday must be one, and isn't compared with the date. A leap second is
    /// taken for the second before.
    ///
    /// - Parameters:
    ///   - text: the date, with no blanks around it.
    ///   - now: the time now, from which RFC 850's year of two digits is at most 50 years in the future.
    /// - Returns: nil when it is no date, or a day that no calendar has.
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
        let isLast = month == 12
        let next = HTTPDate.daysSince1970(year: isLast ? year + 1 : year, month: isLast ? 1 : month + 1, day: 1)
        guard days < next else { return nil }
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

    /// Takes exactly so many digits.
    private mutating func number(_ digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy(ASCII.isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
