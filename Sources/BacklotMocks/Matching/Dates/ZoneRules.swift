import Backlot

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The offsets of a time zone from UTC, and the times of their changes, from the system's time zone database.
///
/// Source: RFC 9636 (The Time Zone Information Format).
final class ZoneRules: Sendable {
    /// The rule for a span of time.
    struct Rule: Equatable, Sendable {
        /// In seconds, to be added to UTC.
        var offset: Int
        /// Such as `CET`.
        var name: String
    }

    static let utc = ZoneRules(Rule(offset: 0, name: "UTC"))
    private static let folder = "/usr/share/zoneinfo"
    /// The most zones to remember; about 600 exist.
    private static let most = 1000
    private static let known = Locked<[String: ZoneRules]>([:])

    /// The start times of rules, in seconds since 1970, the earliest first.
    private let starts: [Int64]
    private let rules: [Rule]
    private let first: Rule
    /// The rule after the last start time.
    private let rest: YearlyRule?

    private init(_ first: Rule, _ starts: [Int64] = [], _ rules: [Rule] = [], rest: YearlyRule? = nil) {
        (self.starts, self.rules, self.first, self.rest) = (starts, rules, first, rest)
    }

    /// A zone such as `Europe/Berlin`, `UTC` or `+02:00`; nil for an unknown one.
    static func named(_ name: String) -> ZoneRules? {
        if ["UTC", "GMT", "Z", "UT"].contains(name) { return utc }
        guard name.utf8.count <= 64 else { return nil }
        if let zone = known.withLock({ $0[name] }) { return zone }
        guard let zone = fixed(name) ?? database(name) else { return nil }
        known.withLock { if $0.count < most { $0[name] = zone } }
        return zone
    }

    /// `+2`, `-0330`, `UTC+05:30`
    private static func fixed(_ name: String) -> ZoneRules? {
        let text = name.hasPrefix("GMT") || name.hasPrefix("UTC") ? name.dropFirst(3) : name[...]
        let isShort = text.dropFirst().prefix { $0 != ":" }.count == 1
        let padded = isShort ? "\(text.prefix(1))0\(text.dropFirst())"[...] : text
        return DateFormat.offset(padded).map { ZoneRules(Rule(offset: $0, name: name)) }
    }

    /// A name without dots stays below the folder.
    private static func database(_ name: String) -> ZoneRules? {
        guard !name.hasPrefix("/"),
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "/_-+".contains($0)) }),
            let data = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
        else { return nil }
        return ZoneRules(Array(data))
    }

    /// Reads a file of the database: a block with short times, which it skips, one with long times, and the yearly rule.
    convenience init?(_ bytes: [UInt8]) {
        var reader = ZoneReader(rest: bytes[...])
        guard let short = reader.header() else { return nil }
        _ = reader.take(short.times * 5 + short.types * 6 + short.names + short.leaps * 8 + short.marks)
        guard let long = reader.header() else { return nil }
        let starts = (0..<long.times).map { _ in reader.integer(8) }
        let indices = reader.take(long.times).map { Int($0) }
        let types = (0..<long.types).map { _ in (Int(reader.integer(4)), reader.take(1), reader.take(1).first ?? 0) }
        let names = reader.take(long.names)
        _ = reader.take(long.leaps * 12 + long.marks)
        let all = types.map { offset, _, name in
            Rule(offset: offset, name: String(decoding: names.dropFirst(Int(name)).prefix { $0 != 0 }, as: UTF8.self))
        }
        guard let first = all.first, indices.allSatisfy(all.indices.contains), !reader.isBroken else { return nil }
        let footer = String(decoding: reader.rest.filter { $0 != 0x0A }, as: UTF8.self)
        self.init(first, starts, indices.map { all[$0] }, rest: YearlyRule(footer))
    }

    /// The rule that holds at a moment, in seconds since 1970 began in UTC.
    func rule(at seconds: Int64) -> Rule {
        guard let last = starts.last, seconds < last || rest == nil else { return rest?.rule(at: seconds) ?? first }
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] > seconds { high = middle } else { low = middle + 1 }
        }
        return low == 0 ? first : rules[low - 1]
    }
}

/// The numbers of a file of the time zone database.
private struct ZoneReader {
    var rest: ArraySlice<UInt8>
    private(set) var isBroken = false

    init(rest: ArraySlice<UInt8>) {
        self.rest = rest
    }

    /// The numbers of marks, leap seconds, times and types, and the bytes of names in a block.
    mutating func header() -> (marks: Int, leaps: Int, times: Int, types: Int, names: Int)? {
        guard take(4).elementsEqual("TZif".utf8), integer(1) >= 0x32 else { return nil }
        _ = take(15)
        let counts = (0..<6).map { _ in Int(integer(4)) }
        guard !isBroken, counts.allSatisfy((0...10_000).contains) else { return nil }
        return (counts[0] + counts[1], counts[2], counts[3], counts[4], counts[5])
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        isBroken = isBroken || count > rest.count
        defer { rest = rest.dropFirst(count) }
        return isBroken ? [] : rest.prefix(count)
    }

