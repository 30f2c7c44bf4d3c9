/// A moment as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate, RFC 9110, section 5.6.7).
public struct HTTPDate: Hashable, Comparable, CustomStringConvertible, Sendable {
    static let secondsPerDay = 86_400
    private static let weekdays: StaticString = "ThuFriSatSunMonTueWed"
    private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

    /// The years 1 to 9999 can be written: no file's time is outside, unless someone has set it so.
    private static let writable = -62_135_596_800...253_402_300_799

    /// The moment, in whole seconds since 1970 began in UTC; negative before that.
    public let secondsSince1970: Int

    /// A moment given in whole seconds since 1970 began in UTC. What is outside the years 1 to 9999 is taken for the nearest
    /// moment inside, for no other can be written.
    public init(secondsSince1970: Int) {
        self.secondsSince1970 = min(max(secondsSince1970, Self.writable.lowerBound), Self.writable.upperBound)
    }

    /// The time now.
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

    /// The day, counted from the first of 1970, and the seconds since it began.
    var dayAndTime: (days: Int, time: Int) {
        let midnight = Self.floor(secondsSince1970, toMultipleOf: Self.secondsPerDay)
        return (midnight / Self.secondsPerDay, secondsSince1970 - midnight)
    }

    private static func floor(_ number: Int, toMultipleOf divisor: Int) -> Int {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return (remainder < 0 ? quotient - 1 : quotient) * divisor
    }

    /// The Gregorian date of a day. Years are counted from March, so that the leap day is the last of its year.
    static func calendarDate(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
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
    static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
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

    /// Appends one of the words, of three letters each, that `words` consists of.
    fileprivate mutating func append(word index: Int, of words: StaticString) {
        words.withUTF8Buffer { unsafe append(contentsOf: $0[(index * 3)..<(index * 3 + 3)]) }
    }
}
