internal import CoreMetrics
internal import Synchronization

/// Writes metrics in Prometheus' text format.
struct PrometheusText {
    private(set) var text = ""

    mutating func write(_ metric: MetricReading) {
        let name = metric.name
        if let help = metric.help { text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n" }
        text += "# TYPE \(name) \(metric.kind.type)\n"
        for series in metric.series {
            let labels = series.dimensions.map {
                "\(PrometheusName.label($0))=\"\(Self.escaped($1, quotes: true))\""
            }
            switch series.value {
            case .number(let number): write(name, labels, number)
            case .histogram(let bounds, let buckets, let sum):
                var count = 0
                for (index, inBucket) in buckets.enumerated() {
                    count += inBucket
                    let bound = index < bounds.count ? Self.number(bounds[index]) : "+Inf"
                    write("\(name)_bucket", labels + ["le=\"\(bound)\""], Double(count))
                }
                write("\(name)_sum", labels, sum)
                write("\(name)_count", labels, Double(count))
            }
        }
    }

    private mutating func write(_ name: String, _ labels: [String], _ value: Double) {
        text += name
        if !labels.isEmpty { text += "{\(labels.joined(separator: ","))}" }
        text += " \(Self.number(value))\n"
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}

/// Valid names for Prometheus.
enum PrometheusName {
    /// The name of a metric: `[a-zA-Z_:][a-zA-Z0-9_:]*`.
    static func metric(_ text: String) -> String { made(of: text, also: ":") }

    /// The name of a label: `[a-zA-Z_][a-zA-Z0-9_]*`.
    static func label(_ text: String) -> String { made(of: text, also: "_") }

    private static func made(of text: String, also other: Unicode.Scalar) -> String {
        var name = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isDigit = ("0"..."9").contains(scalar)
            let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
            if isDigit, name.isEmpty { name.append("_") }
            name.append(isDigit || isLetter || scalar == other ? scalar : "_")
        }
        return name.isEmpty ? "_" : String(name)
    }
}

/// The values of a metric at one moment, for formats other than Prometheus'.
package struct MetricReading: Sendable {
    /// The kinds of metrics.
    package enum Kind: Sendable {
        case counter
        case gauge
        case histogram
        /// A histogram of seconds.
        case timer
    }

    /// One combination of the dimensions' values.
    package struct Series: Sendable {
        /// Names and values, sorted by name.
        package let dimensions: [(String, String)]
        package let value: Value
    }

    /// The value of a series.
    package enum Value: Sendable, Equatable {
        case number(Double)
        /// The upper bounds of all buckets except the last, the number of values in each bucket, and the sum of the values.
        case histogram(bounds: [Double], buckets: [Int], sum: Double)
    }

    /// As in `Counter(label:)`.
    package let label: String
    /// The meaning of the metric, for people; nil if it has no description.
    package let help: String?
    package let kind: Kind
    package let series: [Series]

    /// The name on the wire, with the suffix of its kind.
    var name: String { kind.name(for: PrometheusName.metric(label)) }
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

    /// The type's name in Prometheus.
    var type: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram, .timer: "histogram"
        }
    }
}

/// One combination of the dimensions' values of a metric.
protocol MetricSeries: Sendable {
    /// The current value.
    var reading: MetricReading.Value { get }
}

/// A number that only rises.
final class PrometheusCounter: MetricSeries, CounterHandler, FloatingPointCounterHandler {
    private let whole = Atomic<Int64>(0)
    /// The sum of the fractional values; most counters get only integers.
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
    /// The upper bounds of all buckets except the last.
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
