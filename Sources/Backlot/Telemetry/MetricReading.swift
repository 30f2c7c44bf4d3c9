/// What a metric says at one moment, for those who write it in another format than Prometheus'.
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

    /// What a series says.
    package enum Value: Sendable {
        case number(Double)
        /// The upper bounds of all buckets but the last, how many values fell into each, and their sum.
        case histogram(bounds: [Double], buckets: [Int], sum: Double)
    }

    /// As in `Counter(label:)`.
    package let label: String
    /// What the metric is, for people; nil where nobody has said it.
    package let help: String?
    package let kind: Kind
    package let series: [Series]

    init(_ family: MetricFamily, help: String?) {
        label = family.label
        self.help = help
        kind = family.kind
        series = family.series.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { values, series in
            Series(dimensions: Array(zip(family.dimensionNames, values)), value: Value(series))
        }
    }
}

extension MetricReading.Value {
    fileprivate init(_ series: MetricFamily.Series) {
        switch series {
        case .counter(let counter): self = .number(counter.value)
        case .gauge(let gauge): self = .number(gauge.value)
        case .histogram(let histogram):
            let values = histogram.values
            self = .histogram(bounds: histogram.bounds, buckets: values.buckets, sum: values.sum)
        }
    }
}
