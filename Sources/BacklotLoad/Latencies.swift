internal import Histogram

/// How long something took, how often: exact to a thousandth.
struct Latencies: Sendable {
    /// An hour, in microseconds.
    private static let most: UInt64 = 3_600_000_000
    private var histogram: Histogram<UInt32>

    /// - Parameter isCoarse: exact to a hundredth only, for short times.
    init(isCoarse: Bool = false) {
        histogram = Histogram(
            lowestDiscernibleValue: 1,
            highestTrackableValue: Self.most,
            numberOfSignificantValueDigits: isCoarse ? .two : .three
        )
    }

    /// Notes a time in nanoseconds, so many times; those above an hour are an hour.
    mutating func record(_ nanoseconds: Int64, count: Int = 1) {
        histogram.record(Swift.min(Self.most, UInt64(Swift.max(0, nanoseconds) / 1000)), count: UInt32(count))
    }

    /// Adds what another one holds, which is as exact.
    mutating func add(_ other: Latencies) {
        if other.count > 0 { histogram.add(other.histogram) }
    }

    mutating func reset() { histogram.reset() }

    /// How many times were noted.
    var count: Int { Int(histogram.totalCount) }

    /// The time that so many percent don't exceed, in nanoseconds; 0 without any.
    func value(_ percent: Double) -> Double {
        count == 0 ? 0 : Double(Swift.min(histogram.valueAtPercentile(percent), histogram.max)) * 1000
    }

    /// The longest time, in nanoseconds.
    var max: Double { count == 0 ? 0 : Double(histogram.max) * 1000 }

    /// The average, in nanoseconds.
    var mean: Double { count == 0 ? 0 : histogram.mean * 1000 }
}
