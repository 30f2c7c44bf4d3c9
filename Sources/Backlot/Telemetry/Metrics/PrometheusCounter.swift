internal import BacklotHTTP
internal import CoreMetrics
internal import Synchronization

/// A number that only rises.
final class PrometheusCounter: CounterHandler, FloatingPointCounterHandler {
    private let whole: Atomic<Int64>
    /// What was added with a fraction; most counters have none.
    private let fraction = Locked(0.0)

    init(_ start: Double = 0) {
        whole = Atomic(Int64(start))
    }

    var value: Double { Double(whole.load(ordering: .relaxed)) + fraction.withLock { $0 } }

    func increment(by amount: Int64) {
        if amount > 0 { whole.wrappingAdd(amount, ordering: .relaxed) }
    }

    func increment(by amount: Double) {
        if amount > 0, amount.isFinite { fraction.withLock { $0 += amount } }
    }

    func reset() {
        whole.store(0, ordering: .relaxed)
        fraction.withLock { $0 = 0 }
    }
}
