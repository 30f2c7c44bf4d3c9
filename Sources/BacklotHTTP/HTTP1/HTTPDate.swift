/// A moment as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate, RFC 9110, section 5.6.7).
public struct HTTPDate: CustomStringConvertible, Sendable {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let secondsPerDay = 86_400

    /// The moment, in whole seconds since 1970 began in UTC.
    public let secondsSince1970: Int

    /// A moment given in whole seconds since 1970 began in UTC; the years 1970 to 9999 can be written.
    public init(secondsSince1970: Int) {
        self.secondsSince1970 = secondsSince1970
    }

    /// The date in IMF-fixdate form.
    public var description: String {
        let days = secondsSince1970 / Self.secondsPerDay
        let time = secondsSince1970 % Self.secondsPerDay
        let (year, month, day) = Self.calendarDate(daysSince1970: days)
        let date = "\(Self.padded(day)) \(Self.months[month - 1]) \(year)"
        let clock = [time / 3600, time / 60 % 60, time % 60].map(Self.padded).joined(separator: ":")
        return "\(Self.weekdays[days % 7]), \(date) \(clock) GMT"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The Gregorian date of a day. Years are counted from March, so that the leap day is the last of its year.
    private static func calendarDate(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
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
}
