import Backlot
import Foundation
import TestSupport
import Testing

/// Tests of mock routes that start the executable.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MockProcessTests {
    private func port(_ process: ServerProcess) throws -> UInt16 {
        let line = try #require(process.firstLine())
        return try #require(line.firstMatch(of: /:(\d+)\//).flatMap { UInt16($0.output.1) })
    }

    private func get(_ path: String, _ port: UInt16) async throws -> ReceivedResponse {
        let client = try await RawClient.connect(to: #require(SocketAddress(host: "127.0.0.1", port: port)))
        try await client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return try await client.receive()
    }

    @Test func `mock serves routes, a folder of files and commands`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write(#"{"who":"{{random.word}}"}"#, to: "Routes/a.get.json")
            try folder.write("plain", to: "Public/b.txt")
            let arguments = ["--port", "0", "--log-level", "critical", "--seed", "1"]
            let folders = ["--routes", "\(folder.path)/Routes", "--public", "\(folder.path)/Public"]
            let mocks = try ServerProcess("demo-server", ["mock"] + arguments + folders)
            let port = try port(mocks)
            let response = try await get("/a", port).withStatus(200)
            let response1 = try await get("/b.txt", port)
            #expect(response1.text == "plain")
            let response2 = try await get("/c", port)
            #expect(response2.text.hasPrefix("No mock answers GET /c. The nearest:\n  GET /a (a.get.json:1)\n"))
            try await get("/__admin/mappings", port).withStatus(200)
            mocks.signal(SIGTERM)
            #expect(mocks.outcome().status == 0)
            let again = try ServerProcess("demo-server", ["mock"] + arguments + folders)
            let response4 = try await get("/a", self.port(again))
            #expect(response4.text == response.text)
            again.signal(SIGTERM)
            #expect(again.outcome().status == 0)
        }
    }

    @Test func `A broken file stops the start, unless it is told to go on`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write("{", to: "a.get.json")
            try folder.write("status: x", to: "b.get.yaml")
            try folder.write("1", to: "c.get.json")
            let arguments = ["mock", "--port", "0", "--routes", folder.path]
            let outcome = try ServerProcess("demo-server", arguments).outcome()
            #expect(outcome.status != 0)
            #expect(outcome.errors.contains("can't start, because of 2 mistakes:\n  a.get.json:1:2: this is no JSON: "))
            let status = #"b.get.yaml:1:9: "status" is "x", but must be a number from 200 to 599 as a text"#
            #expect(outcome.errors.contains("\n  \(status)"))
            let going = try ServerProcess("demo-server", arguments + ["--keep-going"])
            let port = try port(going)
            let response5 = try await get("/c", port)
            #expect(response5.text == "1")
            going.signal(SIGTERM)
            #expect(going.outcome().errors.contains("a.get.json:1:2: this is no JSON: "))
        }
    }

    @Test func `A folder that isn't there is explained`() throws {
        let outcome = try ServerProcess("demo-server", ["mock", "--routes", "no such folder"]).outcome()
        #expect(outcome.errors.contains("--routes is 'no such folder': this folder doesn't exist."))
        #expect(outcome.status != 0)
    }

    @Test(arguments: [
        ["check", "--mocks-only"], ["routes", "--mocks-only"], ["mocks", "verify", "http://127.0.0.1:1"],
    ])
    func `Commands about mock routes take their folder from the settings, as mock does`(command: [String]) async throws
    {
        try await withTemporaryFolder { folder in
            func outcome(
                _ options: [String] = [],
                _ environment: [String: String] = [:]
            ) throws -> ServerProcess.Outcome {
                try ServerProcess("demo-server", command + options, environment: environment, in: folder.path).outcome()
            }
            let cases: [(options: [String], environment: [String: String], error: String)] = [
                (["--routes", ""], [:], "--routes is '': write the path of a folder."),
                (["--routes", "none"], [:], "--routes is 'none': this folder doesn't exist."),
                ([], ["ROUTES": "none"], "ROUTES in the environment is 'none': this folder doesn't exist."),
            ]
            for (options, environment, error) in cases {
                let refused = try outcome(options, environment).withStatus(64)
                #expect(refused.errors == "Error: \(error)\n")
                #expect(refused.output == "")
            }
            let missing = try outcome().withStatus(64)
            #expect(missing.errors.hasPrefix("Error: The folder 'Routes' doesn't exist here: write --routes and"))

            try folder.write("{\"a\":1}", to: "mine/x.get.json")
            try folder.write("ROUTES=mine\n", to: ".env")
            // There is no backend to verify them with.
            let found = try outcome().withStatus(command[0] == "mocks" ? 2 : 0)
            #expect(command[0] != "routes" || found.output == "GET  /x  mine/x.get.json:1\n", "\(found)")
        }
    }

    @Test func `Every route is listed with its source`() throws {
        let outcome = try ServerProcess("demo-server", ["routes"]).outcome().withStatus(0)
        let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.contains(["GET,POST", "/mock/books/{id}", "Routes/books/[id].page.yaml:5"]))
        #expect(lines.contains(["GET", "/mock/api/opening_hours", "Routes/mappings/opening_hours.json:1"]))
        #expect(lines.contains { $0.prefix(2) == ["POST", "/create_account"] })
        #expect(lines.allSatisfy { $0.count == 3 })
    }

    @Test func `The shipped routes are a whole app`() async throws {
        let demo = try ServerProcess("demo-server", ["--port", "0", "--log-level", "critical"])
        let port = try port(demo)
        let response6 = try await get("/mock/", port)
        #expect(response6.text.contains("Riverside Library"))
        try await get("/mock/books/9", port).withStatus(404)
        let response8 = try await get("/mock_routes", port)
        #expect(response8.text.contains("http://localhost/mock/"))
        demo.signal(SIGTERM)
        #expect(demo.outcome().status == 0)
        let check = try ServerProcess("demo-server", ["check"]).outcome()
        #expect(check.output.contains("mock routes:\n12 pages: no findings"))
    }
}
