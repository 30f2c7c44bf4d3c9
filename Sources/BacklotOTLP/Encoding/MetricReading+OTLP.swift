internal import Backlot

/// A metric as `/metrics` shows it, under the name of OpenTelemetry's conventions if they have one.
extension MetricReading {
    /// The fields of the protocol's `Metric`.
    ///
    /// - Parameters:
    ///   - start: nanoseconds since 1970 began in UTC, when the metric began to count.
    ///   - time: the same for now.
    func message(start: UInt64, time: UInt64) -> OTLPMessage {
        let convention = MetricConvention.known[label]
        var message = [OTLPField(1, "name", .string(convention?.name ?? label))]
        message.add(2, "description", help ?? "")
        let points = series.map { $0.point(start, time, convention) }
        var data = [OTLPField(1, "dataPoints", .messages(points))]
        // Cumulative.
        let temporality = OTLPField(2, "aggregationTemporality", .small(2))
        switch kind {
        case .gauge: message.append(OTLPField(5, "gauge", .message(data)))
        case .counter:
            data += [temporality, OTLPField(3, "isMonotonic", .bool(true))]
            message.append(OTLPField(7, "sum", .message(data)))
        case .histogram, .timer:
            if kind == .timer { message.add(3, "unit", "s") }
            data.append(temporality)
            message.append(OTLPField(9, "histogram", .message(data)))
        }
        return message
    }
}

extension MetricReading.Series {
    fileprivate func point(_ start: UInt64, _ time: UInt64, _ convention: MetricConvention?) -> OTLPMessage {
        let attributes = dimensions.map { OTLPMessage.attribute(convention?.attributes[$0.0] ?? $0.0, $0.1) }
        var point = [
            OTLPField(2, "startTimeUnixNano", .fixed64(start)), OTLPField(3, "timeUnixNano", .fixed64(time)),
        ]
        switch value {
        case .number(let number):
            point.append(OTLPField(4, "asDouble", .double(number)))
            point.add(7, attributes: attributes)
        case .histogram(let bounds, let buckets, let sum):
            point.append(OTLPField(4, "count", .fixed64(UInt64(buckets.reduce(0, +)))))
            point.append(OTLPField(5, "sum", .double(sum)))
            point.append(OTLPField(6, "bucketCounts", .counts(buckets.map { UInt64($0) })))
            point.append(OTLPField(7, "explicitBounds", .doubles(bounds)))
            point.add(9, attributes: attributes)
        }
        return point
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
