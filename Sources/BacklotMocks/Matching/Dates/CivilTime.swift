internal import BacklotHTTP
internal import BacklotJSON

/// A date and time on a clock, with the clock's offset from UTC if it is known.
package struct CivilTime: Sendable, Equatable {
    /// A unit of time that a point in time can be moved by.
    enum Unit: String, CaseIterable, Sendable {
        case seconds, minutes, hours, days, months, years

        /// The length of a unit; nil if it varies.
        fileprivate var seconds: Double? {
            switch self {
            case .seconds: 1
            case .minutes: 60
            case .hours: 3600
            case .days: 86_400
            case .months, .years: nil
            }
        }
    }

    /// The start of a period, for rounding a time down.
    enum Truncation: String, CaseIterable, Sendable {
        case firstSecondOfMinute = "first second of minute"
        case firstMinuteOfHour = "first minute of hour"
        case firstHourOfDay = "first hour of day"
        case firstDayOfMonth = "first day of month"
        case firstDayOfNextMonth = "first day of next month"
        case lastDayOfMonth = "last day of month"
        case firstDayOfYear = "first day of year"
        case firstDayOfNextYear = "first day of next year"
        case lastDayOfYear = "last day of year"
    }

    /// Seconds that the clock is past 1970-01-01T00:00.
    var seconds: Double
    /// The clock's seconds ahead of UTC; nil for a time without a zone.
    var offset: Int?

    /// Seconds since 1970 in UTC. A time without a zone counts as one in UTC.
    package var utc: Double { seconds - Double(offset ?? 0) }

    /// Whether this is in the years 1 to 9999, which formats can express.
    var isWritable: Bool { (-62_135_596_800.0...253_402_300_799.0).contains(seconds) }

    init(seconds: Double, offset: Int? = nil) {
        (self.seconds, self.offset) = (seconds, offset)
    }

    /// nil for a date or time that doesn't exist.
    init?(
        _ date: (year: Int, month: Int, day: Int),
        _ clock: (hour: Int, minute: Int, second: Double) = (0, 0, 0),
        offset: Int? = nil
    ) {
        guard (1...99_999).contains(date.year), (1...12).contains(date.month), date.day > 0,
            date.day <= GregorianCalendar.days(inMonth: date.month, of: date.year), (0...24).contains(clock.hour),
            (0...59).contains(clock.minute), (0..<61).contains(clock.second)
        else { return nil }
        let time = Double(clock.hour * 3600 + clock.minute * 60) + clock.second
        self = CivilTime(seconds: 0, offset: offset).at(date, time)
    }

    /// The present time, in UTC.
    static var now: CivilTime {
        let now = FileTime.now
        return CivilTime(seconds: Double(now.seconds) + Double(now.nanoseconds) / 1e9, offset: 0)
    }

    private var wholeDays: Int { Int((seconds / 86_400).rounded(.down)) }

    private func at(_ date: (year: Int, month: Int, day: Int), _ time: Double = 0) -> CivilTime {
        let days = HTTPDate.daysSince1970(year: date.year, month: date.month, day: date.day)
        return CivilTime(seconds: Double(days * 86_400) + time, offset: offset)
    }

    /// The time after some units. If a month is too short, this takes its last day.
    func moved(by amount: Int, _ unit: Unit) -> CivilTime {
        if let length = unit.seconds { return CivilTime(seconds: seconds + Double(amount) * length, offset: offset) }
        let (year, month, day) = HTTPDate.calendarDate(daysSince1970: wholeDays)
        let months = year * 12 + month - 1 + (unit == .years ? 12 * amount : amount)
        let (newYear, newMonth) = (Int((Double(months) / 12).rounded(.down)), ((months % 12) + 12) % 12 + 1)
        let newDay = min(day, GregorianCalendar.days(inMonth: newMonth, of: newYear))
        return at((newYear, newMonth, newDay), seconds - Double(wholeDays * 86_400))
    }

    func truncated(to truncation: Truncation) -> CivilTime {
        let (year, month, day) = HTTPDate.calendarDate(daysSince1970: wholeDays)
        func floored(_ period: Double) -> CivilTime {
            CivilTime(seconds: (seconds / period).rounded(.down) * period, offset: offset)
        }
        return switch truncation {
        case .firstSecondOfMinute: floored(60)
        case .firstMinuteOfHour: floored(3600)
        case .firstHourOfDay: at((year, month, day))
        case .firstDayOfMonth: at((year, month, 1))
        case .firstDayOfNextMonth: at(month == 12 ? (year + 1, 1, 1) : (year, month + 1, 1))
        case .lastDayOfMonth: at((year, month, GregorianCalendar.days(inMonth: month, of: year)))
        case .firstDayOfYear: at((year, 1, 1))
        case .firstDayOfNextYear: at((year + 1, 1, 1))
        case .lastDayOfYear: at((year, 12, 31))
        }
    }
}

extension CivilTime {
    private static let httpFormats = [
        "EEE, d MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy",
    ].compactMap { try? DateFormat($0) }

    /// Reads ISO 8601, or one of HTTP's three forms (RFC 9110, section 5.6.7). nil for other texts.
    package init?(_ text: String) {
        guard let time = Self.iso(text) ?? Self.httpFormats.lazy.compactMap({ $0.time(text) }).first else { return nil }
        self = time
    }

    /// `2030-01-31`, `2030-01-31T12:00`, `2030-01-31T12:00:00.5+01:00`
    private static func iso(_ text: String) -> CivilTime? {
        let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let date = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard date.count == 3, let year = date[0], let month = date[1], let day = date[2] else { return nil }
        guard parts.count > 1 else { return CivilTime((year, month, day)) }
        // A zone's name may follow its offset: 2030-01-31T12:00+01:00[Europe/Paris].
        var time = parts[1].prefix { $0 != "[" }
        var offset: Int?
        if let sign = time.lastIndex(where: { "Z+-".contains($0) }) {
            guard let ahead = DateFormat.offset(time[sign...]) else { return nil }
            (time, offset) = (time[..<sign], ahead)
        }
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 2 || clock.count == 3, let hour = Int(clock[0]), let minute = Int(clock[1]),
            let second = clock.count == 3 ? Double(clock[2]) : 0
        else { return nil }
        return CivilTime((year, month, day), (hour, minute, second), offset: offset)
    }
}
