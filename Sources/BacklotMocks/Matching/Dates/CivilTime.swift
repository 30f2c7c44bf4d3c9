import BacklotHTTP
internal import BacklotJSON

/// A date and time as a clock shows it, and the clock's offset from UTC where that is known.
struct CivilTime: Sendable, Equatable {
    /// A unit of time that a point in time can be moved by.
    enum Unit: String, CaseIterable, Sendable {
        case seconds, minutes, hours, days, months, years
    }

    /// The point in a period to which a time is set.
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
    var utc: Double { seconds - Double(offset ?? 0) }

    init(seconds: Double, offset: Int? = nil) {
        self.seconds = seconds
        self.offset = offset
    }

    /// nil for a date that no calendar has.
    init?(
        year: Int,
        month: Int = 1,
        day: Int = 1,
        hour: Int = 0,
        minute: Int = 0,
        second: Double = 0,
        offset: Int? = nil
    ) {
        guard (1...99_999).contains(year), (1...12).contains(month),
            (1...GregorianCalendar.days(inMonth: month, of: year)).contains(day), (0...24).contains(hour),
            (0...59).contains(minute),
            (0..<61).contains(second)
        else { return nil }
        let days = HTTPDate.daysSince1970(year: year, month: month, day: day)
        self.init(seconds: Double(days * 86_400 + hour * 3600 + minute * 60) + second, offset: offset)
    }

    private var wholeDays: Int { Int((seconds / 86_400).rounded(.down)) }
    private var date: (year: Int, month: Int, day: Int) { HTTPDate.calendarDate(daysSince1970: wholeDays) }

    private func at(year: Int, month: Int, day: Int, keepingTime: Bool = false) -> CivilTime {
        let days = HTTPDate.daysSince1970(year: year, month: month, day: day)
        let time = keepingTime ? seconds - Double(wholeDays * 86_400) : 0
        return CivilTime(seconds: Double(days * 86_400) + time, offset: offset)
    }

    /// The time that is so many units later. Where a month is too short, its last day is taken.
    func moved(by amount: Int, _ unit: Unit) -> CivilTime {
        var moved = self
        switch unit {
        case .seconds: moved.seconds += Double(amount)
        case .minutes: moved.seconds += Double(amount) * 60
        case .hours: moved.seconds += Double(amount) * 3600
        case .days: moved.seconds += Double(amount) * 86_400
        case .months, .years:
            let (year, month, day) = date
            let months = year * 12 + month - 1 + (unit == .years ? 12 * amount : amount)
            let (newYear, newMonth) = (Int((Double(months) / 12).rounded(.down)), ((months % 12) + 12) % 12 + 1)
            let newDay = min(day, GregorianCalendar.days(inMonth: newMonth, of: newYear))
            return at(year: newYear, month: newMonth, day: newDay, keepingTime: true)
        }
        return moved
    }

    func truncated(to truncation: Truncation) -> CivilTime {
        let (year, month, day) = date
        func floored(_ period: Double) -> CivilTime {
            CivilTime(seconds: (seconds / period).rounded(.down) * period, offset: offset)
        }
        switch truncation {
        case .firstSecondOfMinute: return floored(60)
        case .firstMinuteOfHour: return floored(3600)
        case .firstHourOfDay: return at(year: year, month: month, day: day)
        case .firstDayOfMonth: return at(year: year, month: month, day: 1)
        case .firstDayOfNextMonth:
            return month == 12 ? at(year: year + 1, month: 1, day: 1) : at(year: year, month: month + 1, day: 1)
        case .lastDayOfMonth: return at(year: year, month: month, day: GregorianCalendar.days(inMonth: month, of: year))
        case .firstDayOfYear: return at(year: year, month: 1, day: 1)
        case .firstDayOfNextYear: return at(year: year + 1, month: 1, day: 1)
        case .lastDayOfYear: return at(year: year, month: 12, day: 31)
        }
    }
}

extension CivilTime {
    /// Reads ISO 8601, or one of HTTP's three forms (RFC 9110, section 5.6.7). nil for anything else.
    init?(_ text: String) {
        if let time = Self.iso(text) {
            self = time
            return
        }
        for format in Self.httpFormats {
            if let time = format.time(text) {
                self = time
                return
            }
        }
        return nil
    }

    private static let httpFormats = [
        "EEE, d MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy",
    ].compactMap { try? DateFormat($0) }

    /// `2030-01-31`, `2030-01-31T12:00`, `2030-01-31T12:00:00.5+01:00`
    private static func iso(_ text: String) -> CivilTime? {
        let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let date = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard date.count == 3, let year = date[0], let month = date[1], let day = date[2] else { return nil }
        guard parts.count > 1 else { return CivilTime(year: year, month: month, day: day) }
        var time = parts[1]
        // A zone's name may stand behind its offset: 2030-01-31T12:00+01:00[Europe/Paris].
        if let bracket = time.firstIndex(of: "[") { time = time[..<bracket] }
        var offset: Int?
        if time.hasSuffix("Z") {
            (time, offset) = (time.dropLast(), 0)
        } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            guard let ahead = DateFormat.offset(time[sign...]) else { return nil }
            (time, offset) = (time[..<sign], ahead)
        }
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 2 || clock.count == 3, let hour = Int(clock[0]), let minute = Int(clock[1]),
            let second = clock.count == 3 ? Double(clock[2]) : 0
        else { return nil }
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
}
