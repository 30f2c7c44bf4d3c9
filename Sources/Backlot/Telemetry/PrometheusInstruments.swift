internal import CoreMetrics
internal import Synchronization

/// All series of one name.
struct MetricFamily {
    enum Series {
        case counter(PrometheusCounter)
        case gauge(PrometheusGauge)
        case histogram(PrometheusHistogram)
    }

    /// As in `Counter(label:)`.
    let label: String
    /// Without the suffix of its kind.
    let baseName: String
    let kind: MetricReading.Kind
    /// Sorted.
    let labelNames: [String]
    /// The names of the dimensions that the labels stand for, in the same order.
    let dimensionNames: [String]
    /// By the values of the labels, in the order of their names.
    var series: [[String]: Series]

    var name: String { kind.name(for: baseName) }
}

extension MetricReading.Kind {
    /// The name of the family on the wire.
    func name(for baseName: String) -> String {
        switch self {
        case .counter: baseName.hasSuffix("_total") ? baseName : "\(baseName)_total"
        case .timer: baseName.hasSuffix("_seconds") ? baseName : "\(baseName)_seconds"
        case .gauge, .histogram: baseName
        }
    }

    /// What Prometheus calls it.
    var type: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram, .timer: "histogram"
        }
    }
}

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

/// A number that rises and falls.
final class PrometheusGauge: MeterHandler, RecorderHandler {
    private let number = Locked(0.0)

    var value: Double { number.withLock { $0 } }

    func set(_ value: Int64) { number.withLock { $0 = Double(value) } }
    func set(_ value: Double) { number.withLock { $0 = value } }
    func increment(by amount: Double) { number.withLock { $0 += amount } }
    func decrement(by amount: Double) { number.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }
}

/// Counts values by their size.
final class PrometheusHistogram: RecorderHandler, TimerHandler {
    struct Counts: Equatable {
        /// How many values fell into each bucket; the last one takes those above all bounds.
        var buckets: [Int]
        var sum = 0.0
    }

    /// The upper bounds of all buckets but the last.
    let bounds: [Double]
    private let counts: Locked<Counts>

    init(buckets bounds: [Double]) {
        self.bounds = bounds
        counts = Locked(Counts(buckets: Array(repeating: 0, count: bounds.count + 1)))
    }

    var values: Counts { counts.withLock { $0 } }

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
