import Applin
import ArgumentParser
import Backlot
import BacklotChecks
import BacklotClients
import BacklotMocks
import BacklotRecording
import DynamicViews
import Floki
import Logging
import TestSupport
import Testing
import Xpedite

@testable import demo_server

/// `demo-server mocks verify`
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MocksVerifyProcessTests {
    private func verify(_ arguments: [String]) throws -> ServerProcess.Outcome {
        try ServerProcess("demo-server", ["mocks", "verify"] + arguments).outcome()
    }

    private static func page(_ widgets: String) -> String {
        "typ: nav_page\ntitle: Notes\nwidget:\n  typ: form\n  widgets:\n\(widgets)"
    }

    @Test func `Mocks of a changed backend differ, and an update takes its responses over`() async throws {
        try await withTemporaryFolder { folder in
            let text = "    - {typ: text, text: Hello.}\n"
            try folder.write(Self.page(text), to: "old/index.page.yaml")
            try folder.write("{\"a\":1}", to: "old/x.get.json")
            try folder.write(Self.page(text + "    - {typ: checkbox, var_name: agree}\n"), to: "new/index.page.yaml")
            try folder.write("{\"a\":2}", to: "new/x.get.json")
            let backend = try ServerProcess("demo-server", ["mock", "--routes", "\(folder.path)/new", "--port", "0"])
            let url = "http://\(try #require(backend.address()))/"
            defer { backend.signal(15) }

            let report = try verify([url, "--routes", "\(folder.path)/old"]).withStatus(1)
            #expect(
                report.output.hasPrefix(
                    """
                    GET / (index.page.yaml:1)
                      error: form › checkbox "agree"
                        The backend has a checkbox "agree" here, so that clients send the variable "agree".
                        Fix: Correct the backend, or take over its response: --update writes it into the file.
                        [variable-added] at /page/widget/widgets/1, line 5

                    2 responses, 1 with findings: 1 error, 0 warnings
                    4 requests to \(url) in 
                    """
                ),
                "\(report.output)"
            )
            let json = try JSONValue(
                parsing: try verify([url, "--routes", "\(folder.path)/old", "--format", "json"]).output
            )
            #expect(json["findings"]?[0]?["rule"] == "variable-added")
            #expect(json["findings"]?[0]?["file"] == "index.page.yaml")
            #expect(json["findings"]?[0]?["pointer"] == "/page/widget/widgets/1")
            let values = try verify([url, "--routes", "\(folder.path)/old", "--values"])
            #expect(values.output.contains("The value was 1, and is 2."), "\(values.output)")

            let update = try verify([url, "--routes", "\(folder.path)/old", "--update"]).withStatus(1)
            #expect(update.output.hasSuffix("\nupdated: index.page.yaml\n"), "\(update.output)")
            let again = try verify([url, "--routes", "\(folder.path)/old"]).withStatus(0)
            #expect(again.output.hasPrefix("2 responses: no findings\n"), "\(again.output)")
        }
    }

    @Test func `Warnings about the routes aren't part of the report, but broken files are named`() async throws {
        try await withTemporaryFolder { folder in
            let button = "    - {typ: form_button, text: Go, actions: [\"rpc:/nowhere\"]}\n"
            try folder.write(Self.page(button), to: "routes/index.page.yaml")
            let routes = "\(folder.path)/routes"
            let backend = try ServerProcess("demo-server", ["mock", "--routes", routes, "--port", "0"])
            let url = "http://\(try #require(backend.address()))/"
            let report = try verify([url, "--routes", routes]).withStatus(0)
            #expect(report.errors == "")
            try folder.write("{", to: "routes/x.get.json")
            let broken = try verify([url, "--routes", routes, "--keep-going"])
            #expect(broken.errors.contains("x.get.json:1:2: this is no JSON"), "\(broken)")
            #expect(!broken.errors.contains("/nowhere"), "\(broken)")
            backend.signal(15)
            #expect(backend.outcome().errors.contains("/nowhere"))
        }
    }

    @Test func `A comparison that the time ends before the first difference ends with 2`() async throws {
        try await withTemporaryFolder { folder in
            for name in ["a", "b", "c"] {
                try folder.write("{\"a\":1}", to: "routes/\(name).get.json")
                try folder.write("fixedDelayMilliseconds: 300\njsonBody: {a: 1}\n", to: "slow/\(name).get.yaml")
            }
            let backend = try ServerProcess("demo-server", ["mock", "--routes", "\(folder.path)/slow", "--port", "0"])
            let url = "http://\(try #require(backend.address()))/"
            defer { backend.signal(15) }
            let arguments = [url, "--routes", "\(folder.path)/routes"]
            let cut = try verify(arguments + ["--max-seconds", "0.1"]).withStatus(2)
            #expect(cut.output.contains("\nStopped: the time was over.\n"), "\(cut)")
            #expect(cut.output.contains("  the time was over:\n"), "\(cut)")
            try verify(arguments).withStatus(0)
        }
    }

    @Test func `What can't be verified`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write("{\"a\":1}", to: "ok/x.get.json")
            try folder.write("{", to: "broken/x.page.json")
            try folder.write("", to: "empty/README.md")
            let cases: [(arguments: [String], status: Int32, error: String)] = [
                (["http://127.0.0.1:1", "--routes", "\(folder.path)/ok"], 2, "can't be reached"),
                (["http://127.0.0.1:1", "--routes", "\(folder.path)/none"], 64, "this folder doesn't exist."),
                (["http://127.0.0.1:1", "--routes", "\(folder.path)/empty"], 64, "There are no mock routes in"),
                (["http://127.0.0.1:1", "--routes", "\(folder.path)/broken"], 64, "x.page.json:1:2: this is no JSON"),
                (["ftp://x", "--routes", "\(folder.path)/ok"], 64, "isn't a usable URL"),
                (["http://127.0.0.1:1/?a=b", "--routes", "\(folder.path)/ok"], 64, "has a query"),
                (["http://127.0.0.1:1", "--trust-anyone"], 64, "are for https"),
                (["http://127.0.0.1:1", "--header", "x"], 64, "--header 'x' has no value"),
                (["http://127.0.0.1:1", "--header", "a b=c"], 64, "--header 'a b' isn't a header field"),
                (["http://127.0.0.1:1", "--variable", "a=b"], 64, "write --rpc too"),
                (["http://127.0.0.1:1", "--redact", "a"], 64, "write --update too"),
                (["http://127.0.0.1:1", "--path", "a"], 64, "begins with no slash"),
                (["http://127.0.0.1:1", "--timeout", "0"], 64, "--timeout is 0.0"),
                (["http://127.0.0.1:1", "--max-seconds", "0"], 64, "--max-seconds is 0.0"),
            ]
            for (arguments, status, error) in cases {
                let outcome = try verify(arguments)
                #expect(outcome.status == status, "\(arguments)")
                #expect(outcome.errors.contains(error), "\(arguments): \(outcome.errors)")
            }
        }
    }
}

