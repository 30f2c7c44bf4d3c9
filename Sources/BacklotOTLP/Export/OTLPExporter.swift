public import Backlot
internal import CoreMetrics
public import Logging
public import ServiceLifecycle
public import Tracing

/// Sends spans, metrics and logs to an OpenTelemetry collector, using OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp/).
///
/// ```swift
/// let metrics = PrometheusMetrics()
/// guard let settings = try OTLPSettings(serviceName: "clinic") else { return }
/// let exporter = OTLPExporter(settings, metrics: metrics, logger: logger)
/// exporter.bootstrap()                                        // for libraries that trace, measure and log by themselves
/// router.use(Telemetry(logger: exporter.logger(besides: logger), metrics: metrics, tracer: exporter.tracer))
/// try await exporter.run { try await Server(router).run() }   // sends the rest when the server has stopped
/// ```
/// The exporter is also a service of swift-service-lifecycle: list it before the server in the group, so that it stops after the
/// server.
///
/// Requests never wait for it. Records wait in bounded queues. Records without room, or that the collector rejects, are dropped and
/// counted in the metric `otlp.dropped`, by `signal`. After a temporary failure a request is sent again: after the time that the
/// collector asks for, or after a time that doubles. Each kind of failure is logged once, not for each request.
public final class OTLPExporter: Service {
    /// The tracer, which also reads and writes `traceparent` and `tracestate` (W3C Trace Context).
    public let tracer: any Tracer
    private let settings: OTLPSettings
    private let metrics: PrometheusMetrics
    private let logger: Logger
    private let spans: RecordExport<SpanRecord>?
    let logs: RecordExport<LogRecord>?
    private let metricSender: OTLPSender?

    /// Creates an exporter. It doesn't send anything yet.
    ///
    /// - Parameters:
    ///   - settings: the collector's address and the options.
    ///   - metrics: the metrics to send, which are the same as in `/metrics`.
    ///   - logger: logs the exporter's failures. Its lines must not go to the exporter.
    public init(_ settings: OTLPSettings, metrics: PrometheusMetrics, logger: Logger) {
        self.settings = settings
        self.metrics = metrics
        self.logger = logger
        metrics.describe("otlp.dropped", "Spans, metrics and log records that could not be sent.")
        func sender(_ signal: OTLPSignal, _ target: OTLPTarget?) -> OTLPSender? {
            target.map { target in
                let dimensions = [("signal", signal.rawValue)]
                let dropped = Counter(label: "otlp.dropped", dimensions: dimensions, factory: metrics)
                return OTLPSender(signal, target, dropped: dropped, logger: logger)
            }
        }
        let (resource, limits) = (settings.resource, settings.limits)
        spans = sender(.traces, settings.traces).map { sender in
            let queue = ExportQueue<SpanRecord>(settings.spanBatches, dropped: sender.dropped)
            return RecordExport(queue: queue, sender: sender) { spans in
                resource.request(.traces, ["backlot": spans.map { $0.message(limits) }])
            }
        }
        logs = sender(.logs, settings.logs).map { sender in
            let queue = ExportQueue<LogRecord>(settings.logBatches, dropped: sender.dropped)
            return RecordExport(queue: queue, sender: sender) { records in
                resource.request(.logs, Dictionary(grouping: records, by: \.scope).mapValues { $0.map(\.message) })
            }
        }
        metricSender = sender(.metrics, settings.metrics)
        tracer = OTLPTracer(sampler: settings.sampler, limits: limits, queue: spans?.queue)
    }

    // MARK: Inputs

    /// Makes all libraries of the program trace, measure and log through this exporter. Call it once, before any other bootstrap.
    ///
    /// - Parameter log: makes another log handler from a logger's label, for logs beside the collector; nil for lines on standard
    ///   error.
    public func bootstrap(log: (@Sendable (String) -> any LogHandler)? = nil) {
        InstrumentationSystem.bootstrap(tracer)
        MetricsSystem.bootstrap(metrics)
        let log = log ?? { LogOutput.standardError.logger(label: $0).handler }
        LoggingSystem.bootstrap { [self] label in logger(besides: Logger(label: label, factory: log)).handler }
    }

