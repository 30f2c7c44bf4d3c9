import Backlot

/// A date, perhaps with a time, as ISO 8601 writes it.
struct CalendarDate {
    private var year: Int, month: Int, day: Int
    private var hour = 0, minute = 0, second = 0, millisecond = 0
    /// Minutes to the east of UTC.
    private var offset = 0

    /// Reads `2026-08-06`, perhaps with `T14:05:09.123Z` or an offset behind it; nil for anything else, and for dates that don't exist.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        func digits(_ count: Int) -> Int? {
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
            rest = rest.dropFirst(count)
            return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        func take(_ signs: StaticString) -> UInt8? {
            guard let first = rest.first, "\(signs)".utf8.contains(first) else { return nil }
            return rest.removeFirst()
        }
        guard let year = digits(4) else { return nil }
        let hasDashes = take("-") != nil
        guard let month = digits(2), !hasDashes || take("-") != nil, let day = digits(2) else { return nil }
        guard 1...12 ~= month, 1...GregorianCalendar.days(inMonth: month, of: year) ~= day else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        guard !rest.isEmpty else { return }
        guard take("T ") != nil, let hour = digits(2), take(":") != nil, let minute = digits(2) else { return nil }
        (self.hour, self.minute) = (hour, minute)
        if take(":") != nil {
            guard let second = digits(2) else { return nil }
            self.second = second
            if take(".,") != nil {
                let fraction = rest.prefix { $0.isDigit }
                guard !fraction.isEmpty else { return nil }
                rest = rest.dropFirst(fraction.count)
                for place in 0..<3 {
                    let digit =
                        place < fraction.count ? Int(fraction[fraction.startIndex + place] - UInt8(ascii: "0")) : 0
                    millisecond = millisecond * 10 + digit
                }
            }
        }
        if take("Zz") == nil, let sign = take("+-") {
            guard let hours = digits(2), hours < 24 else { return nil }
            _ = take(":")
            offset = (hours * 60 + (digits(2) ?? 0)) * (sign == UInt8(ascii: "-") ? -1 : 1)
        }
        guard rest.isEmpty, hour < 24, minute < 60, second < 60 else { return nil }
    }

    /// The date by a pattern of Unicode TR 35 in English, or in UTC for `ISO`.
    func text(_ format: String) -> String {
        guard format != "ISO" else { return utc }
        var text = ""
        var rest = format[...]
        while let letter = rest.first {
            let run = rest.prefix { $0 == letter }
            rest = rest.dropFirst(run.count)
            if letter == "'" {
                let quoted = run.count > 1 ? "" : rest.prefix { $0 != "'" }
                text += run.count > 1 ? "'" : String(quoted)
                if run.count == 1 { rest = rest.dropFirst(quoted.count + 1) }
            } else {
                text += field(letter, run.count) ?? String(run)
            }
        }
        return text
    }

    private func field(_ letter: Character, _ count: Int) -> String? {
        switch letter {
        case "y": count == 2 ? Self.padded(year % 100, 2) : Self.padded(year, count)
        case "M", "L": count < 3 ? Self.padded(month, count) : Self.shortened(Self.months[month - 1], count)
        case "d": Self.padded(day, count)
        case "E": Self.shortened(Self.weekdays[weekday], max(3, count))
        case "H": Self.padded(hour, count)
        case "h": Self.padded((hour + 11) % 12 + 1, count)
        case "m": Self.padded(minute, count)
        case "s": Self.padded(second, count)
        case "S": String((Self.padded(millisecond, 3) + String(repeating: "0", count: count)).prefix(count))
        case "a": hour < 12 ? "AM" : "PM"
        default: nil
        }
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        String(repeating: "0", count: max(0, min(count, 100) - String(number).count)) + String(number)
    }

    /// Three letters, the whole name for four, and the initial for five.
    private static func shortened(_ name: String, _ count: Int) -> String {
        count == 3 ? String(name.prefix(3)) : count == 4 ? name : String(name.prefix(1))
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// By Sakamoto's method.
    private var weekday: Int {
        let shifts = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
        let year = month < 3 ? self.year - 1 : self.year
        return (year + year / 4 - year / 100 + year / 400 + shifts[month - 1] + day) % 7
    }

    private var utc: String {
        var date = self
        var minutes = hour * 60 + minute - offset
        if minutes < 0 {
            minutes += 1440
            date.move(-1)
        } else if minutes >= 1440 {
            minutes -= 1440
            date.move(1)
        }
        (date.hour, date.minute) = (minutes / 60, minutes % 60)
        return date.text("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'")
    }

    private mutating func move(_ days: Int) {
        day += days
        if day < 1 {
            month -= 1
            if month < 1 { (year, month) = (year - 1, 12) }
            day = GregorianCalendar.days(inMonth: month, of: year)
        } else if day > GregorianCalendar.days(inMonth: month, of: year) {
            (month, day) = (month + 1, 1)
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }
}
