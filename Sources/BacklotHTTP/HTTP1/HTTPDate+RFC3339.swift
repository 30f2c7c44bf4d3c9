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
