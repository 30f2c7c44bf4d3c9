import Backlot
import BacklotOTLP

/// Code of the article "OpenTelemetry".
enum OpenTelemetryCode {
    static func run() async throws {
        let logger = LogOutput.standardError.logger(label: "clinic")
        let metrics = PrometheusMetrics()
        guard let settings = try OTLPSettings(serviceName: "clinic") else { return }  // no endpoint is set
        let exporter = OTLPExporter(settings, metrics: metrics, logger: logger)
        exporter.bootstrap()  // for libraries that trace, measure and log by themselves
        let router = Router()
        router.use(Telemetry(logger: exporter.logger(besides: logger), metrics: metrics, tracer: exporter.tracer))
        let server = Server(router)
        try await exporter.run { try await server.run() }  // at its end it sends the rest, for at most 1 s
    }
}
