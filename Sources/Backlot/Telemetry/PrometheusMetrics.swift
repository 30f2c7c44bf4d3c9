public import CoreMetrics
package import Tracing

/// Keeps the metrics of a program and writes them in Prometheus' text format, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
///
/// ```swift
/// let metrics = PrometheusMetrics()
/// metrics.bootstrap()                       // for libraries, and for Counter(label: "orders") of your own
/// router.use(Telemetry(metrics: metrics))
/// router.metrics(metrics, access)
/// ```
/// Counters get the suffix `_total`. Timers are histograms in seconds, with the suffix `_seconds`. Recorders that aggregate are
/// histograms too; other recorders and meters are gauges. Invalid characters in names become `_`.
///
/// Metrics with one name must have one kind and the same label names. Others aren't exported, and neither are series beyond the
/// limit: `metrics_refused_total` counts them.
public final class PrometheusMetrics: MetricsFactory {
    /// The default upper bounds of timers' buckets, in seconds: from 0.1 ms to 10 s.
    public static let seconds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// All series of one name.
    private struct Family {
        /// As in `Counter(label:)`.
        let label: String
        let kind: MetricReading.Kind
        /// Sorted.
        let labelNames: [String]
        /// The names of the labels' dimensions, in the same order.
        let dimensionNames: [String]
        /// The series by the values of their labels, in the order of the labels' names.
        var series: [[String]: any MetricSeries] = [:]
    }

    private struct State {
        var families: [String: Family] = [:]
        var series = 0
        var refused = 0
        var help: [String: String] = [:]

        /// All metrics, sorted by name, and after them the number of those that were refused.
        var readings: [MetricReading] {
            let kept: [MetricReading] = families.sorted { $0.key < $1.key }.map { name, family in
                let series = family.series.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { values, series in
                    MetricReading.Series(
                        dimensions: Array(zip(family.dimensionNames, values)),
                        value: series.reading
                    )
                }
                let help = help[PrometheusName.metric(family.label)] ?? help[name]
                return MetricReading(label: family.label, help: help, kind: family.kind, series: series)
            }
            guard refused > 0 else { return kept }
            let count = MetricReading(
                label: "metrics.refused",
                help: "Metrics that were not kept: too many, or of another kind than the first with that name.",
                kind: .counter,
                series: [MetricReading.Series(dimensions: [], value: .number(Double(refused)))]
            )
            return kept + [count]
        }
    }

    /// Makes this the destination of all metrics from swift-metrics, such as `Counter(label: "orders")`. Call it once in a program.
    public func bootstrap() { MetricsSystem.bootstrap(self) }

    /// The start of counting, in nanoseconds since 1970-01-01 in UTC.
    package let start = DefaultTracerClock.Timestamp.current.nanosecondsSinceEpoch
    private let buckets: [Double]
    private let limit: Int
    private let state = Locked(State())
    private let collectors = Locked<[@Sendable () async -> Void]>([])

    /// Creates an empty registry.
    ///
    /// - Parameters:
    ///   - buckets: the upper bounds of histograms' buckets, in rising order; in seconds for timers.
    ///   - limit: the maximum number of series. Each combination of labels' values is one, and each histogram too.
    public init(buckets: [Double] = PrometheusMetrics.seconds, limit: Int = 10_000) {
        precondition(
            zip(buckets, buckets.dropFirst()).allSatisfy(<) && buckets.allSatisfy(\.isFinite),
            "the bounds of buckets must rise, but are \(buckets)"
        )
        self.buckets = buckets
        self.limit = limit
    }

    /// Describes a metric, in a line of `# HELP`.
    ///
    /// - Parameter label: as in `Counter(label:)`.
    public func describe(_ label: String, _ help: String) {
        let name = PrometheusName.metric(label)
        state.withLock { $0.help[name] = help }
    }

    /// Calls `collect` before each reading, for values that are measured only when needed.
    public func beforeReading(_ collect: @escaping @Sendable () async -> Void) {
        collectors.withLock { $0.append(collect) }
    }

    /// All metrics, in Prometheus' text format.
    public func text() async -> String {
        let readings = await readings()
        var text = PrometheusText()
        for metric in readings { text.write(metric) }
        return text.text
    }

