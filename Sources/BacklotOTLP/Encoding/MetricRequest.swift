internal import Backlot
internal import Tracing

/// The metrics that are sent in one go: all that `/metrics` shows, under the names of OpenTelemetry's conventions where there are
/// some.
struct MetricRequest: OTLPRequest {
    let resource: OTLPResource
    /// Nanoseconds since 1970 began in UTC, when the metrics began to count.
    let start: UInt64
    let time: UInt64
    let readings: [MetricReading]

    init(resource: OTLPResource, metrics: PrometheusMetrics, readings: [MetricReading]) {
        self.resource = resource
        self.readings = readings
        start = metrics.start
        time = DefaultTracerClock.now.nanosecondsSinceEpoch
    }

    var count: Int { readings.count }

    func write<Encoder: OTLPEncoder & ~Copyable>(to encoder: inout Encoder) {
        resource.write(to: &encoder, .metrics, [(name: "backlot", records: readings)]) { write($1, to: &$0) }
    }

    private func write<Encoder: OTLPEncoder & ~Copyable>(_ reading: MetricReading, to encoder: inout Encoder) {
        let convention = MetricConvention.known[reading.label]
        encoder.string(OTLPField(1, "name"), convention?.name ?? reading.label)
        if let help = reading.help { encoder.string(OTLPField(2, "description"), help) }
        let points = OTLPField(1, "dataPoints")
        let cumulative = 2
        func attributes(_ series: MetricReading.Series) -> [Attribute] {
            series.dimensions.map { Attribute(convention?.attributes[$0.0] ?? $0.0, $0.1) }
        }
        switch reading.kind {
        case .gauge:
            encoder.message(OTLPField(5, "gauge")) {
                $0.messages(points, reading.series) { number($1, attributes($1), to: &$0) }
            }
        case .counter:
            encoder.message(OTLPField(7, "sum")) {
                $0.messages(points, reading.series) { number($1, attributes($1), to: &$0) }
                $0.small(OTLPField(2, "aggregationTemporality"), cumulative)
                $0.bool(OTLPField(3, "isMonotonic"), true)
            }
        case .histogram, .timer:
            if reading.kind == .timer { encoder.string(OTLPField(3, "unit"), "s") }
            encoder.message(OTLPField(9, "histogram")) {
                $0.messages(points, reading.series) { histogram($1, attributes($1), to: &$0) }
                $0.small(OTLPField(2, "aggregationTemporality"), cumulative)
            }
        }
    }

    private func number<Encoder: OTLPEncoder & ~Copyable>(
        _ series: MetricReading.Series,
        _ attributes: [Attribute],
        to encoder: inout Encoder
    ) {
        guard case .number(let number) = series.value else { return }
        encoder.fixed64(OTLPField(2, "startTimeUnixNano"), start)
        encoder.fixed64(OTLPField(3, "timeUnixNano"), time)
        encoder.double(OTLPField(4, "asDouble"), number)
        encoder.attributes(OTLPField(7, "attributes"), attributes)
    }

    private func histogram<Encoder: OTLPEncoder & ~Copyable>(
        _ series: MetricReading.Series,
        _ attributes: [Attribute],
        to encoder: inout Encoder
    ) {
        guard case .histogram(let bounds, let buckets, let sum) = series.value else { return }
        encoder.fixed64(OTLPField(2, "startTimeUnixNano"), start)
        encoder.fixed64(OTLPField(3, "timeUnixNano"), time)
        encoder.fixed64(OTLPField(4, "count"), UInt64(buckets.reduce(0, +)))
        encoder.double(OTLPField(5, "sum"), sum)
        encoder.counts(OTLPField(6, "bucketCounts"), buckets)
        encoder.doubles(OTLPField(7, "explicitBounds"), bounds)
        encoder.attributes(OTLPField(9, "attributes"), attributes)
    }
}

/// A metric's name and attributes by OpenTelemetry's conventions for HTTP servers
/// (https://opentelemetry.io/docs/specs/semconv/http/http-metrics/), where `/metrics` has others.
private struct MetricConvention {
    let name: String
    let attributes: [String: String]

    static let known = [
        "http.request.duration": MetricConvention(name: "http.server.request.duration", attributes: http),
        "http.requests": MetricConvention(name: "http.server.requests", attributes: http),
    ]
    private static let http = [
        "method": "http.request.method", "route": "http.route", "status": "http.response.status_code",
    ]
}