/// The demo, recorded and compared with itself.
@Suite(.timeLimit(.minutes(5))) struct MocksOfDemoTests {
    /// A transport that remembers what went through it.
    private final class Recorder: ClientTransport {
        private let transport: InProcessTransport
        private let state = Locked<[RecordedExchange]>([])

        init(_ transport: InProcessTransport) { self.transport = transport }

        var exchanges: [RecordedExchange] { state.withLock { $0 } }

        func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse {
            let response = try await transport.response(to: request, limits: limits)
            let plain = try response.decoded(limit: limits.body)
            state.withLock { exchanges in
                exchanges.append(
                    RecordedExchange(
                        request.method,
                        request.url.target,
                        requestHeaders: request.headers,
                        requestBody: request.body,
                        status: Int(response.status.code),
                        responseHeaders: response.headers,
                        responseBody: plain.body
                    )
                )
            }
            return response
        }
    }

    private static func transport() throws -> InProcessTransport {
        let router = Router.demo()
        return try InProcessTransport(router.handler())
    }

    static let apps: [(wire: AppProtocol, path: String)] = [
        (.applin, "/objects/"), (.applin, "/"), (.xpedite, CustomerApp.path),
        (.floki, NewspaperApp.indicatorPath), (.dynamicViews, ShopApp.path),
    ]

    @Test(arguments: apps.indices)
    func `A recording of the demo and the demo are the same`(index: Int) async throws {
        let app = Self.apps[index]
        let recorder = Recorder(try Self.transport())
        _ = await (try Crawl("http://localhost\(app.path)", as: app.wire, transport: recorder)).report()
        var redaction = Redaction()
        let recording = RouteRecording(redaction.redacted(recorder.exchanges), formats: MockSite.formats)
        try await withTemporaryFolder { folder in
            try RecordingWriter(folder.path).write(recording.files)
            let options = try MockOptions.parse([])
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let site = try #require(try MockSite.load(options, from: folder.path, path: "/", logger: logger))
            var drift = ComparisonOptions()
            drift.callsRPCs = true
            let check = try MocksComparison(
                site.backend,
                with: InProcessTransport.root,
                transport: Self.transport(),
                options: drift
            )
            let report = try await check.report()
            #expect(report.isClean, "\(report)")
            #expect(report.compared >= (app.wire == .applin ? 40 : 3), "\(report)")
        }
    }
}
