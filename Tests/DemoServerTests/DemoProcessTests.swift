import Backlot
import Foundation
import TestSupport
import Testing

/// Tests that start the executable. They block their thread, so they come one after the other.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DemoProcessTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `The first line says where it listens, and a signal ends it with 0`(signal: Int32) throws {
        let demo = try ServerProcess("demo-server", ["--port", "0", "--log-level", "error"])
        let line = try #require(demo.firstLine())
        let port = try #require(line.wholeMatch(of: /listening on http:\/\/127\.0\.0\.1:(\d+)\//)?.output.1)
        #expect((1...65_535).contains(try #require(Int(port))))
        demo.signal(signal)
        let outcome = demo.outcome()
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(
            lines.prefix(6) == [
                "Applin, documented dialect: http://127.0.0.1:\(port)/",
                "Applin, objects dialect, clients since 0.31: http://127.0.0.1:\(port)/objects/",
                "Xpedite: http://127.0.0.1:\(port)/xpedite",
                "Floki: http://127.0.0.1:\(port)/floki/v1-app",
                "Dynamic Views: http://127.0.0.1:\(port)/views/",
                "A2UI: http://127.0.0.1:\(port)/assistant/",
            ]
        )
        #expect(lines.count == 14)
        #expect(
            lines[7..<10] == [
                "mock routes, Xpedite: http://127.0.0.1:\(port)/mock/desk",
                "mock routes, Floki: http://127.0.0.1:\(port)/mock/news/v1-app",
                "mock routes, Dynamic Views: http://127.0.0.1:\(port)/mock/views/",
            ]
        )
        #expect(lines.dropFirst(6).first?.hasSuffix(" mock routes: http://127.0.0.1:\(port)/mock/") == true)
        #expect(lines[10].hasPrefix("sessions: in a file of SQLite, /"))
        #expect(
            lines[11]
                == "\(lines[10].replacing("sessions: ", with: "feeds: ").replacing(".sqlite", with: "-feeds.sqlite"))"
        )
        // Standard output is no terminal here: no password is made.
        #expect(
            lines[12]
                == "the editors' pages at /floki/desk/ (clients since 0.31: /floki/desk/objects/) are closed: set a --desk-password to open it"
        )
        #expect(lines.last ?? "" == "Open http://127.0.0.1:\(port)/ in a browser to see the pages.")
        #expect(outcome.errors == "")
    }

    @Test func `HOST and PORT of the environment count where the options are absent`() throws {
        let demo = try ServerProcess("demo-server", ["serve"], environment: ["HOST": "::1", "PORT": "0"])
        let line = try #require(demo.firstLine())
        #expect(line.wholeMatch(of: /listening on http:\/\/\[::1\]:\d+\//) != nil)
        demo.signal(SIGTERM)
        #expect(demo.outcome().status == 0)
        let other = try ServerProcess(
            "demo-server",
            ["--host", "127.0.0.1", "--port", "0"],
            environment: ["HOST": "::1", "PORT": "nonsense"]
        )
        #expect(try #require(other.firstLine()).hasPrefix("listening on http://127.0.0.1:"))
        other.signal(SIGTERM)
        #expect(other.outcome().status == 0)
    }

    @Test func `Bound to every interface, it prints the addresses of the local network`() throws {
        let demo = try ServerProcess("demo-server", ["--host", "0.0.0.0", "--port", "0", "--log-level", "error"])
        let line = try #require(demo.firstLine())
        let port = try #require(line.wholeMatch(of: /listening on http:\/\/0\.0\.0\.0:(\d+)\//)?.output.1)
        demo.signal(SIGTERM)
        let lines = demo.outcome().output.split(separator: "\n")
        #expect(
            lines.prefix(6) == [
                "Applin, documented dialect: http://127.0.0.1:\(port)/",
                "Applin, objects dialect, clients since 0.31: http://127.0.0.1:\(port)/objects/",
                "Xpedite: http://127.0.0.1:\(port)/xpedite",
                "Floki: http://127.0.0.1:\(port)/floki/v1-app",
                "Dynamic Views: http://127.0.0.1:\(port)/views/",
                "A2UI: http://127.0.0.1:\(port)/assistant/",
            ]
        )
        // Standard output is no terminal here: no token is made.
        #expect(lines.last?.hasPrefix("Administration and preview are off") == true)
        for line in lines.dropFirst(13).dropLast() {
            let prefix = "on the local network, for a phone: "
            let words = try #require(line.hasPrefix(prefix) ? line.dropFirst(prefix.count) : nil).components(
                separatedBy: " or "
            )
            #expect(words[0].wholeMatch(of: /http:\/\/[0-9.]+:(\d+)\//)?.output.1 == port)
            let paths = ["objects/", "xpedite", "floki/v1-app", "views/", "assistant/", "mock/"]
            #expect(words.dropFirst().prefix(paths.count) == ArraySlice(paths.map { words[0] + $0 }))
        }
    }

    @Test func `A wrong PORT of the environment is explained`() throws {
        let outcome = try ServerProcess("demo-server", [], environment: ["PORT": "web"]).outcome()
        #expect(outcome.errors.contains("Error: PORT in the environment is 'web': write a number from 0 to 65535"))
        #expect(outcome.status != 0)
    }

    @Test func `The folder of the photos goes with the process`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "photos-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let demo = try ServerProcess(
            "demo-server",
            ["--port", "0", "--log-level", "error"],
            environment: ["TMPDIR": folder.path]
        )
        let line = try #require(demo.firstLine())
        let port = try #require(line.firstMatch(of: /:(\d+)\//).flatMap { UInt16($0.output.1) })
        let client = try await RawClient.connect(to: #require(SocketAddress(host: "127.0.0.1", port: port)))
        try await client.send("PUT /photos/add HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n")
        try await client.send([0xFF, 0xD8, 0xFF])
        #expect(try await client.receive(responseTo: "PUT").status == 200)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
        await client.close()
        demo.signal(SIGTERM)
        #expect(demo.outcome().status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `It compresses pages and takes compressed variables`() async throws {
        let demo = try ServerProcess("demo-server", ["--port", "0", "--log-level", "error"])
        let line = try #require(demo.firstLine())
        let port = try #require(line.firstMatch(of: /:(\d+)\//).flatMap { UInt16($0.output.1) })
        let client = try await RawClient.connect(to: #require(SocketAddress(host: "127.0.0.1", port: port)))
        try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        let plain = try await client.receive()
        #expect(plain["Content-Encoding"] == nil)
        try await client.send("GET / HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\n\r\n")
        let compressed = try await client.receive()
        #expect(compressed["Content-Encoding"] == "gzip")
        let page = try ReferenceInflater.gunzip(compressed.body)
        #expect(page == plain.body)
        // {"agree":true,"username":"user1"}, by gzip -9n
        let digits = """
            1f8b0800000000000203ab564a4c2f4a4d55b22a292a4dd5512a2d4e2dca4bcc05f2c14c43a55a004acdb24621000000

            """.compactMap(\.hexDigitValue)
        let variables = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        let fields = "Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: \(variables.count)"
        try await client.send("POST /create_account HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n")
        try await client.send(variables)
        #expect(try await client.receive().status == 200)
        await client.close()
        demo.signal(SIGTERM)
        #expect(demo.outcome().status == 0)
    }

    @Test func `A port that is taken is explained`() throws {
        let first = try ServerProcess("demo-server", ["--port", "0", "--log-level", "error"])
        let line = try #require(first.firstLine())
        let port = try #require(line.firstMatch(of: /:(\d+)\//)?.output.1)
        let outcome = try ServerProcess("demo-server", ["--port", String(port)]).outcome()
        #expect(
            outcome.errors.contains("bind 127.0.0.1:\(port): Address already in use (another program listens there")
        )
        #expect(outcome.status != 0)
        first.signal(SIGTERM)
        #expect(first.outcome().status == 0)
    }

    @Test func `A check prints what it found and ends with 0 when there is no error`() throws {
        let outcome = try ServerProcess("demo-server", ["check"]).outcome()
        #expect(outcome.output.hasPrefix("no URL: the demo in this process\n"))
        #expect(outcome.output.contains("pages: no findings"))
        #expect(outcome.output.contains("not checked:"))
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
    }

    @Test func `A check takes the folder of files from the settings, as the server does`() async throws {
        try await withTemporaryFolder { folder in
            let picture = #"{"typ":"image","url":"/dot.svg","aspect_ratio":1.0,"disposition":"cover"}"#
            try folder.write(#"{"typ":"nav_page","title":"A","widget":\#(picture)}"#, to: "Routes/a.page.json")
            try folder.write(#"<svg xmlns="http://www.w3.org/2000/svg"/>"#, to: "files/dot.svg")
            func check(_ environment: [String: String] = [:]) throws -> ServerProcess.Outcome {
                try ServerProcess("demo-server", ["check", "--mocks-only"], environment: environment, in: folder.path)
                    .outcome()
            }
            #expect(try check().withStatus(0).output.contains("[dead-image]"))
            #expect(try check(["PUBLIC": "files"]).withStatus(0).output.hasSuffix("1 page: no findings\n"))
            let refused = try check(["PUBLIC": "none"]).withStatus(64)
            #expect(refused.errors == "Error: PUBLIC in the environment is 'none': this folder doesn't exist.\n")
            // Settings that a check doesn't use may be wrong here.
            try folder.write("PUBLIC=files\nDESK_PASSWORD=short\n", to: ".env")
            #expect(try check().withStatus(0).output.hasSuffix("1 page: no findings\n"))
        }
    }
}
