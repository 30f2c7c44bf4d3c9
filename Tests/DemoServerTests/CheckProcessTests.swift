import Applin
import Backlot
import TestSupport
import Testing

@testable import BacklotChecks
@testable import demo_server

/// `demo-server check` against the demo and against others.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CheckProcessTests {
    private func check(_ arguments: String...) throws -> ServerProcess.Outcome {
        try ServerProcess("demo-server", ["check", "--slow-ms", "60000"] + arguments).outcome()
    }

    @Test(arguments: DemoMount.all)
    func `The demo is clean`(mount: DemoMount) async throws {
        let router = Router.demo()
        router.files(DemoFlow.publicFolder)
        var options = CrawlOptions()
        options.slow = .seconds(60)
        let report = try await Crawl(router, at: mount.path, options: options).report()
        #expect(report.isClean, "\(report)")
        #expect(report.visited > 60)
        #expect(report.dialect == mount.dialect.rawValue)
        #expect(report.end == nil)
    }

    @Test(arguments: DemoMount.all)
    func `The demo is clean over a socket, and ends with 0`(mount: DemoMount) throws {
        let demo = try ServerProcess("demo-server", ["--port", "0", "--log-level", "error"])
        let address = try #require(demo.address())
        let outcome = try check("http://\(address)\(mount.path)").withStatus(0)
        #expect(outcome.output.contains("pages: no findings\n"))
        #expect(outcome.errors == "")  // no progress where there is no terminal
        demo.signal(15)
        #expect(demo.outcome().status == 0)
    }

    @Test func `Findings end with 1, in either format`() throws {
        let server = try RawServer { connection in
            _ = connection.receiveHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi")
        }
        defer { server.stop() }
        let text = try check("http://\(server.address)/").withStatus(1)
        #expect(text.output.contains("[wrong-content-type]"))
        let known = try check("http://\(server.address)/", "--expect", "wrong-content-type:/").withStatus(0)
        #expect(known.output.contains("1 page: no findings\n"), "\(known)")
        try check("http://\(server.address)/", "--expect", "dead-link", "--least", "error").withStatus(1)
        let json = try check("http://\(server.address)/", "--format", "json").withStatus(1)
        let report = try JSONValue(parsing: json.output)
        #expect(report["findings"]?.array?.map { $0["rule"]?.string } == ["wrong-content-type"])
    }

    @Test func `A backend that can't be reached ends with 2`() throws {
        let outcome = try check("http://nowhere.invalid/").withStatus(2)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("Error: http://nowhere.invalid/ can't be reached: "))
        let json = try check("http://nowhere.invalid/", "--format", "json").withStatus(2)
        #expect(try JSONValue(parsing: json.output)["unreachable"]?.string != nil)
    }

    @Test func `A crawl that the time ends before the first finding ends with 2`() throws {
        let server = try RawServer { connection in
            _ = connection.receiveHead()
            _ = connection.receive(upTo: 1)
        }
        defer { server.stop() }
        let url = "http://\(server.address)/"
        let outcome = try check(url, "--protocol", "applin", "--max-seconds", "1").withStatus(2)
        #expect(outcome.output.contains(": the time was over."), "\(outcome)")
    }

    @Test func `The progress line says how far a crawl has come`() {
        let progress = CrawlProgress(pages: 3, waiting: 12, path: "/books")
        #expect(ProgressLine.text(progress) == "pages: 3 done, 12 waiting: /books")
    }

    @Test func `Client versions make a matrix, and findings in each format`() throws {
        let demo = try ServerProcess("demo-server", ["--port", "0", "--log-level", "error"])
        let url = "http://\(try #require(demo.address()))/objects/"
        let text = try check(url, "--clients", "applin-ios@0.31...0.35", "--clients", "applin-ios@0.36...")
        #expect(text.status == 1)
        #expect(text.output.contains("clients: applin-ios 0.31 to 0.40\n"))
        #expect(text.output.contains("needs ≥ 0.36 because of reset_var\n"), "\(text.output)")
        let json = try JSONValue(parsing: check(url, "--clients", "applin-ios@0.35", "--format", "json").output)
        #expect(json["clients"]?[0]?["versions"] == ["0.35.0"])
        let row = json["matrix"]?.array?.first { $0["page"] == "/reset_var" }
        #expect(row?["rejects"]?["0.35.0"] == "action-of-other-version")
        for format in ["junit", "sarif"] {
            let outcome = try check(url, "--clients", "applin-ios@0.35...", "--format", format).withStatus(1)
            #expect(outcome.output.contains("The page needs ≥ 0.36 because of reset_var."), "\(outcome.output)")
        }
        demo.signal(15)
        #expect(demo.outcome().status == 0)
    }

    @Test func `JUnit and SARIF hold each finding`() throws {
        let server = try RawServer { connection in
            _ = connection.receiveHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi")
        }
        defer { server.stop() }
        let junit = try check("http://\(server.address)/", "--format", "junit").withStatus(1)
        #expect(junit.output.contains(#"<testsuite name="check" tests="1" failures="1" errors="0">"#))
        #expect(junit.output.contains(#"<testcase classname="check" name="/"><failure type="wrong-content-type" "#))
        let sarif = try JSONValue(parsing: check("http://\(server.address)/", "--format", "sarif").output)
        let result = try #require(sarif["runs"]?[0]?["results"]?[0])
        #expect(result["ruleId"]?.string == "wrong-content-type")
        #expect(result["level"]?.string == "error")
    }

    @Test func `Ctrl-C prints what was found so far`() async throws {
        let (hung, hangs) = AsyncStream<Void>.makeStream()
        let server = try RawServer { connection in
            guard connection.receiveHead().hasPrefix("GET / ") else {
                hangs.yield()
                _ = connection.receive(upTo: 1)
                return
            }
            let page =
                #"{"page":{"typ":"nav_page","title":"a","widget":{"typ":"button","text":"b","actions":["push:/next","x"]}}}"#
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.applin_response\r\nContent-Length: \(page.utf8.count)\r\n\r\n"
                    + page
            )
        }
        defer { server.stop() }
        let process = try ServerProcess("demo-server", ["check", "http://\(server.address)/", "--format", "json"])
        for await _ in hung { break }
        process.signal(2)
        let report = try JSONValue(parsing: process.outcome().output)
        #expect(report["stopped_by"]?.string == "interrupted")
        #expect(report["findings"]?.array?.isEmpty == false)
    }
}
