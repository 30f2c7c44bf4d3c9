internal import CoreMetrics
internal import Synchronization

/// One combination of the dimensions' values of a metric.
protocol MetricSeries: Sendable {
    /// What it says now.
    var reading: MetricReading.Value { get }
}

/// A number that only rises.
final class PrometheusCounter: MetricSeries, CounterHandler, FloatingPointCounterHandler {
    private let whole = Atomic<Int64>(0)
    /// What was added with a fraction; most counters have none.
    private let fraction = Locked(0.0)

    var reading: MetricReading.Value { .number(Double(whole.load(ordering: .relaxed)) + fraction.withLock { $0 }) }

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

/// A number that rises and falls.
final class PrometheusGauge: MetricSeries, MeterHandler, RecorderHandler {
    private let number = Locked(0.0)

    var reading: MetricReading.Value { .number(number.withLock { $0 }) }

    func set(_ value: Int64) { number.withLock { $0 = Double(value) } }
    func set(_ value: Double) { number.withLock { $0 = value } }
    func increment(by amount: Double) { number.withLock { $0 += amount } }
    func decrement(by amount: Double) { number.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }
}

/// Counts values by their size.
final class PrometheusHistogram: MetricSeries, RecorderHandler, TimerHandler {
    /// The upper bounds of all buckets but the last.
    private let bounds: [Double]
    private let counts: Locked<(buckets: [Int], sum: Double)>

    init(buckets bounds: [Double]) {
        self.bounds = bounds
        counts = Locked((Array(repeating: 0, count: bounds.count + 1), 0))
    }

    var reading: MetricReading.Value {
        counts.withLock { .histogram(bounds: bounds, buckets: $0.buckets, sum: $0.sum) }
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        counts.withLock {
            $0.buckets[index] += 1
            $0.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
}
