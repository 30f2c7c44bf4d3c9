import Backlot
import BacklotOTLP
import Logging
import Tracing

/// A server that sends spans, metrics and logs, for the receiver that decodes them. Its argument is the time limit for sending the
/// last ones at its stop, in seconds.
@main
struct Clinic {
    static func main() async throws {
        let logger = LogOutput.standardError.logger(label: "clinic", format: .json)
        let metrics = PrometheusMetrics()
        let settings: OTLPSettings?
        do throws(OTLPSettingsError) {
            settings = try OTLPSettings(serviceName: "clinic")
        } catch {
            return print(error)
        }
        guard var settings else { return print("nothing is sent") }
        let argument = CommandLine.arguments.dropFirst().first
        if let seconds = argument.flatMap({ Int($0) }) { settings.patience = .seconds(seconds) }
        let exporter = OTLPExporter(settings, metrics: metrics, logger: logger)
        exporter.bootstrap()
        try await exporter.run {
            let router = Self.router(exporter, logger, metrics)
            try await Server(router, port: 0, logger: logger).run()
        }
    }

    private static func router(_ exporter: OTLPExporter, _ logger: Logger, _ metrics: PrometheusMetrics) -> Router {
        let router = Router()
        router.use(Telemetry(logger: exporter.logger(besides: logger), metrics: metrics, tracer: exporter.tracer))
        router.get("/patients/{id}") { request in
            try await withSpan("look up", ofKind: .client) { span in
                span.attributes["db.system.name"] = "sqlite"
                _ = try await request.body.collect()
                span.addEvent("found")
                Logger(label: "records").notice("a patient is looked up", metadata: ["password": "12345"])
                return .text("a patient")
            }
        }
        router.get("/broken") { _ in throw Broken() }
        // The records of a call to another service.
        router.get("/outgoing") { _ in
            var fields: [String: String] = [:]
            InstrumentationSystem.instrument.inject(ServiceContext.current ?? .topLevel, into: &fields, using: Fields())
            return .text(fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\n" }.joined())
        }
        router.metrics(metrics, nil)
        return router
    }

    private struct Broken: Error {}

    private struct Fields: Injector {
        func inject(_ value: String, forKey key: String, into fields: inout [String: String]) { fields[key] = value }
    }
}
