import Backlot
import BacklotJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Before, after or at a point in time: one that is given, or one that lies so far from now.
///
/// Where only one of two times has a zone, WireMock's rules hold: an actual time without one counts as UTC, and an expected time
/// without one is compared with what the other's clock shows.
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
    static let options = [
        "actualFormat", "truncateExpected", "truncateActual", "expectedOffset", "expectedOffsetUnit",
        "applyTruncationLast",
    ]

    let relation: Relation
    let text: String
    private let expected: Expected
    private var format: DateFormat?
    private var truncateExpected: CivilTime.Truncation?
    private var truncateActual: CivilTime.Truncation?
    private var truncatesLast = false

    /// - Parameters:
    ///   - value: the time.
    ///   - matcher: the object in which it stands, with the options.
    init(_ relation: Relation, _ value: LocatedValue, _ matcher: LocatedValue) throws(StubProblem) {
        self.relation = relation
        text = try value.string()
        if let offset = Self.offset(text) {
            expected = .now(try Self.amount(matcher) ?? offset.amount, try Self.unit(matcher) ?? offset.unit)
        } else {
            guard let time = CivilTime(text) else {
                throw value.problem(
                    "'\(text)' is no time that is known here; write one such as 2030-01-31T12:00:00Z, or now +3 days"
                )
            }
            for key in ["expectedOffset", "truncateExpected"] {
                if let option = matcher[key] { throw option.problem("\(key) goes with a time that begins with now") }
            }
            expected = .time(time)
        }
        if let option = matcher["actualFormat"] {
            let source = try option.string()
            do throws(DateFormat.Mistake) {
                format = try DateFormat(source)
            } catch {
                throw option.problem("'\(source)' is no format of dates: \(error.text)")
            }
        }
        truncateExpected = try matcher["truncateExpected"].map(Self.truncation)
        truncateActual = try matcher["truncateActual"].map(Self.truncation)
        truncatesLast = try matcher["applyTruncationLast"]?.bool() ?? false
    }

    private static func truncation(_ field: LocatedValue) throws(StubProblem) -> CivilTime.Truncation {
        let words = CivilTime.Truncation.allCases.map(\.rawValue)
        let text = try field.string().lowercased()
        guard let truncation = CivilTime.Truncation(rawValue: text) else {
            throw field.problem("'\(text)' is no truncation; write \(words.alternatives)")
        }
        return truncation
    }

    /// `now`, `now +3 days`, `-2 months`
    private static func offset(_ text: String) -> (amount: Int, unit: CivilTime.Unit)? {
        var words = text.lowercased().split(separator: " ")
        if words == ["now"] { return (0, .days) }
        if words.first == "now" { words.removeFirst() }
        guard words.count == 2, let amount = Int(words[0]), abs(amount) < 1_000_000,
            let unit = CivilTime.Unit(rawValue: String(words[1]))
        else { return nil }
        return (amount, unit)
    }

    private static func amount(_ matcher: LocatedValue) throws(StubProblem) -> Int? {
        try matcher["expectedOffset"]?.int(in: -1_000_000...1_000_000)
    }

    private static func unit(_ matcher: LocatedValue) throws(StubProblem) -> CivilTime.Unit? {
        guard let field = matcher["expectedOffsetUnit"] else {
            if let offset = matcher["expectedOffset"] {
                throw offset.problem(
                    "expectedOffsetUnit is missing: \(CivilTime.Unit.allCases.map(\.rawValue).alternatives)"
                )
            }
            return nil
        }
        let text = try field.string().lowercased()
        guard let unit = CivilTime.Unit(rawValue: text) else {
            throw field.problem("'\(text)' is no unit; write \(CivilTime.Unit.allCases.map(\.rawValue).alternatives)")
        }
        return unit
    }

    func matches(_ text: String) -> Bool {
        matches(text, now: CivilTime(seconds: Date().timeIntervalSince1970, offset: 0))
    }

    func matches(_ text: String, now: CivilTime) -> Bool {
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
