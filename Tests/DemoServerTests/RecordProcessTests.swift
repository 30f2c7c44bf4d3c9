import Backlot
import Foundation
import TestSupport
import Testing

/// `demo-server record`, and `demo-server mock` with what it has written.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RecordProcessTests {
    private static let quiet = ["--port", "0", "--log-level", "critical"]

    /// Starts a program, and returns it with its address.
    private func start(_ arguments: [String]) throws -> (process: ServerProcess, address: SocketAddress) {
        let process = try ServerProcess("demo-server", arguments + Self.quiet)
        return (process, try #require(process.address()))
    }

    private func end(_ process: ServerProcess, _ signal: Int32 = SIGTERM) -> ServerProcess.Outcome {
        process.signal(signal)
        return process.outcome()
    }

    private static func json(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Two people use the notes app at the same time.
    private func useNotes(_ address: SocketAddress) async throws -> [Flow.Step] {
        var flow = Flow.over(address)
        var steps: [Flow.Step] = []
        func take(_ client: String, _ method: String, _ target: String, _ body: String = "") async throws -> Flow.Step {
            let step = try await flow.take(Flow.Step(client, method, target, body: Self.json(body)))
            steps.append(step)
            return step
        }
        /// Opens the page for a new note, and returns what saves it, and its variable.
        func newNote(_ client: String) async throws -> (id: String, variable: String) {
            let page = try await take(client, "GET", "/notes/new")
            let id = try #require(page.text.firstMatch(of: #/\/notes\/([^\/"\\]+)\/save\/0/#)?.output.1)
            return (String(id), "note_\(id)_0")
        }
        for client in ["ann", "bob"] { _ = try await take(client, "GET", "/notes") }
        _ = try await take("ann", "GET", "/notes/new_account")
        let account = #"{"notes_new_name":"NAME","notes_new_password":"PASSWORD"}"#
        func signUp(_ client: String, as name: String, _ password: String) async throws {
            let body = account.replacing("NAME", with: name).replacing("PASSWORD", with: password)
            _ = try await take(client, "POST", "/notes/new_account/submit", body)
        }
        try await signUp("ann", as: "a", "wonderful-7-secret")
        try await signUp("ann", as: "ann", "wonderful-7-secret")
        try await signUp("bob", as: "bob", "bobs-own-secret-8")
        for client in ["ann", "bob"] { _ = try await take(client, "GET", "/notes") }
        let anns = try await newNote("ann")
        let bobs = try await newNote("bob")
        _ = try await take("ann", "POST", "/notes/\(anns.id)/save/0", #"{"\#(anns.variable)":"Milk"}"#)
        _ = try await take("bob", "POST", "/notes/\(bobs.id)/save/0", #"{"\#(bobs.variable)":"Cheese"}"#)
        for client in ["ann", "bob", "ann"] { _ = try await take(client, "GET", "/notes") }
        _ = try await take("ann", "GET", "/notes/\(anns.id)")
        _ = try await take("ann", "POST", "/notes/\(anns.id)/save/1", #"{"note_\#(anns.id)_1":"Bread"}"#)
        _ = try await take("ann", "GET", "/notes")
        _ = try await take("bob", "GET", "/notes/\(anns.id)")
        _ = try await take("bob", "GET", "/notes/\(bobs.id)")
        _ = try await take("ann", "GET", "/photos")
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        steps.append(
            try await flow.take(Flow.Step("ann", "PUT", "/photos/add", body: picture, type: "image/jpeg"))
        )
        let photos = try await take("ann", "GET", "/photos")
        let photo = try #require(photos.text.firstMatch(of: #/\/photos\/[0-9A-Za-z_-]{10,}/#)?.output)
        let shown = try await take("ann", "GET", String(photo))
        #expect(shown.response == picture)
        _ = try await take("bob", "POST", "/notes/\(bobs.id)/remove", "{}")
        _ = try await take("bob", "GET", "/notes")
        _ = try await take("ann", "POST", "/log_out", "{}")
        _ = try await take("ann", "GET", "/notes")
        _ = try await take(
            "ann",
            "POST",
            "/notes/log_in/submit",
            #"{"notes_name":"ann","notes_password":"wonderful-7-secret"}"#
        )
        _ = try await take("ann", "GET", "/notes")
        _ = try await take("bob", "POST", "/log_out", "{}")
        _ = try await take("bob", "GET", "/notes")
        #expect(steps.count >= 30)
        #expect(steps.count { $0.status >= 400 } == 2, "\(steps.map { "\($0.target) \($0.status)" })")
        return steps
    }

    @Test func `Two people's session is replayed byte by byte`() async throws {
        try await withTemporaryFolder { folder in
            let into = "\(folder.path)/Routes"
            let secrets = try folder.write("wonderful-7-secret\nbobs-own-secret-8\n", to: "secrets.txt")
            let backend = try start(["serve"])
            let record = try start(
                ["record", "http://\(backend.address)", "--into", into, "--check-secrets", secrets]
            )
            let steps = try await useNotes(record.address)
            let outcome = end(record.process, SIGINT)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("\nwritten: notes.page.yaml\n"), "\(outcome.output)")
            #expect(outcome.output.contains(" routes in \(into). Next: demo-server mock --routes \(into)\n"))
            #expect(outcome.output.contains("\nredacted: password: POST /notes/log_in/submit, "), "\(outcome.output)")
            #expect(!outcome.output.contains("\nskipped: "), "\(outcome.output)")
            #expect(end(backend.process).status == 0)

            let mocks = try start(["mock", "--routes", into])
            var flow = Flow.over(mocks.address)
            #expect(try await flow.differences(steps) == [])
            // Others begin anew, and don't disturb each other.
            let address = mocks.address
            try await withThrowingTaskGroup(of: [String].self) { group in
                for client in ["ann", "bob", "ann", "bob"] {
                    group.addTask {
                        var flow = Flow.over(address)
                        return try await flow.differences(steps.filter { $0.client == client })
                    }
                }
                for try await differences in group { #expect(differences == []) }
            }
            #expect(end(mocks.process).status == 0)
        }
    }

    @Test func `A recording that is killed has written valid files`() async throws {
        try await withTemporaryFolder { folder in
            let into = "\(folder.path)/Routes"
            let backend = try start(["serve"])
            let record = try start(["record", "http://\(backend.address)", "--into", into, "--write-through"])
            var flow = Flow.over(record.address)
            for path in ["/notes", "/photos", "/notes/new_account"] { try await flow.take(Flow.Step("a", "GET", path)) }
            // The first pass is written at once, the others while more comes.
            let deadline = ContinuousClock.now + .seconds(10)
            while !FileManager.default.fileExists(atPath: "\(into)/photos.page.yaml"), .now < deadline {
                try await Task.sleep(for: .milliseconds(10))
            }
            for path in ["/sign_up", "/checkbox", "/text"] { try await flow.take(Flow.Step("a", "GET", path)) }
            record.process.signal(SIGKILL)
            #expect(record.process.outcome().status == -SIGKILL)
            let mocks = try start(["mock", "--routes", into])
            var again = Flow.over(mocks.address)
            #expect(try await again.take(Flow.Step("a", "GET", "/notes")).status == 200)
            #expect(end(mocks.process).status == 0)
            #expect(end(backend.process).status == 0)
        }
    }

    @Test func `Files of the same names stay, and nothing is lost`() async throws {
        try await withTemporaryFolder { folder in
            let into = "\(folder.path)/Routes"
            try folder.write("mine", to: "Routes/notes.get.txt")
            let backend = try start(["serve"])
            for arguments in [[], ["--write-through"]] {
                let record = try start(["record", "http://\(backend.address)", "--into", into] + arguments)
                var flow = Flow.over(record.address)
                try await flow.take(Flow.Step("a", "GET", "/notes"))
                try await flow.take(Flow.Step("a", "GET", "/photos"))
                let outcome = end(record.process, SIGINT)
                #expect(outcome.status == 1)
                let other = arguments.isEmpty ? "\(into)-recorded" : "\(into)-recorded-2"
                #expect(
                    outcome.errors == """
                        Error: nothing was written: these files are there already; --update replaces them: notes.get.txt
                        The whole recording is in '\(other)' instead.

                        """
                )
                #expect(try FileManager.default.contentsOfDirectory(atPath: into) == ["notes.get.txt"])
                let written = try FileManager.default.contentsOfDirectory(atPath: other).filter { $0 != "__files" }
                #expect(written.map { $0.prefix { $0 != "." } }.sorted() == ["notes", "photos"])
            }
            let record = try start(["record", "http://\(backend.address)", "--into", into, "--update"])
            var flow = Flow.over(record.address)
            try await flow.take(Flow.Step("a", "GET", "/photos"))
            let outcome = end(record.process, SIGINT)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("\nwritten: photos.page."), "\(outcome.output)")
            #expect(end(backend.process).status == 0)
        }
    }

    @Test func `A test loads the routes from the folder that they went into`() async throws {
        try await withTemporaryFolder { folder in
            let (into, file) = ("\(folder.path)/Routes", "\(folder.path)/NotesTests.swift")
            try folder.write("mine", to: "Routes/notes.get.txt")
            let backend = try start(["serve"])
            let cases: [(arguments: [String], status: Int32, routes: String)] = [
                ([], 1, "\(into)-recorded"), (["--update"], 0, into),
            ]
            for (arguments, status, routes) in cases {
                let record = try start(
                    ["record", "http://\(backend.address)", "--into", into, "--swift-tests", file] + arguments
                )
                var flow = Flow.over(record.address)
                try await flow.take(Flow.Step("a", "GET", "/notes"))
                let outcome = end(record.process, SIGINT).withStatus(status)
                let isElsewhere = outcome.errors.hasSuffix("The whole recording is in '\(routes)' instead.\n")
                #expect(isElsewhere == (status == 1), "\(outcome)")
                #expect(outcome.output.contains("\nwritten: \(file)\n"), "\(outcome)")
                let source = try String(contentsOfFile: file, encoding: .utf8)
                #expect(source.contains(#"environment["BACKLOT_ROUTES"] ?? "\#(routes)""#), "\(source)")
            }
            #expect(end(backend.process).status == 0)
        }
    }

    @Test func `What can't be written in its folder is written elsewhere`() async throws {
        try await withTemporaryFolder { folder in
            let into = "\(folder.path)/Routes"
            try folder.write("no folder", to: "Routes/notes")
            let backend = try start(["serve"])
            let record = try start(["record", "http://\(backend.address)", "--into", into])
            var flow = Flow.over(record.address)
            try await flow.take(Flow.Step("a", "GET", "/notes/new_account"))
            let outcome = end(record.process, SIGINT)
            #expect(outcome.status == 1)
            #expect(outcome.errors.hasPrefix("Error: in '\(into)', notes/new_account.page."), "\(outcome.errors)")
            let other = try #require(outcome.errors.firstMatch(of: #/is in '(.+)' instead/#)?.output.1)
            #expect(FileManager.default.fileExists(atPath: "\(other)/notes"))
            try FileManager.default.removeItem(atPath: String(other))
            #expect(end(backend.process).status == 0)
        }
    }

    @Test func `A port that is taken is the only message`() async throws {
        try await withTemporaryFolder { folder in
            let other = try RawServer { _ in }
            defer { other.stop() }
            let arguments = ["record", "http://127.0.0.1:1", "--into", folder.path, "--log-level", "critical"]
            let outcome = try ServerProcess("demo-server", arguments + ["--port", "\(other.address.port)"]).outcome()
            #expect(outcome.status != 0)
            #expect(outcome.errors.contains("Address already in use"), "\(outcome)")
            #expect(outcome.output == "")
        }
    }

    @Test func `What can't be recorded is refused at the start`() throws {
        let cases = [
            (["ftp://a", "--into", "x"], Int32(64), "'ftp://a' can't be recorded: write a URL such as"),
            (
                ["http://127.0.0.1:1", "--into", "Package.swift"], 1,
                "Error: 'Package.swift' is a file: name a folder\n"
            ),
            (
                ["http://127.0.0.1:1", "--into", "/proc/none"], 1,
                "can't be made: name one that this user may write into"
            ),
            (["http://127.0.0.1:1", "--into", "x", "--check-secrets", "/none"], 64, "--check-secrets '/none'"),
            (
                ["http://127.0.0.1:1", "--into", "x", "--swift-tests", "/proc/sys/A.swift"], 64,
                "--swift-tests '/proc/sys/A.swift': this user may not write into '/proc/sys'"
            ),
        ]
        for (arguments, status, text) in cases {
            let outcome = try ServerProcess("demo-server", ["record"] + arguments + Self.quiet).outcome()
            #expect(outcome.status == status, "\(outcome)")
            #expect(outcome.errors.contains(text), "\(outcome)")
        }
    }

    @Test func `Backends that misbehave are not recorded as if they answered`() async throws {
        try await withTemporaryFolder { folder in
            let into = "\(folder.path)/Routes"
            let backend = try RawServer { connection in
                while case let head = connection.receiveHead(), !head.isEmpty {
                    switch head.split(separator: " ").dropFirst().first {
                    case "/short": return _ = connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
                    case "/closed": return
                    case "/moved":
                        connection.send("HTTP/1.1 302 Found\r\nLocation: /moved\r\nContent-Length: 0\r\n\r\n")
                    case "/away":
                        connection.send(
                            "HTTP/1.1 301 Moved\r\nLocation: https://other.example/x\r\nContent-Length: 0\r\n\r\n"
                        )
                    case "/odd":
                        connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nabc")
                    case "/endless":
                        connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                        while connection.send("1\r\na\r\n") { usleep(10_000) }
                    default: connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                    }
                }
            }
            let record = try start(["record", "http://\(backend.address)", "--into", into])
            var flow = Flow.over(record.address)
            for path in ["/short", "/closed"] {
                // Clients see that the answer is not whole, or that there is none.
                let step = try? await flow.take(Flow.Step("a", "GET", path))
                #expect(step.map { $0.status == 502 } ?? true, "\(path)")
            }
            for (path, status) in [("/moved", 302), ("/away", 301), ("/odd", 200), ("/fine", 200)] {
                let step = try await flow.take(Flow.Step("a", "GET", path))
                #expect(step.status == status, "\(path)")
            }
            let endless = try await RawClient.connect(to: record.address)
            try await endless.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await !endless.receivePiece().isEmpty)
            // The proxy waits for the endless answer for some seconds, and then no longer. Others need this thread meanwhile.
            record.process.signal(SIGINT)
            let deadline = ContinuousClock.now + .seconds(30)
            while kill(record.process.identifier, 0) == 0, .now < deadline {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(.now < deadline)
            let outcome = record.process.outcome()
            let lines = outcome.output.split(separator: "\n").map(String.init)
            #expect(
                lines.filter { $0.hasPrefix("written: ") } == [
                    "written: away.get.yaml", "written: fine.get.json", "written: moved.get.yaml",
                ],
                "\(outcome.output)"
            )
            #expect(lines.count { $0.hasPrefix("skipped: GET http") } == 4, "\(outcome.output)")
            let away = try String(contentsOfFile: "\(into)/away.get.yaml", encoding: .utf8)
            #expect(away.contains("https://other.example/x"))
            backend.stop()
        }
    }

    @Test func `Redirects and cookies lead clients to the proxy`() async throws {
        try await withTemporaryFolder { folder in
            let into = "\(folder.path)/Routes"
            let backend = try RawServer { connection in
                while case let head = connection.receiveHead(), !head.isEmpty {
                    let host = head.firstMatch(of: /Host: ([^\r]+)/.ignoresCase())?.output.1 ?? ""
                    connection.send(
                        "HTTP/1.1 303 See Other\r\nLocation: http://\(host)/v1/next?a=b\r\nContent-Length: 0\r\n"
                            + "Set-Cookie: sid=geheim-12345; Domain=127.0.0.1; Path=/; Secure; HttpOnly; SameSite=None\r\n\r\n"
                    )
                }
            }
            let record = try start(["record", "http://\(backend.address)/v1", "--into", into])
            let client = try await RawClient.connect(to: record.address)
            try await client.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try await client.receive().withStatus(303)
            #expect(response["Location"] == "/next?a=b")
            #expect(response["Set-Cookie"] == "sid=geheim-12345; Path=/; HttpOnly")
            await client.close()
            let outcome = end(record.process, SIGINT)
            #expect(outcome.status == 0, "\(outcome)")
            let file = try String(contentsOfFile: "\(into)/first.get.yaml", encoding: .utf8)
            #expect(file.contains("Location: \"/next?a=b\"") || file.contains("Location: /next?a=b"), "\(file)")
            #expect(!file.contains("geheim-12345"))
            backend.stop()
        }
    }

    @Test func `A backend that can't be asked is warned of, and the recording goes on`() async throws {
        try await withTemporaryFolder { folder in
            let stranger = try RawServer(tls: TestAuthority("Stranger").issue()) { _ in }
            let gone = try RawServer { _ in }
            gone.stop()
            for (url, reason) in [
                ("https://\(stranger.address)", "there is no secure connection"),
                ("http://\(gone.address)", "there is no connection"),
            ] {
                let arguments = [
                    "record", url, "--into", "\(folder.path)/Routes", "--port", "0", "--log-level", "warning",
                ]
                let record = try ServerProcess("demo-server", arguments)
                var flow = Flow.over(try #require(record.address()))
                let step = try await flow.take(Flow.Step("a", "GET", "/x"))
                #expect(step.status == 502 && step.text.contains(reason), "\(step.text)")
                // The recording doesn't wait until it is known whether the backend answers.
                let warning = "\(url) doesn't respond yet: \(reason)"
                let errors = record.errors(upTo: warning)
                #expect(errors.contains(warning), "\(errors)")
                let outcome = end(record, SIGINT)
                #expect(outcome.status == 0)
                #expect(
                    outcome.output.contains("\nskipped: GET \(url)/x: it has no complete response: \(reason)"),
                    "\(outcome)"
                )
                #expect(outcome.output.contains("\n0 routes in "))
            }
            stranger.stop()
        }
    }

    @Test func `What no mock answers is asked of a backend once, and served from then on`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write(#"{"mine":true}"#, to: "Routes/mine.get.json")
            try folder.write("request:\n  queryParameters:\n    q: \"1\"\njsonBody: 1\n", to: "Routes/search.get.yaml")
            let backend = try start(["serve"])
            let arguments = ["mock", "--routes", "\(folder.path)/Routes", "--on-miss"]
            let mocks = try start(arguments + ["record=http://\(backend.address)"])
            var flow = Flow.over(mocks.address)
            #expect(try await flow.take(Flow.Step("a", "GET", "/mine")).text == #"{"mine":true}"#)
            let notes = try await flow.take(Flow.Step("a", "GET", "/notes"))
            #expect(notes.status == 200)
            // The route is there, with another condition: it stays as it is.
            #expect(try await flow.take(Flow.Step("a", "GET", "/search?q=2")).status == 200)
            #expect(end(backend.process).status == 0)
            var again = try await flow.take(Flow.Step("b", "GET", "/notes"))
            let deadline = ContinuousClock.now + .seconds(10)
            while again.status == 502, .now < deadline {
                try await Task.sleep(for: .milliseconds(50))
                again = try await flow.take(Flow.Step("b", "GET", "/notes"))
            }
            #expect(again.status == 200 && again.response == notes.response)
            #expect(try await flow.take(Flow.Step("b", "GET", "/search?q=2")).status == 502)
            #expect(try await flow.take(Flow.Step("b", "GET", "/search?q=1")).text == "1")
            #expect(end(mocks.process).status == 0)
            for text in ["http://127.0.0.1:1", "record=nowhere", "record="] {
                let outcome = try ServerProcess("demo-server", arguments + [text] + Self.quiet).outcome().withStatus(64)
                #expect(
                    outcome.errors.contains("--on-miss is '\(text)': write record= and the URL of a backend, such as")
                )
            }
        }
    }
}
