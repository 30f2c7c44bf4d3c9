import Foundation
import TestSupport
import Testing

/// `demo-server import --swift-tests`, and the journal as a test.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SwiftTestsProcessTests {
    private static let har: String = {
        let page =
            #"{\"page\":{\"typ\":\"nav_page\",\"title\":\"Log In\",\"widget\":{\"typ\":\"form\",\"widgets\":[{\"typ\":\"textfield\",\"label\":\"Password\",\"var_name\":\"password\"},{\"typ\":\"form_button\",\"text\":\"Go\",\"actions\":[\"rpc:/log_in\"]}]}}}"#
        let entries = [
            #"{"startedDateTime":"2026-01-01T00:00:00Z","request":{"method":"GET","url":"https://a.example/"},"response":{"status":200,"content":{"mimeType":"application/vnd.applin_response","text":"\#(page)"}}}"#,
            #"{"startedDateTime":"2026-01-01T00:00:05Z","request":{"method":"POST","url":"https://a.example/log_in","postData":{"mimeType":"application/json","text":"{\"password\":\"hunter22\"}"}},"response":{"status":200,"content":{"mimeType":"text/plain","text":""}}}"#,
        ]
        return #"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#
    }()

    private func run(_ arguments: [String]) throws -> ServerProcess.Outcome {
        try ServerProcess("demo-server", ["import"] + arguments).outcome()
    }

    @Test func `A capture becomes a test, and mocks beside it`() async throws {
        try await withTemporaryFolder { folder in
            let capture = try folder.write(Self.har, to: "capture.har")
            let file = "\(folder.path)/LogInTests.swift"
            let first = try run([capture, "--swift-tests", file]).withStatus(0)
            #expect(first.output.contains("written: \(file)\ntest: 2 requests of 1 client became 3 steps"))
            let source = try String(contentsOfFile: file, encoding: .utf8)
            #expect(source.contains("struct LogInTests {"))
            #expect(source.contains(#"try await app.enter(Self.password, into: "Password")"#))
            #expect(source.contains(#"environment["BACKLOT_ROUTES"] ?? "Routes""#))
            #expect(!source.contains("hunter22"))
            #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/Routes"))

            // It is there already: nothing is written, the mocks neither.
            let routes = "\(folder.path)/Mocks"
            let again = try run([capture, "--swift-tests", file, "--into", routes]).withStatus(64)
            #expect(again.errors.contains("'\(file)': the file is there already. --update replaces it."))
            #expect(!FileManager.default.fileExists(atPath: routes))

            try run([capture, "--swift-tests", file, "--into", routes, "--update"]).withStatus(0)
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains(routes))
            #expect(FileManager.default.fileExists(atPath: "\(routes)/log_in.rpc.yaml"))
        }
    }

    @Test func `What can't be written is refused before anything is`() async throws {
        try await withTemporaryFolder { folder in
            let capture = try folder.write(Self.har, to: "capture.har")
            let openAPI = try folder.write("openapi: 3.0.0\ninfo: {title: a, version: '1'}\npaths: {}\n", to: "a.yaml")
            let secrets = try folder.write("Log In\n", to: "secrets.txt")
            let cases: [([String], String)] = [
                (
                    [capture],
                    "Name a folder for mock routes with --into, a file for a test with --swift-tests, or both."
                ),
                (
                    [capture, "--swift-tests", "\(folder.path)/none/A.swift"],
                    "the folder '\(folder.path)/none' doesn't exist"
                ),
                ([capture, "--swift-tests", "\(folder.path)/a.txt"], "name a Swift file"),
                ([openAPI, "--swift-tests", "\(folder.path)/A.swift"], "--swift-tests is about recorded traffic"),
                (
                    [capture, "--swift-tests", "\(folder.path)/A.swift", "--check-secrets", secrets],
                    "nothing was written: secret 1 of the list would be in A.swift"
                ),
            ]
            for (arguments, text) in cases {
                let outcome = try run(arguments)
                #expect(outcome.status != 0)
                #expect(outcome.errors.contains(text), "\(outcome.errors)")
            }
            #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/A.swift"))
        }
    }

    @Test func `The journal of mocks is a test`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write(
                #"{"typ":"nav_page","title":"Home","widget":{"typ":"text","text":"Hi"}}"#,
                to: "index.page.json"
            )
            let server = try ServerProcess(
                "demo-server",
                ["mock", "--routes", folder.path, "--port", "0", "--log-level", "critical"]
            )
            let client = try await RawClient.connect(to: #require(server.address()))
            for line in ["GET /", "POST /other", "GET /__admin/requests.swift"] {
                try await client.send("\(line) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                let response = try await client.receive()
                guard line.hasSuffix(".swift") else { continue }
                #expect(response.status == 200)
                #expect(response["Content-Type"] == "text/x-swift; charset=utf-8")
                #expect(response.text.contains("try await app.launch()\n        #expect(app.title == \"Home\")"))
                #expect(response.text.contains(#"#expect(try await app.send(.post, "/other").status.code == 404)"#))
                #expect(response.text.contains(folder.path))
            }
            await client.close()
            server.signal(SIGTERM)
            #expect(server.outcome().status == 0)
        }
    }
}
