import Backlot
import BacklotJSON

/// What the patterns and paths that are tried on one request, or by one command, may cost together, and which were given up.
///
/// Each has a bound of its own besides. Where the budget is used up, little remains for each: enough for one that isn't dear.
struct MatchBudget {
    /// How many patterns and paths are kept of those that were given up.
    private static let mostNamed = 10

    /// Nanoseconds of the processor, for regular expressions.
    private var time: Int64
    /// Values that are looked at, for JSON paths.
    private var steps: Int
    private let stepsOfOne: Int
    private let stepsOfLast: Int
    /// The patterns and paths that were given up, each once.
    private(set) var givenUp: [String] = []
    /// How often one was given up.
    private(set) var giveUps = 0

    /// - Parameter share: how many requests of that size are compared.
    init(bytes: Int = 0, share: Int64 = 2) {
        time = share * Pattern.time(forBytes: bytes)
        stepsOfOne = 50_000 + bytes
        stepsOfLast = 1000 + bytes / 8
        steps = Int(share) * stepsOfOne
    }

    /// For what is compared with one request.
    init(_ request: MockRequest) {
        self.init(bytes: request.body.count)
    }

    /// For a command, which may compare much with all that the journal holds.
    static var command: MatchBudget { MatchBudget(bytes: 64 * 1024, share: 20) }

    mutating func match(_ pattern: Pattern, whole text: String) -> Pattern.Outcome {
        let outcome = pattern.match(whole: text, within: &time)
        if outcome == .givenUp { note(pattern.source) }
        return outcome
    }

    /// What a path leads to; nothing where it was given up.
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

    private mutating func note(_ source: String) {
        giveUps += 1
        if givenUp.count < Self.mostNamed, !givenUp.contains(source) { givenUp.append(source) }
    }
}
