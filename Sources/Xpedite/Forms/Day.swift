internal import BacklotJSON

/// A day of the calendar, without a time, as a date field holds it. It is written `yyyy-MM-dd`.
///
/// ```swift
/// struct NewCustomer: Decodable {
///     var name: String
///     var born: Day?  // a date field sends 1980-05-17
/// }
/// let today = Day("2026-12-24")
/// ```
public struct Day: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The year, 0 to 9999.
    public let year: Int
    /// The month, from 1.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Creates a day; nil for a day that the calendar lacks, such as 30 February.
    public init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month),
            (1...GregorianCalendar.days(inMonth: month, of: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that a text such as `1990-06-15` names; nil for any other text.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// `1990-06-15`
    public var description: String { "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))" }

    /// Whether one day comes before another.
    public static func < (left: Day, right: Day) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

extension Day: Codable {
    /// Reads the day from a string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let day = Day(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a date is written yyyy-MM-dd")
        }
        self = day
    }

    /// Writes the day as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
