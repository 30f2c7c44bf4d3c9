import Applin
import Backlot
import BacklotChecks
import BacklotTesting
import ClientTestSupport
import TestSupport
import Testing

/// Crawls of small backends, each with what it is to find.
@Suite(.timeLimit(.minutes(5))) struct CrawlTests {
    // MARK: Links and rpcs

    @Test(arguments: [
        #""push:/next""#, #""replace_all:/next""#, Backend.push, #"{"typ":"replace_all","page":"/next"}"#,
        #"{"typ":"modal","title":"T","buttons":[{"text":"B","actions":[{"typ":"push","page":"/next"}]}]}"#,
    ])
    func `It follows push and replace_all`(action: String) async throws {
        let backend = Backend.leading(by: action)
        let report = try await backend.crawl()
        #expect(backend.log == ["GET /", "GET /next"])
        #expect(report.isClean, "\(report)")
        #expect(report.visited == 2)
        #expect(report.requests == 2)
    }

    @Test(arguments: [
        #"{"typ":"nav_button","text":"N","actions":[ACTION]}"#, #"{"typ":"button","text":"N","actions":[ACTION]}"#,
        #"{"typ":"checkbox","var_name":"c","actions":[ACTION]}"#,
        #"{"typ":"grouped_row_table","row_groups":[[[null,{"typ":"button","text":"N","actions":[ACTION]}]]]}"#,
    ])
    func `It follows the actions of every widget`(widget: String) async throws {
        let backend = Backend.leading()
        backend.form("/", widget.replacing("ACTION", with: Backend.push))
        let report = try await backend.crawl()
        #expect(backend.log.contains("GET /next"))
        #expect(report.isClean, "\(report)")
    }

    @Test func `It follows the back button`() async throws {
        let backend = Backend.leading()
        backend.form("/", more: #""start":{"typ":"back_button","actions":[\#(Backend.push)]}"#)
        #expect(try await backend.crawl().isClean)
        #expect(backend.log == ["GET /", "GET /next"])
    }

    @Test func `A crawl stays below its base path and skips the client's own pages`() async throws {
        let backend = Backend(
            "/travel/",
            Backend.button("Go", #""push:/next""#),
            Backend.button("Help", #""push:/support""#)
        )
        backend.form("/travel/next", Backend.button("Go", #""replace_all:/""#))
        let report = try await backend.crawl(at: "/travel/")
        #expect(backend.log == ["GET /travel/", "GET /travel/next"])
        #expect(report.isClean, "\(report)")
        #expect(report.dialect == "documented")
    }

    @Test func `A page with inputs is refreshed as clients do it`() async throws {
        let backend = Backend(
            "/",
            #"{"typ":"textfield","var_name":"a","initial_string":"b/c"}"#,
            #"{"typ":"checkbox","var_name":"d#e"}"#
        )
        #expect(try await backend.crawl().isClean)
        #expect(backend.log == ["GET /", #"POST / {"a":"b\/c","d":{"e":false}}"#])
    }

    @Test func `Rpcs are called only when that is asked for, and uploads never`() async throws {
        let backend = Backend(
            "/",
            #"{"typ":"checkbox","var_name":"a","actions":[{"typ":"rpc","url":"/save"}]}"#,
            Backend.button("Save", #"{"typ":"rpc","url":"/save"}"#),
            Backend.button("Photo", #"{"typ":"choose_photo","url":"/photo"}"#)
        )
        backend.on("/save") { _ in Response() }
        let report = try await backend.crawl()
        #expect(backend.log == ["GET /", #"POST / {"a":false}"#])
        #expect(report.rpcsNotCalled == ["/save"])
        #expect(report.uploads == ["/photo"])
        backend.clearLog()
        let second = try await backend.crawl { $0.callsRPCs = true }
        #expect(backend.log == ["GET /", #"POST / {"a":false}"#, #"POST /save {"a":false}"#])
        #expect(second.isClean, "\(second)")
        #expect(second.rpcsCalled == 1)
    }

    @Test func `403 and 422 are no findings, and are listed`() async throws {
        let backend = Backend.leading()
        backend.status("/next", .forbidden, "Please log in.")
        let report = try await backend.crawl()
        #expect(report.isClean)
        #expect(report.refused.map { "\($0.path) \($0.status)" } == ["/next 403"])
        #expect(report.description.contains("refused: 1: /next (403)"))
    }

    // MARK: Bounds

    @Test func `Pages without end are bounded, and what is left is told`() async throws {
        let backend = Backend()
        for number in 0..<20 {
            let actions = ["a", "b"].map { #""push:/\#(number)\#($0)""# } + [#""push:/p\#(number + 1)""#]
            backend.form(number == 0 ? "/" : "/p\(number)", Backend.button("Go", actions.joined(separator: ",")))
        }
        let report = try await backend.crawl { $0.maximumPages = 4 }
        #expect(backend.log.count == 4)
        #expect(report.end == .pages)
        #expect(!report.isCutShort)
        #expect(report.text(as: .junit).contains(#"errors="0">"#))
        #expect(report.visited == 4)
        #expect(report.notVisited == ["/1a", "/1b", "/p2"].filter { !backend.log.contains("GET \($0)") })
        #expect(report.description.contains("Stopped after 4 pages"))
    }

    @Test func `The time is bounded`() async throws {
        let backend = Backend.leading()
        let report = try await backend.crawl { $0.maximumTime = .zero }
        #expect(backend.log == [])
        #expect(report.end == .time)
        #expect(report.isCutShort)
        #expect(report.text(as: .junit).contains(#"failures="0" errors="1">"#))
        #expect(report.notVisited == ["/"])
    }

    @Test func `10,000 widgets are one finding`() async throws {
        let backend = Backend(
            "/",
            Array(repeating: #"{"typ":"text","text":"t"}"#, count: 10_000).joined(separator: ",")
        )
        #expect(try await backend.crawl().pageRules == ["/ many-widgets"])
    }

    @Test func `10,000 mistakes are counted`() async throws {
        let backend = Backend("/", Array(repeating: #"{"typ":"text"}"#, count: 10_000).joined(separator: ","))
        let report = try await backend.crawl()
        #expect(report.findings.count == 101)
        #expect(report.findings.last?.rule == "more-findings")
    }

    // MARK: Reports

    @Test func `The JSON has every finding`() async throws {
        let backend = Backend.leading(by: #""push:/gone","rpc:/save""#)
        let report = try await backend.crawl()
        let json = try JSONValue(parsing: report.json.bytes)
        #expect(json["url"] == "http://localhost/")
        #expect(json["dialect"] == "documented")
        #expect(json["unreachable"] == .null)
        #expect(json["pages"] == 2)
        #expect(json["requests"] == 2)
        #expect(json["errors"] == 1)
        #expect(json["warnings"] == 0)
        #expect(json["stopped_by"] == .null)
        #expect(json["rpcs_not_called"] == ["/save"])
        #expect(
            json["findings"] == [
                [
                    "page": "/",
                    "path": "/ › scroll › form › form_button \"Go\" › push \"/gone\"",
                    "pointer": "/page/widget/widget/widgets/0/actions/0",
                    "severity": "error",
                    "rule": "dead-link",
                    "message": "push leads to \"/gone\", which answers 404 Not Found, so clients show an error.",
                    "fix": "Correct the path, or add a page there.",
                ]
            ]
        )
    }

    @Test func `Control characters of a backend don't reach the terminal`() async throws {
        let backend = Backend.leading(by: "\"push:/a\\u001b[2J\"")
        let report = try await backend.crawl()
        #expect(!"\(report)".unicodeScalars.contains { $0.value == 0x1B })
        #expect(report.findings.count == 1)
    }
}
