import Backlot
import BacklotHTTP
import Logging

/// Says which patterns were given up, each at most once a minute.
final class GivenUpLog: Sendable {
    private static let pause = Duration.seconds(60)
    /// How many patterns are remembered.
    private static let most = 1000

    private let logger: Logger
    private let said = Locked<[String: ContinuousClock.Instant]>([:])

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// - Parameter occasion: what the patterns were tried on, such as `GET /users`.
    func note(_ budget: MatchBudget, _ occasion: @autoclosure () -> String, now: ContinuousClock.Instant = .now) {
        for source in budget.givenUp where isDue(source, now) {
            logger.warning(
                "the pattern \(source.shown) was given up on \(occasion()), as it takes too many steps: that counts as no match (this is said once a minute)"
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
