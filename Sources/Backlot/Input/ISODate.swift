/// Reads dates in ISO 8601, in the forms that RFC 3339 and browsers use: `2026-12-31`, `2026-12-31T10:00:00.250Z`,
/// `2026-12-31T10:00+02:00`.
package enum ISODate {
    /// The seconds since 1970; nil for an invalid date, such as February 30. A day begins in UTC; a time needs a zone. A leap
    /// second counts as the second before it.
    package static func seconds(_ text: String) -> Double? {
        var rest = text[...].utf8
        guard let year = number(&rest, 4), year > 0, skip(&rest, "-"), let month = number(&rest, 2), skip(&rest, "-"),
            let day = number(&rest, 2), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let days = HTTPDate.daysSince1970(year: year, month: month, day: day)
        guard HTTPDate.calendarDate(daysSince1970: days).day == day else { return nil }
        let midnight = Double(days * 86_400)
        if rest.isEmpty { return midnight }
        guard skip(&rest, "T") || skip(&rest, "t") || skip(&rest, " "), let time = time(&rest), let zone = zone(&rest),
            rest.isEmpty
        else { return nil }
        return midnight + time - Double(zone)
    }

    private static func time(_ rest: inout Substring.UTF8View) -> Double? {
        guard let hour = number(&rest, 2), hour < 24, skip(&rest, ":"), let minute = number(&rest, 2), minute < 60
        else {
            return nil
        }
        var time = Double(hour * 3600 + minute * 60)
        guard skip(&rest, ":") else { return time }
        guard let second = number(&rest, 2), second <= 60 else { return nil }
        time += Double(min(second, 59))
        guard skip(&rest, ".") || skip(&rest, ",") else { return time }
        let digits = rest.prefix(while: \.isDigit)
        guard (1...9).contains(digits.count), let fraction = Double("0.\(Substring(digits))") else { return nil }
        rest = rest.dropFirst(digits.count)
        return time + fraction
    }

    /// The zone's offset from UTC in seconds; positive to the east.
    private static func zone(_ rest: inout Substring.UTF8View) -> Int? {
        if skip(&rest, "Z") || skip(&rest, "z") { return 0 }
        let isBehind = rest.first == UInt8(ascii: "-")
        guard skip(&rest, "+") || skip(&rest, "-"), let hours = number(&rest, 2), hours < 24 else { return nil }
        _ = skip(&rest, ":")
        let minutes = rest.isEmpty ? 0 : number(&rest, 2)
        guard let minutes, minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (isBehind ? -1 : 1)
    }

    private static func skip(_ rest: inout Substring.UTF8View, _ text: StaticString) -> Bool {
        guard rest.starts(with: "\(text)".utf8) else { return false }
        rest = rest.dropFirst(text.utf8CodeUnitCount)
        return true
    }

    private static func number(_ rest: inout Substring.UTF8View, _ digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return Int(Substring(text))
    }
}
