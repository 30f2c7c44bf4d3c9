import Backlot
import Foundation
import TestSupport
import Testing

/// demo-server as its operators see it. They start the executable and block their thread.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct OperationsProcessTests {
    private static func port(_ line: String?) throws -> UInt16 {
        try #require(line?.firstMatch(of: /127\.0\.0\.1:(\d+)\//).flatMap { UInt16($0.output.1) })
    }

    private static func get(_ path: String, _ port: UInt16) async throws -> ReceivedResponse {
        let client = try await RawClient.connect(to: #require(SocketAddress(host: "127.0.0.1", port: port)))
        try await client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let response = try await client.receive()
        await client.close()
        return response
    }

    @Test func `Each request is a line of JSON, and counted`() async throws {
        let demo = try ServerProcess("demo-server", ["--port", "0"])
        let port = try Self.port(demo.firstLine())
        #expect(try await Self.get("/new_account?user=ada-lovelace", port).status == 200)
        #expect(try await Self.get("/nothing", port).status == 404)
        let metrics = try await Self.get("/metrics", port)
        let series =
            #"{http_request_method="GET",http_response_status_code="200",http_route="/new_account",url_scheme="http"}"#
        #expect(metrics.text.contains("http_server_request_duration_seconds_count\(series) 1\n"))
        #expect(metrics.text.contains(/\nbuild_info\{commit="\w+",version="\d+\.\d+\.\d+"\} 1\n/), "\(metrics.text)")
        // One that the server hasn't seen the end of may be among them.
        #expect(metrics.text.contains(/\nhttp_server_open_connections [123]\n/), "\(metrics.text)")
        demo.signal(SIGTERM)
        let outcome = demo.outcome()
        #expect(outcome.status == 0)
        let lines = try outcome.errors.split(separator: "\n").map {
            try #require(try JSONValue(parsing: Array($0.utf8)).object)
        }
        let messages = lines.compactMap { $0["message"]?.string }
        #expect(messages.contains("GET /new_account 200") && messages.contains("GET /nothing 404"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("ada-lovelace"))
    }

    @Test func `Administration on a port of its own is there alone, to the end`() async throws {
        let demo = try ServerProcess(
            "demo-server",
            ["--port", "0", "--admin-port", "0", "--drain-delay", "120", "--log-level", "error"]
        )
        let admin = try Self.port(demo.firstLine())
        let port = try Self.port(demo.nextLine())
        #expect(try await Self.get("/metrics", admin).status == 200)
        #expect(try await Self.get("/__admin/mappings", admin).status == 200)
        #expect(try await Self.get("/metrics", port).status == 404)
        #expect(try await Self.get("/__admin/mappings", port).status == 404)
        #expect(try await Self.get("/new_account", admin).status == 404)
        let ready = try await Self.get("/readyz", port)
        #expect(ready.status == 200 && ready.text == "ready")
        #expect(try await Self.get("/healthz", port).text == "success")
        demo.signal(SIGTERM)
        // Both still respond during the delay.
        var response = try await Self.get("/readyz", port)
        while response.status == 200 { response = try await Self.get("/readyz", port) }
        #expect(response.status == 503 && response.text == "not ready: the server stops")
        #expect(try await Self.get("/readyz", admin).status == 503)
        #expect(try await Self.get("/healthz", port).status == 200)
        // The delay is longer than this test takes on any machine.
        demo.signal(SIGKILL)
        #expect(demo.outcome().status == -SIGKILL)
        let brief = try ServerProcess("demo-server", ["--port", "0", "--admin-port", "0", "--drain-delay", "0.1"])
        _ = try Self.port(brief.firstLine())
        _ = try Self.port(brief.nextLine())
        brief.signal(SIGTERM)
        #expect(brief.outcome().status == 0)
    }

    @Test func `A store of feeds that is away makes the server unready, and other pages are served`() async throws {
        let feeds = "postgres://backlot@127.0.0.1:1/backlot"
        let demo = try ServerProcess("demo-server", ["--port", "0", "--feeds", feeds, "--log-level", "error"])
        let port = try Self.port(demo.firstLine())
        let ready = try await Self.get("/readyz", port)
        #expect(ready.status == 503 && ready.text == "not ready: the check of feeds failed")
        #expect(try await Self.get("/new_account", port).status == 200)
        let metrics = try await Self.get("/metrics", port).text
        #expect(metrics.contains(#"session_store_duration_seconds_count{operation="check"} 1"#), "\(metrics)")
        #expect(metrics.contains(#"session_store_errors_total{operation="check"} 0"#), "\(metrics)")
        let failures = try #require(
            metrics.firstMatch(of: /feed_store_errors_total\{operation="record"\} (\d+)/)?.output.1
        )
        #expect(Int(failures) ?? 0 > 0, "\(metrics)")
        #expect(metrics.contains(#"feed_store_errors_total{operation="search"} 0"#), "\(metrics)")
        demo.signal(SIGTERM)
        #expect(demo.outcome().status == 0)
    }

    @Test func `health asks the server of the same settings`() async throws {
        let demo = try ServerProcess("demo-server", ["--port", "0", "--host", "0.0.0.0", "--log-level", "error"])
        let line = try #require(demo.firstLine())
        let port = try #require(line.firstMatch(of: /:(\d+)\//)?.output.1)
        for arguments in [["health"], ["health", "--ready"]] {
            let environment = ["PORT": String(port), "HOST": "0.0.0.0"]
            let outcome = try ServerProcess("demo-server", arguments, environment: environment).outcome().withStatus(0)
            #expect(outcome.output == (arguments.count == 1 ? "success\n" : "ready\n"))
        }
        demo.signal(SIGTERM)
        #expect(demo.outcome().status == 0)
        let outcome = try ServerProcess("demo-server", ["health", "--port", String(port)]).outcome().withStatus(1)
        #expect(outcome.errors.contains("http://127.0.0.1:\(port)/healthz: there is no connection"))
        let free = try ServerProcess("demo-server", ["health", "--port", "0"]).outcome()
        #expect(free.status == 64 && free.errors.contains("write --port and the number"))
    }

    @Test func `health asks the port for administration where the other asks too much`() async throws {
        let options = ["--proxy-protocol", "127.0.0.0/8"]
        let demo = try ServerProcess(
            "demo-server",
            options + ["--port", "0", "--admin-port", "0", "--log-level", "error"]
        )
        let admin = try Self.port(demo.firstLine())
        let port = try Self.port(demo.nextLine())
        let asked = options + ["--port", "\(port)"]
        let health = try ServerProcess("demo-server", ["health", "--admin-port", "\(admin)"] + asked).outcome()
        #expect(health.status == 0 && health.output == "ok\n", "\(health)")
        let unable = try ServerProcess("demo-server", ["health"] + asked).outcome()
        #expect(unable.status == 64 && unable.errors.contains("set an --admin-port"), "\(unable)")
        demo.signal(SIGTERM)
        #expect(demo.outcome().status == 0)
    }

    @Test func `config shows each value and its place, and hides secrets`() throws {
        let outcome = try ServerProcess(
            "demo-server",
            ["config", "--drain-delay", "5", "--routes", "/"],
            environment: ["PORT": "9000", "ADMIN_TOKEN": "hunter2-hunter2"]
        ).outcome()
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true)
        }
        #expect(lines.contains(["drain-delay", "5", "--drain-delay"]))
        #expect(lines.contains(["port", "9000", "PORT", "in", "the", "environment"]))
        #expect(lines.contains(["admin-token", "(hidden)", "ADMIN_TOKEN", "in", "the", "environment"]))
        #expect(lines.contains(["host", "127.0.0.1", "default"]))
        #expect(!outcome.output.contains("hunter2"))
        #expect(outcome.output.hasSuffix("in the memory of this process: replicas share none of them\n"))
        let wrong = try ServerProcess("demo-server", ["config", "--port", "web"]).outcome().withStatus(64)
        #expect(wrong.errors == "Error: --port is 'web': write a number from 0 to 65535, 0 for a free one.\n")
        #expect(wrong.output.contains("web"))
    }
}
