import BacklotHTTP

#if canImport(Glibc)
internal import BacklotJSON
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// When the clocks of a time zone differ from UTC, and by how much: from the system's time zone database.
///
/// Source: RFC 9636 (The Time Zone Information Format).
final class ZoneRules: Sendable {
    /// What holds for a span of time.
    struct Rule: Equatable, Sendable {
        /// In seconds, to be added to UTC.
        var offset: Int
        /// Such as `CET`.
        var name: String
    }

    static let utc = ZoneRules(Rule(offset: 0, name: "UTC"))
    private static let folder = "/usr/share/zoneinfo"
    /// How many zones are remembered: there are some 600.
    private static let most = 1000
    private static let known = Locked<[String: ZoneRules]>([:])

    /// The moments from which rules hold, in seconds since 1970, the earliest first.
    private let starts: [Int64]
    private let rules: [Rule]
    private let first: Rule
    /// What holds after the last moment.
    private let rest: YearlyRule?

    private init(_ rule: Rule) {
        (starts, rules, first, rest) = ([], [], rule, nil)
    }

    private init(_ starts: [Int64], _ rules: [Rule], _ first: Rule, _ rest: YearlyRule?) {
        (self.starts, self.rules, self.first, self.rest) = (starts, rules, first, rest)
    }

    /// A zone such as `Europe/Berlin`, `UTC` or `+02:00`; nil for an unknown one.
    static func named(_ name: String) -> ZoneRules? {
        if ["UTC", "GMT", "Z", "UT"].contains(name) { return utc }
        if let zone = known.withLock({ $0[name] }) { return zone }
        guard let zone = fixed(name) ?? database(name) else { return nil }
        known.withLock { if $0.count < most { $0[name] = zone } }
        return zone
    }

    private static func fixed(_ name: String) -> ZoneRules? {
        let text = name.hasPrefix("GMT") || name.hasPrefix("UTC") ? String(name.dropFirst(3)) : name
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let parts = text.dropFirst().split(separator: ":")
        let numbers = parts.count == 1 && parts[0].count == 4 ? [parts[0].prefix(2), parts[0].suffix(2)] : parts
        guard numbers.count <= 2, let hours = numbers.first.flatMap({ Int($0) }), hours <= 18,
            let minutes = numbers.count > 1 ? Int(numbers[1]) : 0, minutes < 60
        else { return nil }
        return ZoneRules(Rule(offset: (hours * 60 + minutes) * 60 * (sign == "-" ? -1 : 1), name: name))
    }

    private static func database(_ name: String) -> ZoneRules? {
        guard name.utf8.count <= 64, !name.hasPrefix("/"),
            name.utf8.allSatisfy({
                "/_-+".utf8.contains($0) || Character(Unicode.Scalar($0)).isLetter || $0 >= 0x30 && $0 <= 0x39
            }),
            let bytes = file("\(folder)/\(name)")
        else { return nil }
        return ZoneRules(bytes)
    }

    /// A small file, whose name is known to be harmless.
    private static func file(_ path: String) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    /// Reads a file of the database.
    convenience init?(_ bytes: [UInt8]) {
        var reader = ZoneReader(bytes)
        guard let header = reader.header(), reader.skip(header.length(wide: 4)), let wide = reader.header() else {
            return nil
        }
        var starts: [Int64] = []
        for _ in 0..<wide.times { starts.append(reader.integer(8)) }
        let indices = (0..<wide.times).map { _ in Int(reader.integer(1)) }
        let types = (0..<wide.types).map { _ in (Int(reader.integer(4)), reader.integer(1), Int(reader.integer(1))) }
        let names = reader.take(wide.characters)
        guard reader.skip(wide.leaps * 12 + wide.standards + wide.universals) else { return nil }
        let all = types.map { type in
            Rule(offset: type.0, name: String(decoding: names.dropFirst(type.2).prefix { $0 != 0 }, as: UTF8.self))
        }
        guard let first = all.first, indices.allSatisfy({ all.indices.contains($0) }), !reader.isBroken else {
            return nil
        }
        let footer = String(decoding: reader.rest.filter { $0 != 0x0A }, as: UTF8.self)
        self.init(starts, indices.map { all[$0] }, first, YearlyRule(footer))
    }

    /// The rule that holds at a moment, in seconds since 1970 began in UTC.
    func rule(at seconds: Int64) -> Rule {
        guard let last = starts.last, seconds < last || rest == nil else { return rest?.rule(at: seconds) ?? first }
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : rules[low - 1]
    }
}

/// The numbers of a file of the time zone database.
private struct ZoneReader {
    struct Header {
        let universals: Int, standards: Int, leaps: Int, times: Int, types: Int, characters: Int

        func length(wide: Int) -> Int {
            times * wide + times + types * 6 + characters + leaps * (wide + 4) + standards + universals
        }
    }

    private(set) var rest: ArraySlice<UInt8>
    private(set) var isBroken = false

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    mutating func header() -> Header? {
        guard rest.starts(with: "TZif".utf8), rest.count >= 44, rest[rest.startIndex + 4] >= UInt8(ascii: "2"), skip(20)
        else {
            return nil
        }
        let counts = (0..<6).map { _ in Int(integer(4)) }
        guard counts.allSatisfy({ (0...10_000).contains($0) }) else { return nil }
        return Header(
            universals: counts[0],
            standards: counts[1],
            leaps: counts[2],
            times: counts[3],
            types: counts[4],
            characters: counts[5]
        )
    }

