internal import Backlot

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The settings for sending spans, metrics and logs, from OpenTelemetry's environment variables.
///
/// | variable | meaning |
/// |---|---|
/// | `OTEL_EXPORTER_OTLP_ENDPOINT` | the collector, such as `http://127.0.0.1:4318`; without one nothing is sent |
/// | `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, `…_METRICS_ENDPOINT`, `…_LOGS_ENDPOINT` | the whole URL of one signal |
/// | `OTEL_EXPORTER_OTLP_HEADERS` | header fields such as `authorization=Basic%20YTpi` |
/// | `OTEL_EXPORTER_OTLP_PROTOCOL` | `http/protobuf`, the default, or `http/json` |
/// | `OTEL_EXPORTER_OTLP_TIMEOUT` | the time limit of a request, in milliseconds; 10000 |
/// | `OTEL_EXPORTER_OTLP_COMPRESSION` | `gzip`, or `none`, the default |
/// | `OTEL_EXPORTER_OTLP_CERTIFICATE` | a PEM file with the trusted authorities, instead of the system's |
/// | `OTEL_TRACES_EXPORTER`, `OTEL_METRICS_EXPORTER`, `OTEL_LOGS_EXPORTER` | `otlp`, or `none` to leave a signal out |
/// | `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES` | the name and description of this program: `team=web,region=north` |
/// | `OTEL_TRACES_SAMPLER`, `OTEL_TRACES_SAMPLER_ARG` | the choice of recorded traces; `parentbased_always_on` |
/// | `OTEL_BSP_SCHEDULE_DELAY`, `…_MAX_QUEUE_SIZE`, `…_MAX_EXPORT_BATCH_SIZE`, `…_EXPORT_TIMEOUT` | batches of spans |
/// | `OTEL_BLRP_…` | the same for logs |
/// | `OTEL_METRIC_EXPORT_INTERVAL`, `OTEL_METRIC_EXPORT_TIMEOUT` | the time between two exports of metrics, and their time limit |
/// | `OTEL_ATTRIBUTE_COUNT_LIMIT`, `OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT` | limits of attributes; 128, and 8192 bytes |
/// | `OTEL_SDK_DISABLED` | `true` to send nothing |
///
/// The variables of `OTEL_EXPORTER_OTLP_` exist for one signal too, such as `OTEL_EXPORTER_OTLP_LOGS_HEADERS`.
/// https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ describes them all.
///
/// ```swift
/// if let settings = try OTLPSettings(serviceName: "clinic") {
///     router.use(Telemetry(tracer: OTLPExporter(settings, metrics: metrics, logger: logger).tracer))
/// }
/// ```
public struct OTLPSettings: Sendable {
    let traces: OTLPTarget?
    let metrics: OTLPTarget?
    let logs: OTLPTarget?
    let resource: OTLPResource
    let sampler: Sampler
    let limits: AttributeLimits
    let spanBatches: BatchBounds
    let logBatches: BatchBounds
    let metricInterval: Duration
    let metricTimeout: Duration
    /// The time limit for sending the last records when the program stops. Tests set a longer one.
    package var patience = Duration.seconds(1)

    /// The settings from the variables; nil without an endpoint, or if `OTEL_SDK_DISABLED` is `true`.
    ///
    /// - Parameters:
    ///   - environment: the variables.
    ///   - serviceName: the name of the program, unless the variables set one.
    /// - Throws: all mistakes in the variables.
    public init?(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        serviceName: String
    ) throws(OTLPSettingsError) {
        var variables = OTLPVariables(environment)
        let isDisabled = variables.flag("OTEL_SDK_DISABLED")
        if isDisabled { return nil }
        traces = OTLPTarget(.traces, &variables)
        metrics = OTLPTarget(.metrics, &variables)
        logs = OTLPTarget(.logs, &variables)
        // Without an endpoint, the other variables don't concern this program.
        if traces == nil, metrics == nil, logs == nil, variables.mistakes.isEmpty { return nil }
        resource = Self.resource(&variables, serviceName)
        sampler = Sampler(&variables)
        limits = AttributeLimits(
            count: variables.count("OTEL_ATTRIBUTE_COUNT_LIMIT", else: AttributeLimits().count),
            length: variables.count("OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", else: AttributeLimits().length)
        )
        spanBatches = BatchBounds("OTEL_BSP", delay: .seconds(5), &variables)
        logBatches = BatchBounds("OTEL_BLRP", delay: .seconds(1), &variables)
        metricInterval = variables.milliseconds("OTEL_METRIC_EXPORT_INTERVAL", else: .seconds(60))
        metricTimeout = variables.milliseconds("OTEL_METRIC_EXPORT_TIMEOUT", else: .seconds(30))
        guard variables.mistakes.isEmpty else { throw OTLPSettingsError(lines: variables.mistakes) }
    }

    /// The destinations of the records, for people: one URL for each signal.
    public var summary: String {
        [(OTLPSignal.traces, traces), (.metrics, metrics), (.logs, logs)]
            .compactMap { signal, target in target.map { "\(signal.records) to \($0.url)" } }
            .joined(separator: ", ")
    }

    private static func resource(_ variables: inout OTLPVariables, _ serviceName: String) -> OTLPResource {
        var values: [String: String] = [
            "service.name": serviceName,
            // It must differ even between two replicas on one machine.
            "service.instance.id": UUID().uuidString.lowercased(),
            "telemetry.sdk.language": "swift",
            "telemetry.sdk.name": "backlot",
            "telemetry.sdk.version": BacklotVersion.current,
        ]
        for (key, value) in variables.pairs("OTEL_RESOURCE_ATTRIBUTES") { values[key] = value }
        if let (_, name) = variables.text("OTEL_SERVICE_NAME") { values["service.name"] = name }
        return OTLPResource(attributes: values)
    }
}

/// The mistakes in OpenTelemetry's environment variables.
public struct OTLPSettingsError: Error, Equatable, CustomStringConvertible {
    /// One line for each mistake: the variable, its value, and the advice.
    public let lines: [String]

    /// The lines.
    public var description: String { lines.joined(separator: "\n") }
}

extension Sampler {
    fileprivate init(_ variables: inout OTLPVariables) {
        let argument = "OTEL_TRACES_SAMPLER_ARG"
        guard let name = variables.choice(Self.names, "OTEL_TRACES_SAMPLER") else {
            self = .usual
            return
        }
        let text = variables.text(argument)?.text
        var share = 1.0
        if name.hasSuffix("always_off") { share = 0 }
        if name.hasSuffix("traceidratio"), let text {
            share = Double(text) ?? .nan
            if !(0...1).contains(share) {
                variables.refuse(argument, text, "isn't a share of traces: write a number from 0 to 1, such as 0.25")
            }
        }
        self.init(share: share, followsParent: name.hasPrefix("parentbased_"))
    }
}

extension BatchBounds {
    fileprivate init(_ prefix: String, delay: Duration, _ variables: inout OTLPVariables) {
        self.delay = variables.milliseconds("\(prefix)_SCHEDULE_DELAY", else: delay)
        queue = variables.count("\(prefix)_MAX_QUEUE_SIZE", else: 2048)
        batch = variables.count("\(prefix)_MAX_EXPORT_BATCH_SIZE", else: min(512, queue))
        timeout = variables.milliseconds("\(prefix)_EXPORT_TIMEOUT", else: .seconds(30))
        if batch > queue {
            variables.refuse(
                "\(prefix)_MAX_EXPORT_BATCH_SIZE",
                "\(batch)",
                "is more than the queue takes: write at most \(queue), or set \(prefix)_MAX_QUEUE_SIZE"
            )
        }
    }
}