    /// A logger that sends its events and also writes them like `other`, with `trace-id` and `span-id`. Its level is that of
    /// `other`, unless it sets its `logLevel`.
    public func logger(besides other: Logger) -> Logger {
        guard let logs else { return other }
        var own = OTLPLogHandler(label: other.label, limits: settings.limits, queue: logs.queue)
        own.metadata = other.handler.metadata
        own.metadataProvider = other.handler.metadataProvider
        var written = other.handler
        written.metadataProvider = Self.traceIDs(with: written.metadataProvider)
        let handler = SendingLogHandler(written: written, sent: own)
        return Logger(label: other.label) { _ in handler }
    }

    /// The span of an event, as metadata for a log without OTLP.
    private static func traceIDs(with other: Logger.MetadataProvider?) -> Logger.MetadataProvider {
        Logger.MetadataProvider {
            var metadata = other?.get() ?? [:]
            if let span = ServiceContext.current?.spanIdentity {
                metadata["trace-id"] = .string(span.trace.hexadecimal)
                metadata["span-id"] = .string(span.span.hexadecimal)
            }
            return metadata
        }
    }

    // MARK: Sending

    /// Sends records until the service group shuts down, and then the rest, for at most 1 s.
    public func run() async {
        logger.info("OpenTelemetry: \(settings.summary)")
        await withTaskGroup { group in
            group.addTask { await self.work() }
            group.addTask {
                try? await gracefulShutdown()
                try? await Task.sleep(for: self.settings.patience)
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Sends records while a program runs, and then the rest, for at most 1 s.
    ///
    /// - Throws: the errors of the program.
    public func run(_ program: @escaping @Sendable () async throws -> Void) async throws {
        var group = ServiceGroupConfiguration(
            services: [
                .init(service: self),
                .init(
                    service: Program(run: program),
                    successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup
                ),
            ],
            logger: Logger(label: "otlp") { _ in SwiftLogNoOpLogHandler() }
        )
        group.maximumGracefulShutdownDuration = nil
        try await ServiceGroup(configuration: group).run()
    }

    private struct Program: Service {
        let run: @Sendable () async throws -> Void

        func run() async throws { try await run() }
    }

    /// Sends all waiting records. Returns when they are sent, or after a failure.
    public func flush() async {
        await withTaskGroup { group in
            group.addTask { await self.spans?.send() }
            group.addTask { await self.logs?.send() }
            group.addTask { await self.sendMetrics() }
        }
    }

    private func work() async {
        await withGracefulShutdownHandler {
            await withTaskGroup { group in
                if let spans { group.addTask { await spans.serve() } }
                if let logs { group.addTask { await logs.serve() } }
                if metricSender != nil { group.addTask { await self.serveMetrics() } }
            }
        } onGracefulShutdown: { [spans, logs] in
            spans?.queue.finish()
            logs?.queue.finish()
        }
    }

    private func serveMetrics() async {
        try? await cancelWhenGracefulShutdown { [self] in
            while true {
                try await Task.sleep(for: settings.metricInterval)
                await sendMetrics()
            }
        }
        await sendMetrics()
    }

    private func sendMetrics() async {
        guard let metricSender, !metricSender.isPaused else { return }
        let time = DefaultTracerClock.Timestamp.current.nanosecondsSinceEpoch
        let readings = await metrics.readings().map { $0.message(start: metrics.start, time: time) }
        guard !readings.isEmpty else { return }
        await metricSender.send(
            settings.resource.request(.metrics, ["backlot": readings]),
            within: settings.metricTimeout
        )
    }
}

extension OTLPExporter: CustomStringConvertible {
    /// The service's name in the messages of its group.
    public var description: String { "OTLP exporter" }
}
