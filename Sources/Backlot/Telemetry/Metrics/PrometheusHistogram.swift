internal import BacklotHTTP
internal import CoreMetrics

/// How often values were of which size.
final class PrometheusHistogram: RecorderHandler, TimerHandler {
    struct Counts: Equatable {
        /// How many values were in each bucket, and not in one before it; the last is for those above all bounds.
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
