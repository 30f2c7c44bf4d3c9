import Backlot
import Logging

/// The limit for the cost of all patterns and paths of one request, or of one command, and the list of those that were aborted.
///
/// Each also has its own limit. After the budget is used up, each only gets a small rest, which is enough for a cheap one.
package struct MatchBudget {
    /// The most aborted patterns and paths to keep.
    private static let mostNamed = 10

    /// Nanoseconds of the processor, for regular expressions.
    private var time: Int64
    /// The number of values that JSON paths may look at.
    private var steps: Int
    /// The number of comparisons of elements whose order doesn't count.
    private var comparisons: Int
    private let stepsOfOne: Int
    private let stepsOfLast: Int
    /// Time on the clock, for XML.
    private var xmlTime = Duration.milliseconds(500)
    /// For schemas.
    private var schemas = JSONSchema.Budget()
    /// The patterns and paths that were aborted, each once.
    private(set) var givenUp: [String] = []
    /// The present for date matchers, unless it is the system's.
    var now: CivilTime?
    /// The number of aborted patterns and paths.
    private(set) var giveUps = 0

    /// - Parameter share: the number of requests of that size.
    init(bytes: Int = 0, share: Int64 = 2) {
        time = share * PCRERegex.time(forBytes: bytes)
        stepsOfOne = 50_000 + bytes
        stepsOfLast = 1000 + bytes / 8
        steps = Int(share) * stepsOfOne
        comparisons = Int(share) * 1_000_000
    }

    /// For all comparisons with one request.
    init(_ request: MockRequest) {
        self.init(bytes: request.body.count)
    }

    /// For a command, which may compare many patterns with the whole journal.
    package static var command: MatchBudget { MatchBudget(bytes: 64 * 1024, share: 20) }

    mutating func match(_ pattern: PCRERegex, whole text: String) -> PCRERegex.Outcome {
        let outcome = pattern.match(whole: text, within: &time)
        if outcome == .givenUp { note(pattern.source) }
        return outcome
    }

    /// The first matching part of a text: all of it, and the pattern's groups; nil without a match.
    mutating func firstMatch(of pattern: PCRERegex, in text: String) -> [String?]? {
        let groups = pattern.firstMatch(in: text, within: &time)
        if groups == nil, time < 0 { note(pattern.source) }
        return groups
    }

    /// The values that a path leads to; empty if it was aborted.
    mutating func values(of path: JSONPath, in document: JSONValue) -> [JSONValue] {
        let allowed = max(stepsOfLast, min(stepsOfOne, steps))
        var left = allowed
        defer { steps -= allowed - max(0, left) }
        do throws(JSONPath.TooManySteps) {
            return try path.values(in: document, within: &left)
        } catch {
            note(path.source)
            return []
        }
    }

    /// Whether a value fits a schema, as far as the budget allowed to check.
    mutating func fits(_ value: JSONValue, _ schema: JSONSchema) -> Bool {
        let failures = schema.errors(in: value, within: &schemas)
        if failures.contains(where: \.isGivenUp) { note("a JSON schema") }
        return failures.isEmpty
    }

    /// The result for a value that should be XML; nil for other values, and after an abort.
    ///
    /// - Parameter source: the path or document that is compared with it.
    mutating func xml<Result>(_ source: String, _ body: () throws(XMLError) -> Result) -> Result? {
        guard xmlTime > .zero else {
            note(source)
            return nil
        }
        let start = ContinuousClock.now
        defer { xmlTime -= .now - start }
        do throws(XMLError) {
            return try body()
        } catch {
            if error.isGivenUp { note(source) }
            return nil
        }
    }

    /// Spends one comparison of elements whose order doesn't count; false if too many are spent.
    mutating func spendComparison() -> Bool {
        comparisons -= 1
        if comparisons < 0 { note("a list in any order") }
        return comparisons >= 0
    }

    mutating func note(_ source: String) {
        giveUps += 1
        if givenUp.count < Self.mostNamed, !givenUp.contains(source) { givenUp.append(source) }
    }
}

/// Logs which patterns were aborted, each at most once a minute.
final class GivenUpLog: Sendable {
    private static let pause = Duration.seconds(60)
    /// The most patterns to remember.
    private static let most = 1000

    private let logger: Logger
    private let said = Locked<[String: ContinuousClock.Instant]>([:])

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// - Parameter occasion: the request that the patterns were tried on, such as `GET /users`.
    func note(_ budget: MatchBudget, _ occasion: @autoclosure () -> String, now: ContinuousClock.Instant = .now) {
        for source in budget.givenUp where isDue(source, now) {
            logger.warning(
                "the pattern \(source.shown) was given up on \(occasion()), as it takes too many steps: that counts as no match (this is logged once a minute)"
            )
        }
    }

    private func isDue(_ source: String, _ now: ContinuousClock.Instant) -> Bool {
        said.withLock { said in
            if let last = said[source], now - last < Self.pause { return false }
            if said.count >= Self.most { said.removeAll() }
            said[source] = now
            return true
        }
    }
}