    mutating func skip(_ count: Int) -> Bool {
        guard count <= rest.count else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    mutating func take(_ count: Int) -> [UInt8] {
        guard count <= rest.count else {
            isBroken = true
            return []
        }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// A number with a sign, its highest byte first.
    mutating func integer(_ count: Int) -> Int64 {
        let bytes = take(count)
        var value: Int64 = bytes.first.map { $0 >= 0x80 && count > 1 ? -1 : 0 } ?? 0
        for byte in bytes { value = value << 8 | Int64(byte) }
        return value
    }
}

/// The rule of a zone for all years to come, as POSIX writes it: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct YearlyRule: Sendable {
    private struct Change: Sendable {
        /// Month, week (5 for the last) and weekday (0 for Sunday); nil for a day of the year.
        var weekday: (month: Int, week: Int, day: Int)?
        var dayOfYear = 0
        var countsLeapDay = false
        /// Seconds after midnight by the clock before the change.
        var time = 7200

        func seconds(in year: Int) -> Int64 {
            guard let weekday else {
                var day = dayOfYear
                let isLeap = GregorianCalendar.days(inMonth: 2, of: year) == 29
                if !countsLeapDay { day += isLeap && dayOfYear >= 60 ? 0 : -1 }
                let first = HTTPDate.daysSince1970(year: year, month: 1, day: 1)
                return Int64((first + day) * 86_400 + time)
            }
            let first = HTTPDate.daysSince1970(year: year, month: weekday.month, day: 1)
            let firstWeekday = (((first + 4) % 7) + 7) % 7
            var day = (weekday.day - firstWeekday + 7) % 7 + (weekday.week - 1) * 7
            while day >= GregorianCalendar.days(inMonth: weekday.month, of: year) { day -= 7 }
            return Int64((first + day) * 86_400 + time)
        }
    }

    private let standard: ZoneRules.Rule
    private let summer: ZoneRules.Rule?
    private var begin = Change()
    private var end = Change()

    /// nil for what is no rule.
    init?(_ text: String) {
        var rest = text[...]
        guard let name = Self.name(&rest), let offset = Self.time(&rest) else { return nil }
        standard = ZoneRules.Rule(offset: -offset, name: name)
        guard let summerName = Self.name(&rest) else {
            summer = nil
            return
        }
        let summerOffset = rest.first == "," ? offset - 3600 : Self.time(&rest) ?? offset - 3600
        summer = ZoneRules.Rule(offset: -summerOffset, name: summerName)
        guard let begin = Self.change(&rest), let end = Self.change(&rest) else { return nil }
        (self.begin, self.end) = (begin, end)
    }

    func rule(at seconds: Int64) -> ZoneRules.Rule {
        guard let summer else { return standard }
        let days = DateFormat.floor(seconds + Int64(standard.offset), 86_400)
        let year = HTTPDate.calendarDate(daysSince1970: Int(days)).year
        let from = begin.seconds(in: year) - Int64(standard.offset)
        let to = end.seconds(in: year) - Int64(summer.offset)
        let isSummer = from < to ? seconds >= from && seconds < to : seconds >= from || seconds < to
        return isSummer ? summer : standard
    }

    private static func name(_ rest: inout Substring) -> String? {
        if rest.first == "<" {
            let name = rest.dropFirst().prefix { $0 != ">" }
            rest = rest[name.endIndex...].dropFirst()
            return String(name)
        }
        let name = rest.prefix { $0.isLetter }
        rest = rest[name.endIndex...]
        return name.isEmpty ? nil : String(name)
    }

    private static func time(_ rest: inout Substring) -> Int? {
        let text = rest.prefix { $0.isNumber || "+-:".contains($0) }
        let isNegative = text.first == "-"
        let parts = text.drop { $0 == "-" || $0 == "+" }.split(separator: ":").compactMap { Int($0) }
        guard let hours = parts.first else { return nil }
        rest = rest[text.endIndex...]
        let seconds = hours * 3600 + (parts.count > 1 ? parts[1] * 60 : 0) + (parts.count > 2 ? parts[2] : 0)
        return isNegative ? -seconds : seconds
    }

    private static func change(_ rest: inout Substring) -> Change? {
        guard rest.first == "," else { return nil }
        let text = rest.dropFirst().prefix { $0 != "," && $0 != "/" }
        rest = rest[text.endIndex...]
        var change = Change()
        if text.first == "M" {
            let parts = text.dropFirst().split(separator: ".").compactMap { Int($0) }
            guard parts.count == 3, (1...12).contains(parts[0]), (1...5).contains(parts[1]), (0...6).contains(parts[2])
            else { return nil }
            change.weekday = (parts[0], parts[1], parts[2])
        } else {
            guard let day = Int(text.drop { $0 == "J" }), (0...365).contains(day) else { return nil }
            (change.dayOfYear, change.countsLeapDay) = (day, text.first != "J")
        }
        if rest.first == "/" {
            rest = rest.dropFirst()
            guard let time = time(&rest) else { return nil }
            change.time = time
        }
        return change
    }
}
