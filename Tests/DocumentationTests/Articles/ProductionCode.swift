import Backlot

/// Code of the articles "Production" and "TLS".
enum ProductionCode {
    static func run(_ router: Router, _ store: any SessionStore, token: String) async throws {
        let metrics = PrometheusMetrics()
        let health = HealthChecks()
        health.add("sessions") { try await store.check() }

        router.use(Telemetry(logger: LogOutput.standardError.logger(label: "shop"), metrics: metrics))  // first
        router.health(health)  // /healthz and /readyz
        router.metrics(metrics, LocalAccess(host: "0.0.0.0", token: token))  // /metrics
        var server = Server(router, host: "0.0.0.0", port: 8080)
        server.onStopping = { health.stop() }
        try await server.run()
    }

    static func tls(_ router: Router) throws -> Server {
        let certificates = try TLSCertificates(certificateFile: "cert.pem", keyFile: "key.pem")
        var configuration = ServerConfiguration()
        configuration.tls = TLSConfiguration(certificates: certificates)
        let server = Server(router, host: "0.0.0.0", port: 8443, configuration: configuration)
        return server
    }
}
