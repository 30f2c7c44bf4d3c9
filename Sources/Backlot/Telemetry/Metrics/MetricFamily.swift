/// All series of one name.
struct MetricFamily {
    enum Kind {
        case counter
        case gauge
        case histogram
        /// A histogram of seconds.
        case timer

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

    enum Series {
        case counter(PrometheusCounter)
        case gauge(PrometheusGauge)
        case histogram(PrometheusHistogram)
    }

    /// Without the suffix of its kind.
    let baseName: String
    let kind: Kind
    /// Sorted.
    let labelNames: [String]
    /// By the values of the labels, in the order of their names.
    var series: [[String]: Series]

    var name: String { kind.name(for: baseName) }
}
