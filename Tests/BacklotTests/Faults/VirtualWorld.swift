@testable import Backlot

/// A time that passes when somebody waits, at once, and what is left to chance as a test wants it.
final class VirtualWorld: Sendable {
    private let time = Locked(Duration.zero)
    private let waitCount = Locked(0)
    private let draws: @Sendable () -> Double
    private let lateness: Duration
    private let mostWaits: Int

    /// - Parameters:
    ///   - lateness: how much later than asked for each wait ends.
    ///   - mostWaits: how many waits end. Further ones do when their tasks are cancelled.
    ///   - draws: the numbers that are drawn.
    init(lateness: Duration = .zero, mostWaits: Int = .max, draws: @escaping @Sendable () -> Double = { 0.99 }) {
        self.draws = draws
        self.lateness = lateness
        self.mostWaits = mostWaits
    }

    var now: Duration { time.withLock { $0 } }
    /// How many waits there were.
    var waits: Int { waitCount.withLock { $0 } }

    /// Lets time pass.
    func pass(_ duration: Duration) { time.withLock { $0 += duration } }

    var world: NetworkWorld {
        NetworkWorld { [self] in
            now
        } sleep: { [self] until in
            let count = waitCount.withLock { count in
                count += 1
                return count
            }
            if count > mostWaits { try await Task.sleep(for: .seconds(3600)) }
            time.withLock { $0 = max($0, until + lateness) }
            await Task.yield()
            try Task.checkCancellation()
        } draw: { [draws] in
            draws()
        }
    }
}
