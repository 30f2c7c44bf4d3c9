public import CoreMetrics
internal import Tracing

/// Keeps the metrics of a program and writes them in Prometheus' text format, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
///
/// ```swift
/// let metrics = PrometheusMetrics()
/// MetricsSystem.bootstrap(metrics)          // for libraries that make metrics by themselves
/// router.use(Telemetry(metrics: metrics))
/// router.metrics(metrics, access)
/// ```
/// Counters get the suffix `_total`. Timers are histograms in seconds, with the suffix `_seconds`; recorders that aggregate are
/// histograms too, others are gauges, as meters are. Characters that no name may have become `_`. Metrics of one name must be of
/// one kind and have the same names of labels; others are not exported, and counted in `metrics_refused_total`, as are those
/// beyond the limit of series.
public final class PrometheusMetrics: MetricsFactory {
    /// The upper bounds of timers' buckets, in seconds, if nothing else is asked for: from 1 ms to 10 s.
    public static let seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private struct State {
        var families: [String: MetricFamily] = [:]
        var series = 0
        var refused = 0
        var help: [String: String] = [:]
    }

    /// When it began to count, in nanoseconds since 1970 began in UTC.
    package let start = DefaultTracerClock.now.nanosecondsSinceEpoch
    private let buckets: [Double]
    private let limit: Int
    private let state = Locked(State())
    private let collectors = Locked<[@Sendable () async -> Void]>([])

    /// An empty registry.
    ///
    /// - Parameters:
    ///   - buckets: the upper bounds of histograms' buckets, rising; in seconds for timers.
    ///   - limit: how many series are kept at most: each combination of labels' values is one, and so is each histogram.
    public init(buckets: [Double] = PrometheusMetrics.seconds, limit: Int = 10_000) {
        precondition(
            zip(buckets, buckets.dropFirst()).allSatisfy(<) && buckets.allSatisfy(\.isFinite),
            "the bounds of buckets must rise, but are \(buckets)"
        )
        self.buckets = buckets
        self.limit = limit
    }

    /// Says what a metric is, in a line of `# HELP`.
    ///
    /// - Parameter label: as in `Counter(label:)`.
    public func describe(_ label: String, _ help: String) {
        let name = PrometheusName.metric(label)
        state.withLock { $0.help[name] = help }
    }

    /// Calls `collect` before each time the metrics are read: for values that are measured only when they are read.
    public func beforeReading(_ collect: @escaping @Sendable () async -> Void) {
        collectors.withLock { $0.append(collect) }
    }

    /// All metrics, as Prometheus reads them.
    public func text() async -> String {
        await collect()
        return state.withLock { state in
            var text = PrometheusText()
            for (name, family) in state.families.sorted(by: { $0.key < $1.key }) {
                text.write(family, help: state.help[family.baseName] ?? state.help[name])
            }
            if state.refused > 0 {
                let refused = MetricFamily(
                    label: "metrics.refused",
                    baseName: "metrics_refused",
                    kind: .counter,
                    labelNames: [],
                    dimensionNames: [],
                    series: [[]: .counter(PrometheusCounter(Double(state.refused)))]
                )
                text.write(
                    refused,
                    help: "Metrics that were not kept: too many, or of the kind of no other with that name."
                )
            }
            return text.text
        }
    }

    /// All metrics, for those who write them in another format; sorted by their names.
    package func readings() async -> [MetricReading] {
        await collect()
        return state.withLock { state in
            state.families.sorted { $0.key < $1.key }.map { name, family in
                MetricReading(family, help: state.help[family.baseName] ?? state.help[name])
            }
        }
    }

    private func collect() async {
        for collect in collectors.withLock({ $0 }) { await collect() }
    }

    // MARK: MetricsFactory

    /// Makes a counter, or finds the one of that name and dimensions.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        counter(label, dimensions)
    }

    /// Makes a counter, or finds the one of that name and dimensions.
    public func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        counter(label, dimensions)
    }

    /// Makes a gauge, or finds the one of that name and dimensions.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gauge(label, dimensions)
    }

    /// Makes a histogram where values are to be aggregated, and else a gauge; or finds it.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        aggregate ? histogram(label, .histogram, dimensions) : gauge(label, dimensions)
    }

    /// Makes a histogram of seconds, or finds the one of that name and dimensions.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, .timer, dimensions)
    }

    /// Does nothing: Prometheus wants a series to stay.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing: Prometheus wants a series to stay.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Does nothing: Prometheus wants a series to stay.
    public func destroyMeter(_ handler: any MeterHandler) {}
    /// Does nothing: Prometheus wants a series to stay.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing: Prometheus wants a series to stay.
    public func destroyTimer(_ handler: any TimerHandler) {}

    private func counter(_ label: String, _ dimensions: [(String, String)]) -> PrometheusCounter {
        if case .counter(let counter) = series(label, .counter, dimensions, { .counter(PrometheusCounter()) }) {
            return counter
        }
        return PrometheusCounter()
    }

    private func gauge(_ label: String, _ dimensions: [(String, String)]) -> PrometheusGauge {
        if case .gauge(let gauge) = series(label, .gauge, dimensions, { .gauge(PrometheusGauge()) }) { return gauge }
        return PrometheusGauge()
    }

    private func histogram(
        _ label: String,
        _ kind: MetricReading.Kind,
        _ dimensions: [(String, String)]
    ) -> PrometheusHistogram {
        let series = series(label, kind, dimensions) { .histogram(PrometheusHistogram(buckets: buckets)) }
        if case .histogram(let histogram) = series { return histogram }
        return PrometheusHistogram(buckets: buckets)
    }

    /// The series of that name and labels; nil when it can't be kept.
    private func series(
        _ label: String,
        _ kind: MetricReading.Kind,
        _ dimensions: [(String, String)],
        _ make: () -> MetricFamily.Series
    ) -> MetricFamily.Series? {
        let baseName = PrometheusName.metric(label)
        let name = kind.name(for: baseName)
        let labels = dimensions.map { (name: PrometheusName.label($0.0), dimension: $0) }.sorted { $0.name < $1.name }
        let names = labels.map(\.name)
        let values = labels.map(\.dimension.1)
        return state.withLock { state in
            let family =
                state.families[name]
                ?? MetricFamily(
                    label: label,
                    baseName: baseName,
                    kind: kind,
                    labelNames: names,
                    dimensionNames: labels.map(\.dimension.0),
                    series: [:]
                )
            if let known = family.series[values], family.kind == kind, family.labelNames == names { return known }
            guard family.kind == kind, family.labelNames == names, Set(names).count == names.count,
                state.series < limit
            else {
                state.refused += 1
                return nil
            }
            let new = make()
            state.series += 1
            state.families[name, default: family].series[values] = new
            return new
        }
    }
}

extension Routes {
    /// Answers `GET` with the metrics in Prometheus' text format.
    ///
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
