import Backlot
import BacklotHTTP

/// A regular expression that a whole text must match.
struct TextPattern: Sendable {
    private let pattern: Pattern

    var source: String { pattern.source }

    /// - Parameter field: the expression, as WireMock's users write them.
    init(_ field: Field, _ reading: inout StubReading) throws(StubProblem) {
        let source = try field.text()
        do throws(PatternError) {
            pattern = try Pattern(source)
        } catch {
            throw field.problem("'\(source)' is no regular expression: \(error)")
        }
        if let risk = pattern.risk {
            reading.warn(
                ofRisk: field.problem(
                    "'\(risk)' can match one text in very many ways, and is given up where that takes too many steps; let each repetition match in one way only, such as a+ instead of (a+)+, or don't let it give back: (?>…)"
                )
            )
        }
    }

    /// Whether the whole text matches.
    func matches(_ text: String, _ budget: inout MatchBudget) -> Bool {
        budget.match(pattern, whole: text) == .matches
    }

    /// Whether it is known that the whole text doesn't match.
    func differs(from text: String, _ budget: inout MatchBudget) -> Bool {
        budget.match(pattern, whole: text) == .differs
    }
}

/// Before, after or at a point in time, given in ISO 8601 with its offset from UTC: `2030-01-31T12:00:00Z`.
struct DateTimePattern: Sendable, CustomStringConvertible {
    enum Relation: String, Sendable, CaseIterable {
        case before, after
        case equalToDateTime
    }

    let relation: Relation
    let text: String
    private let seconds: Double

    init?(_ relation: Relation, _ text: String) {
        guard let seconds = Self.seconds(text) else { return nil }
        (self.relation, self.text, self.seconds) = (relation, text, seconds)
    }

    func matches(_ other: String) -> Bool {
        guard let other = Self.seconds(other) else { return false }
        return switch relation {
        case .before: other < seconds
        case .after: other > seconds
        case .equalToDateTime: other == seconds
        }
    }

    var description: String { "a time \(relation == .equalToDateTime ? "at" : relation.rawValue) \(text)" }

    /// Seconds since 1970; nil when the text is neither a date nor a date and time of ISO 8601. Without an offset it is UTC.
    static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let date = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard date.count == 3, let year = date[0], let month = date[1], let day = date[2], (1...12).contains(month),
            (1...31).contains(day)
        else { return nil }
        let days = Double(HTTPDate.daysSince1970(year: year, month: month, day: day) * 86_400)
        guard parts.count > 1 else { return days }
        var time = parts[1]
        var offset = 0
        if time.hasSuffix("Z") {
            time = time.dropLast()
        } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            let zone = time[time.index(after: sign)...].split(separator: ":").compactMap { Int($0) }
            guard zone.count == 2 else { return nil }
            offset = (zone[0] * 60 + zone[1]) * 60 * (time[sign] == "-" ? -1 : 1)
            time = time[..<sign]
        }
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 2 || clock.count == 3, let hour = Int(clock[0]), let minute = Int(clock[1]),
            let second = clock.count == 3 ? Double(clock[2]) : 0
        else { return nil }
        return days + Double(hour * 3600 + minute * 60 - offset) + second
    }
}