    /// A number with a sign, its highest byte first.
    mutating func integer(_ count: Int) -> Int64 {
        let bytes = take(count)
        return bytes.reduce(bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0) { $0 << 8 | Int64($1) }
    }
}

/// The rule of a zone for all years to come, in POSIX's form: `CET-1CEST,M3.5.0,M10.5.0/3`.
private struct YearlyRule: Sendable {
    private struct Change: Sendable {
        /// Month, week (5 for the last) and weekday (0 for Sunday); nil for a day of the year.
        var weekday: (month: Int, week: Int, day: Int)?
        var dayOfYear = 0
        var countsLeapDay = false
        /// Seconds after midnight by the clock before the change.
        var time = 7200

        /// `M3.5.0/3`, `J60` or `59`
        init?(_ text: String) {
            let parts = text.split(separator: "/")
            guard let day = parts.first else { return nil }
            if parts.count > 1 { time = YearlyRule.seconds(String(parts[1])) ?? time }
            let numbers = day.drop(while: \.isLetter).split(separator: ".").compactMap { Int($0) }
            if day.first == "M" {
                guard numbers.count == 3, (1...12).contains(numbers[0]), (1...5).contains(numbers[1]),
                    (0...6).contains(numbers[2])
                else { return nil }
                weekday = (numbers[0], numbers[1], numbers[2])
            } else {
                guard let day = numbers.first, (0...365).contains(day) else { return nil }
                (dayOfYear, countsLeapDay) = (day, text.first != "J")
            }
        }

        func seconds(in year: Int) -> Int64 {
            let first = HTTPDate.daysSince1970(year: year, month: weekday?.month ?? 1, day: 1)
            var day = dayOfYear
            if let weekday {
                let firstWeekday = (((first + 4) % 7) + 7) % 7
                day = (weekday.day - firstWeekday + 7) % 7 + (weekday.week - 1) * 7
                while day >= GregorianCalendar.days(inMonth: weekday.month, of: year) { day -= 7 }
            } else if !countsLeapDay {
                let isLeap = GregorianCalendar.days(inMonth: 2, of: year) == 29
                day += isLeap && dayOfYear >= 60 ? 0 : -1
            }
            return Int64((first + day) * 86_400 + time)
        }
    }

    private let standard: ZoneRules.Rule
    private let summer: (rule: ZoneRules.Rule, begin: Change, end: Change)?

    /// nil for a text that isn't a rule.
    init?(_ text: String) {
        var time = PCRERegex.time(forBytes: text.utf8.count)
        let form = "^(<[^>]+>|[A-Za-z]+)([-+0-9:]+)(?:(<[^>]+>|[A-Za-z]+)([-+0-9:]*),([^,]+),([^,]+))?$"
        guard let parts = (try? PCRERegex(form))?.firstMatch(in: text, within: &time), let name = parts[1],
            let offset = parts[2].flatMap(Self.seconds)
        else { return nil }
        func rule(_ name: String, _ offset: Int) -> ZoneRules.Rule {
            ZoneRules.Rule(offset: -offset, name: name.filter { $0 != "<" && $0 != ">" })
        }
        standard = rule(name, offset)
        guard let summerName = parts[3] else {
            summer = nil
            return
        }
        guard let begin = parts[5].flatMap(Change.init), let end = parts[6].flatMap(Change.init) else { return nil }
        let summerOffset = parts[4].flatMap(Self.seconds) ?? offset - 3600
        summer = (rule(summerName, summerOffset), begin, end)
    }

    /// `-3`, `5:30`, `+2:00:00`
    private static func seconds(_ text: String) -> Int? {
        let numbers = text.drop { $0 == "-" || $0 == "+" }.split(separator: ":").map { Int($0) ?? 0 }
        guard !numbers.isEmpty, numbers.count <= 3 else { return nil }
        let seconds = zip(numbers, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        return text.hasPrefix("-") ? -seconds : seconds
    }

    func rule(at seconds: Int64) -> ZoneRules.Rule {
        guard let summer else { return standard }
        let days = Int((Double(seconds + Int64(standard.offset)) / 86_400).rounded(.down))
        let year = HTTPDate.calendarDate(daysSince1970: days).year
        let from = summer.begin.seconds(in: year) - Int64(standard.offset)
        let to = summer.end.seconds(in: year) - Int64(summer.rule.offset)
        let isSummer = from < to ? seconds >= from && seconds < to : seconds >= from || seconds < to
        return isSummer ? summer.rule : standard
    }
}
