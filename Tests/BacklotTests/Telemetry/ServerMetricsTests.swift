import Logging
import TestSupport
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct ServerMetricsTests {
    @Test func `Connections and bytes are counted`() async throws {
        let metrics = PrometheusMetrics()
        let own = ServerMetrics(metrics)
        metrics.beforeReading { await own.update() }
        let router = Router()
        router.get("/") { _ in .text("hello") }
        var server = Server(router, port: 0, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        server.onRunning = { own.observe($0) }
        try await server.serve { address in
            let client = try await RawClient.connect(to: address)
            let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
            try await client.send(request)
            let response = try await client.receive()
            let text = await metrics.text()
            #expect(text.contains("\nhttp_server_open_connections 1\n"), "\(text)")
            #expect(text.contains("\nhttp_server_buffered_bytes 0\n"), "\(text)")
            #expect(text.contains("\nhttp_server_received_bytes_total \(request.utf8.count)\n"), "\(text)")
            let head = response.fields.reduce("HTTP/1.1 200 OK\r\n\r\n".utf8.count) {
                $0 + $1.name.utf8.count + $1.value.utf8.count + 4
            }
            #expect(text.contains("\nhttp_server_sent_bytes_total \(head + response.body.count)\n"), "\(text)")
            let memory = text.split(separator: "\n").first { $0.hasPrefix("process_resident_memory_bytes ") }
            #expect(memory.flatMap { Double($0.split(separator: " ")[1]) } ?? 0 > 1e6, "\(text)")
            let cpu = text.split(separator: "\n").first { $0.hasPrefix("process_cpu_seconds_total ") }
            #expect(cpu.flatMap { Double($0.split(separator: " ")[1]) } ?? 0 > 0, "\(text)")
            func number(_ name: String) -> Double {
                let line = text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
                return line.flatMap { Double($0.split(separator: " ")[1]) } ?? -1
            }
            #expect(number("process_open_fds") > 3, "\(text)")
            #expect(number("process_start_time_seconds") > 1_700_000_000, "\(text)")
            #expect(number("log_dropped_lines_total") >= 0, "\(text)")
            try await client.send(request)
            _ = try await client.receive()
            let later = await metrics.text()
            #expect(later.contains("\nhttp_server_received_bytes_total \(2 * request.utf8.count)\n"), "\(later)")
            await client.close()
        }
        // The server is gone; what was counted stays.
        let text = await metrics.text()
        #expect(text.contains("http_server_received_bytes_total"))
    }

    @Test func `Of two readings at once, the older counts nothing`() async {
        let metrics = PrometheusMetrics()
        let own = ServerMetrics(metrics)
        for count in [100, 150, 100, 160] {
            var reading = ServerStatistics()
            (reading.bytesReceived, reading.bytesSent, reading.refusals) = (count, 2 * count, [.malformed: count])
            own.add(reading, of: nil)
        }
        let text = await metrics.text()
        #expect(text.contains("\nhttp_server_received_bytes_total 160\n"), "\(text)")
        #expect(text.contains("\nhttp_server_sent_bytes_total 320\n"), "\(text)")
        #expect(text.contains("\nhttp_server_refused_requests_total{reason=\"malformed\"} 160\n"), "\(text)")
    }

    @Test func `Sessions are counted if the store can count them`() async throws {
        let metrics = PrometheusMetrics()
        let store = MemorySessionStore()
        let own = SessionMetrics(of: store, metrics)
        metrics.beforeReading { await own.update() }
        #expect(await metrics.text() == "# TYPE sessions gauge\nsessions 0\n")
        let router = Router()
        router.group("/", SessionMiddleware(path: "/", store: store)) { app in
            app.get("/log_in") { request in
                try await request.session.logIn(user: "ada")
                return Response()
            }
        }
        let handler = router.handler()
        _ = try await handler(try Request(.get, "/log_in"))
        #expect(await metrics.text() == "# TYPE sessions gauge\nsessions 1\n")
    }

    /// A registry is freed, although it calls metrics that report to it.
    @Test func `Metrics go with their server`() async {
        func measure() async -> Weak {
            let metrics = PrometheusMetrics()
            let (server, sessions) = (ServerMetrics(metrics), SessionMetrics(of: MemorySessionStore(), metrics))
            metrics.beforeReading { await server.update() }
            metrics.beforeReading { await sessions.update() }
            #expect(await metrics.text().contains("\nsessions 0\n"))
            return Weak(metrics)
        }
        #expect(await measure().object == nil)
    }
}