    /// All metrics, sorted by name, for other formats. The number of refused metrics is the last.
    package func readings() async -> [MetricReading] {
        await collect()
        return state.withLock { $0.readings }
    }

    private func collect() async {
        for collect in collectors.withLock({ $0 }) { await collect() }
    }

    // MARK: MetricsFactory

    /// Returns the counter with a name and dimensions, and makes it if necessary.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, .counter, dimensions, PrometheusCounter())
    }

    /// Returns the counter with a name and dimensions, and makes it if necessary.
    public func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, .counter, dimensions, PrometheusCounter())
    }

    /// Returns the gauge with a name and dimensions, and makes it if necessary.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, .gauge, dimensions, PrometheusGauge())
    }

    /// Sets a gauge.
    package func set(_ label: String, _ dimensions: [(String, String)] = [], to value: Double) {
        makeMeter(label: label, dimensions: dimensions).set(value)
    }

    /// Returns a histogram if values are to be aggregated, and otherwise a gauge. It makes one if necessary.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        aggregate
            ? series(label, .histogram, dimensions, PrometheusHistogram(buckets: buckets))
            : series(label, .gauge, dimensions, PrometheusGauge())
    }

    /// Returns the histogram of seconds with a name and dimensions, and makes it if necessary.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, .timer, dimensions, PrometheusHistogram(buckets: buckets))
    }

    /// Does nothing: Prometheus expects a series to stay.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing: Prometheus expects a series to stay.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Does nothing: Prometheus expects a series to stay.
    public func destroyMeter(_ handler: any MeterHandler) {}
    /// Does nothing: Prometheus expects a series to stay.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing: Prometheus expects a series to stay.
    public func destroyTimer(_ handler: any TimerHandler) {}

    /// The series with a name and labels; an unregistered one if it can't be kept.
    private func series<Series: MetricSeries>(
        _ label: String,
        _ kind: MetricReading.Kind,
        _ dimensions: [(String, String)],
        _ new: @autoclosure () -> Series
    ) -> Series {
        let name = kind.name(for: PrometheusName.metric(label))
        let labels = dimensions.map { (name: PrometheusName.label($0.0), dimension: $0) }.sorted { $0.name < $1.name }
        let names = labels.map(\.name)
        let values = labels.map(\.dimension.1)
        return state.withLock { state in
            let family =
                state.families[name]
                ?? Family(label: label, kind: kind, labelNames: names, dimensionNames: labels.map(\.dimension.0))
            let isAlike = family.kind == kind && family.labelNames == names
            if isAlike, let known = family.series[values] as? Series { return known }
            let new = new()
            guard isAlike, Set(names).count == names.count, state.series < limit else {
                state.refused += 1
                return new
            }
            state.series += 1
            state.families[name, default: family].series[values] = new
            return new
        }
    }
}

extension Routes {
    /// Adds a route for `GET` that returns the metrics in Prometheus' text format.
    ///
    /// ```swift
    /// router.metrics(metrics, LocalAccess(host: "127.0.0.1"))
    /// ```
    /// - Parameters:
    ///   - path: the path of the route.
    ///   - access: the clients that may read them; others get a 404. nil: all clients, for a port that strangers can't reach.
    public func metrics(_ metrics: PrometheusMetrics, at path: String = "/metrics", _ access: LocalAccess?) {
        get(path) { request in
            if let refusal = access?.refusal(of: request) { throw refusal }
            var response = Response(body: .bytes(Array(await metrics.text().utf8)))
            response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
            response.headers[.cacheControl] = "no-store"
            return response
        }
    }
}

extension DefaultTracerClock.Timestamp {
    /// The current time. `DefaultTracerClock.now` ends the program while the clock shows a time before 1970.
    package static var current: Self { Self(FileTime.now) }

    /// A time; the start of 1970 for an earlier one.
    init(_ time: FileTime) {
        let isEarly = time.seconds < 0
        self.init(
            nanosecondsSinceEpoch: isEarly ? 0 : UInt64(time.seconds) &* 1_000_000_000 &+ UInt64(time.nanoseconds)
        )
    }
}
