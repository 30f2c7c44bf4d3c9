internal import Backlot

/// A metric of `/metrics`, with the name and unit of OpenTelemetry's conventions.
extension MetricReading {
    /// The fields of the protocol's `Metric`.
    ///
    /// - Parameters:
    ///   - start: the start of the metric, in nanoseconds since 1970-01-01 in UTC.
    ///   - time: the current time, in the same unit.
    func message(start: UInt64, time: UInt64) -> OTLPMessage {
        let convention = MetricConvention(label, kind)
        var message = [OTLPField(1, "name", .string(convention.name))]
        message.add(2, "description", help ?? "")
        message.add(3, "unit", convention.unit)
        let points = series.map { $0.point(start, time) }
        var data = [OTLPField(1, "dataPoints", .messages(points))]
        // The protocol's number for cumulative values.
        let temporality = OTLPField(2, "aggregationTemporality", .small(2))
        switch kind {
        case .gauge: message.append(OTLPField(5, "gauge", .message(data)))
        case .counter:
            data += [temporality, OTLPField(3, "isMonotonic", .bool(true))]
            message.append(OTLPField(7, "sum", .message(data)))
        case .histogram, .timer:
            data.append(temporality)
            message.append(OTLPField(9, "histogram", .message(data)))
        }
        return message
    }
}

extension MetricReading.Series {
    fileprivate func point(_ start: UInt64, _ time: UInt64) -> OTLPMessage {
        let attributes = dimensions.map { OTLPMessage.attribute($0.0, $0.1) }
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

/// A metric's name and unit in OpenTelemetry's conventions (https://opentelemetry.io/docs/specs/semconv/general/metrics/). Unlike
/// in Prometheus, the name doesn't contain the unit.
private struct MetricConvention {
    let name: String
    /// The unit in UCUM's notation; empty for a plain number.
    let unit: String

    private static let others = [
        "process.cpu.seconds": "process.cpu.time", "process.resident.memory.bytes": "process.memory.usage",
        "process.open.fds": "process.unix.file_descriptor.count",
    ]

    init(_ label: String, _ kind: MetricReading.Kind) {
        let suffixes = [".bytes": "By", ".seconds": "s"]
        let suffix = suffixes.first { label.hasSuffix($0.key) }
        unit = suffix?.value ?? (kind == .timer ? "s" : "")
        name = Self.others[label] ?? String(label.dropLast(suffix?.key.count ?? 0))
    }
}
