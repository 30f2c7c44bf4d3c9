import Backlot

/// Before, after or at a point in time: a given one, or one at a distance from now.
///
/// If only one of two times has a zone, WireMock's rules apply. An actual time without a zone counts as UTC. An expected time without
/// a zone is compared with the local time of the other.
struct DateTimePattern: Sendable, CustomStringConvertible {
    enum Relation: String, Sendable, CaseIterable {
        case before, after
        case equalToDateTime
    }

    private enum Expected: Sendable {
        case time(CivilTime)
        case now(Int, CivilTime.Unit)
    }

    /// The keys beside the operator.
    static let options: [Key] = [
        .optional("actualFormat", .string, "The format of the date, such as dd/MM/yyyy."),
        .optional("truncateExpected", .string, "The rounding of the expected time, such as first hour of day."),
        .optional("truncateActual", .string, "The rounding of the sent time."),
        .optional("expectedOffset", .whole(-2_147_483_648...2_147_483_647), "The offset for the expected time."),
        .optional("expectedOffsetUnit", .string, "The unit of expectedOffset, such as DAYS."),
        .optional("applyTruncationLast", .bool, "Whether times are rounded after the offset is added.", default: false),
    ]

    private let relation: Relation
    private let text: String
    private let expected: Expected
    private var format: DateFormat?
    private let truncateExpected: CivilTime.Truncation?
    private let truncateActual: CivilTime.Truncation?
    private let truncatesLast: Bool

    /// - Parameters:
    ///   - value: the time.
    ///   - matcher: the object around it, with the options.
    init(_ relation: Relation, _ value: LocatedValue, _ matcher: LocatedValue) throws(StubError) {
        self.relation = relation
        text = try value.string()
        if let offset = Self.offset(text) {
            // Matchers in `expect`, and those made of tags, have no vocabulary.
            let amount = matcher.value["expectedOffset"]?.int.map { Int(Int32(clamping: $0)) }
            let unit: CivilTime.Unit? = try matcher["expectedOffsetUnit"]?.folded("unit")
            if unit == nil, let offset = matcher["expectedOffset"] {
                let units = CivilTime.Unit.allCases.map(\.rawValue).alternatives
                throw offset.problem("expectedOffsetUnit is missing: \(units)")
            }
            expected = .now(amount ?? offset.amount, unit ?? offset.unit)
        } else {
            guard let time = CivilTime(text) else {
                throw value.problem(
                    "'\(text)' isn't a known time; write one such as 2030-01-31T12:00:00Z, or now +3 days"
                )
            }
            for key in ["expectedOffset", "truncateExpected"] {
                if let option = matcher[key] { throw option.problem("\(key) goes with a time that begins with now") }
            }
            expected = .time(time)
        }
        truncateExpected = try matcher["truncateExpected"]?.folded("truncation")
        truncateActual = try matcher["truncateActual"]?.folded("truncation")
        truncatesLast = matcher.value["applyTruncationLast"]?.bool ?? false
        guard let option = matcher["actualFormat"] else { return }
        let source = try option.string()
        format = try mapErrors({ option.problem("'\(source)' isn't a date format: \($0)") }) {
            try DateFormat(source)
        }
    }

    /// `now`, `now +3 days`, `-2 months`
    private static func offset(_ text: String) -> (amount: Int, unit: CivilTime.Unit)? {
        var words = text.lowercased().split(separator: " ")
        if words == ["now"] { return (0, .days) }
        if words.first == "now" { words.removeFirst() }
        guard words.count == 2, let amount = Int(words[0]), amount.magnitude < 1_000_000,
            let unit = CivilTime.Unit(rawValue: String(words[1]))
        else { return nil }
        return (amount, unit)
    }

    /// - Parameter now: the present time, in UTC.
    func matches(_ text: String, now: CivilTime = .now) -> Bool {
        guard var actual = format.map({ $0.time(text) }) ?? CivilTime(text) else { return false }
        if let truncateActual { actual = actual.truncated(to: truncateActual) }
        let expected = expectedTime(now: now)
        let (left, right) =
            expected.offset == nil ? (actual.seconds, expected.seconds) : (actual.utc, expected.utc)
        return switch relation {
        case .before: left < right
        case .after: left > right
        case .equalToDateTime: left == right
        }
    }

    private func expectedTime(now: CivilTime) -> CivilTime {
        switch expected {
        case .time(let time): return time
        case .now(let amount, let unit):
            guard let truncateExpected else { return now.moved(by: amount, unit) }
            return truncatesLast
                ? now.moved(by: amount, unit).truncated(to: truncateExpected)
                : now.truncated(to: truncateExpected).moved(by: amount, unit)
        }
    }

    var description: String { "a time \(relation == .equalToDateTime ? "at" : relation.rawValue) \(text)" }
}

extension LocatedValue {
    /// One of the words of a type, in any case.
    fileprivate func folded<Word>(_ noun: String) throws(StubError) -> Word
    where Word: CaseIterable & RawRepresentable<String> {
        let text = try string().lowercased()
        if let word = Word(rawValue: text) { return word }
        throw problem("'\(text)' isn't a \(noun); write \(Word.allCases.map(\.rawValue).alternatives)")
    }
}
