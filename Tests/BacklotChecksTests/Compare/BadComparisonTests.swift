import Backlot
import BacklotChecks
import BacklotTesting
import ClientTestSupport
import Testing

/// Comparisons of servers that do what none should: a clear report each, in bounded memory and time.
@Suite(.timeLimit(.minutes(5))) struct BadComparisonTests {
    private static let small: ComparedApp = {
        var app = ComparedApp()
        app.page("/", Shop.page("Home", (1...8).map { Shop.push("P\($0)", "/\($0)") }.joined(separator: ",")))
        for page in 1...8 { app.page("/\(page)", Shop.page("Page", Shop.text("\(page)"))) }
        return app
    }()

    private static func diff(
        _ other: ComparedApp,
        _ configure: (inout ComparisonOptions) -> Void = { _ in }
    ) async throws -> ComparisonReport {
        try await TwoServers(small, other).diff(configure)
    }

    @Test(arguments: [("http://a/", "http://nowhere/", "B"), ("http://nowhere/", "http://a/", "A")])
    func `A side that isn't there is named`(a: String, b: String, side: String) async throws {
        let report = try await Comparison(a, b, transport: TwoServers(Self.small, Self.small)).report()
        #expect(report.unreachableSide?.name == side)
        #expect(report.description.hasPrefix("\(side) (http://nowhere/) can't be reached: "))
        #expect(report.json["unreachable_side"] == .string(side.lowercased()))
        #expect(report.findings == [])
        #expect(!report.isClean)
    }

    @Test(arguments: [
        (Response.text("no", status: .notFound), "404 Not Found"),
        (Response.text("later", status: .serviceUnavailable), "503 Service Unavailable"),
        (ComparedApp.response("<!doctype html>", "text/html"), "a page for browsers, text/html"),
    ])
    func `A start page that isn't one on A is no app, on B a difference`(response: Response, named: String) async throws
    {
        let wrong = Self.small.with { $0.on("/") { _, _ in response } }
        for other in [wrong, Self.small] {
            let servers = try TwoServers(wrong, other)
            let report = try await servers.diff { $0.keepsBaseline = true }
            #expect(report.unreachableSide == .a)
            #expect(report.description == "A has no app at http://a/: the response is \(named). Correct the URL.")
            #expect(report.json["unreachable"] == .string("there is no app: the response is \(named)"))
            #expect(report.baseline == nil)
            #expect(!report.isClean)
            #expect(try await Comparison.recording("http://a/", transport: servers).report().baseline == nil)
        }
        let report = try await TwoServers(Self.small, wrong).diff()
        #expect(report.unreachable == nil)
        #expect(report.isBreaking, "\(report)")
        if response.status == .notFound { #expect(report.found.first == "breaking / page-gone") }
    }

    @Test func `A page with a wrong type is still an app`() async throws {
        let typed = Self.small.with { $0.change("/") { $0.headers[.contentType] = "text/html" } }
        let report = try await TwoServers(typed, typed).diff()
        #expect(report.isClean && report.pages.count == 9, "\(report)")
    }

    @Test func `URLs that can't be requested are errors`() throws {
        #expect(throws: ClientError.self) { try Comparison("http://a/", "b") }
        #expect(throws: ClientError.self) { try Comparison("ftp://a/", "http://b/") }
        #expect(throws: ClientError.self) { try Comparison("http://a/", "http://b/no-slash") }
    }

    @Test func `A server that hangs from the first can't be reached`() async throws {
        let other = Self.small.with { $0.on("/") { _, _ in try await Self.hang() } }
        let report = try await Self.diff(other) {
            ($0.limits.total, $0.limits.idle) = (.milliseconds(50), .milliseconds(50))
        }
        #expect(report.unreachableSide == .b)
        #expect("\(report)".contains("can't be reached"))
    }

    @Test func `A server that hangs after its first page stops the comparison`() async throws {
        let other = Self.small.with { app in
            for page in 1...8 { app.on("/\(page)") { _, _ in try await Self.hang() } }
        }
        let report = try await Self.diff(other) {
            ($0.limits.total, $0.limits.idle) = (.milliseconds(50), .milliseconds(50))
        }
        #expect(report.end == .b)
        #expect(report.isCutShort)
        #expect(report.found == (1...3).map { "breaking /\($0) no-answer" }, "\(report)")
    }

    @Test func `Pages that hang on both sides are no difference, and end nothing`() async throws {
        let slow = Self.small.with { app in
            for page in 1...4 { app.on("/\(page)") { _, _ in try await Self.hang() } }
        }
        let report = try await TwoServers(slow, slow).diff {
            ($0.limits.total, $0.limits.idle) = (.milliseconds(50), .milliseconds(50))
        }
        #expect(report.isClean, "\(report)")
        #expect(report.end == nil)
    }

    private static func hang() async throws -> Response {
        try await Task.sleep(for: .seconds(3600))
        return Response()
    }

    @Test func `The time is over`() async throws {
        let other = Self.small.with { app in
            app.on("/3") { _, _ in try await Self.hang() }
        }
        let report = try await Self.diff(other) { $0.maximumTime = .milliseconds(300) }
        #expect(report.end == .time, "\(report)")
        #expect(report.isCutShort)
        #expect(report.findings == [])
    }

    @Test func `Responses that grow, loop and break`() async throws {
        let other = Self.small.with { app in
            app.on("/1") { _, _ in ComparedApp.response(String(repeating: "x", count: 3_000_000)) }
            app.on("/2") { _, _ in Response(status: .found, headers: [.location: "/2"]) }
            app.on("/3") { _, _ in ComparedApp.response(String(repeating: "[", count: 900_000)) }
            app.on("/4") { _, _ in
                ComparedApp.response(#"{"page":{"typ":"\#(String(repeating: "y", count: 900_000))"}}"#)
            }
            app.on("/5") { _, _ in ComparedApp.response("null") }
            app.on("/6") { _, _ in Response() }
        }
        let report = try await Self.diff(other) { $0.limits.body = 1_000_000 }
        let expected = [
            "breaking /1 no-answer", "breaking /2 no-answer", "breaking /3 not-json", "breaking /5 no-page",
            "breaking /6 body-removed",
        ]
        #expect(expected.allSatisfy(report.found.contains), "\(report.found)")
        #expect(report.found.contains { $0.hasPrefix("breaking /4 ") }, "\(report.found)")
        #expect("\(report)".count < 20_000)
    }

    @Test func `A server that changes while it is crawled`() async throws {
        let asked = Counter()
        let other = Self.small.with { app in
            app.on("/1") { _, _ in
                let count = asked.next()
                return count % 2 == 0
                    ? .text("", status: .notFound) : .page(Shop.page("Page", Shop.text("1")))
            }
            app.on("/2") { _, _ in .page(Shop.page("Page \(Int.random(in: 0...1_000_000))", Shop.text("2"))) }
        }
        #expect(try await Self.diff(other).findings == [])
        let report = try await TwoServers(other, Self.small).diff()
        #expect(report.findings == [], "\(report)")
        #expect(report.unstable == ["/1"])
    }

    @Test func `Pages without end`() async throws {
        var app = ComparedApp()
        func page(_ number: Int) -> String {
            Shop.page(
                "Page",
                Shop.push("Left", "/\(2 * number)"),
                Shop.push("Right", "/\(2 * number + 1)")
            )
        }
        app.page("/", page(1))
        for number in 2...2000 { app.page("/\(number)", page(number)) }
        let report = try await TwoServers(app, app).diff { $0.maximumPages = 200 }
        #expect(report.end == .pages)
        #expect(!report.isCutShort)
        #expect(report.findings == [])
        #expect(report.pages.count == 200)
        #expect(report.notVisitedCount > 100)
    }

    @Test func `Differences in thousands of cookies are neutral and bounded`() async throws {
        func app(_ name: String) -> ComparedApp {
            Self.small.with { app in
                for page in 1...8 {
                    app.change("/\(page)") { response in
                        for number in 0..<500 {
                            let cookie = "\(number < 10 ? name : "c")\(page)-\(number)=x; Max-Age=100"
                            response.headers.append(HTTPField(name: .setCookie, value: cookie))
                        }
                    }
                }
            }
        }
        #expect(try await TwoServers(app("c"), app("c")).diff().findings == [])
        let report = try await TwoServers(app("c"), app("d")).diff()
        #expect(Set(report.differences.map(\.kind)) == [.neutral])
        #expect(report.differences.count <= 800)
    }

    @Test func `Differences without number are counted`() async throws {
        func app(_ mark: String) -> ComparedApp {
            var app = ComparedApp()
            app.page(
                "/",
                Shop.page("Home", (0..<3000).map { Shop.text("\(mark) x\($0)y") }.joined(separator: ","))
            )
            return app
        }
        let report = try await TwoServers(app("a"), app("b")).diff()
        #expect(report.differences.count == 100)
        #expect(report.notListedCount == 2900)
    }

    @Test func `Hundreds of broken rules are counted`() async throws {
        let app = ComparedApp().with { $0.page("/", Shop.page("Home", Shop.text("x"))) }
        let other = app.with {
            let widgets = (0..<500).map { _ in #"{"typ":"txet","text":"x"}"# }
            $0.page("/", Shop.page("Home", widgets.joined(separator: ",")))
        }
        let report = try await TwoServers(app, other).diff()
        #expect(report.isBreaking)
        #expect(report.differences.count <= 300, "\(report.differences.count)")
        #expect(report.notListedCount > 0)
        #expect("\(report)".utf8.count < 200_000)
    }

    @Test func `A page that B changes the second time is unstable`() async throws {
        let asked = Counter()
        let other = Self.small.with { app in
            app.on("/1") { _, _ in
                let count = asked.next()
                return count == 2
                    ? .text("", status: .internalServerError) : .page(Shop.page("Page", Shop.text("one")))
            }
        }
        let report = try await Self.diff(other)
        #expect(report.unstable == ["/1"], "\(report)")
        #expect(report.findings == [])
    }

    @Test func `A mock server's broken file is told for each side`() async throws {
        let field = try #require(HTTPField.Name("X-Backlot-Broken-File"))
        func app(_ file: String) -> ComparedApp { Self.small.with { $0.change("/1") { $0.headers[field] = file } } }
        let one = try await TwoServers(app("1.page.yaml:2:1"), Self.small).diff()
        #expect(one.found == ["visible /1 broken-mock-file"], "\(one)")
        let both = try await TwoServers(app("1.page.yaml:2:1"), app("1.page.yaml:2:1")).diff()
        #expect(
            both.findings.map(\.message)
                == ["A", "B"].map {
                    "\($0)'s mock file 1.page.yaml:2:1 is broken, so the server sends its last valid version."
                }
        )
        #expect(
            both.findings.first?.fix == "Correct the file at this line and column; the server's log names the mistake."
        )
    }

    @Test func `Servers of two protocols differ in their protocol`() async throws {
        let other = ComparedApp(["/": #"{"v":1,"url":"http://b/data","ttl":60}"#])
        let report = try await Self.diff(other)
        #expect(report.found.contains("breaking / protocol-changed"), "\(report)")
        #expect(report.findings[0].message == "A speaks Applin, and B Floki.")
    }

    @Test func `What was found is there when it is interrupted`() async throws {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let other = Self.small.with { app in
            app.replace("/1", #""text":"1""#, #""text":"one""#)
            app.on("/4") { _, _ in
                continuation.yield()
                return try await Self.hang()
            }
        }
        let servers = try TwoServers(Self.small, other)
        let task = Task { try await servers.diff() }
        for await _ in stream { break }
        task.cancel()
        let report = try await task.value
        #expect(report.end == .interrupted)
        #expect(report.found == ["visible /1 value-changed"], "\(report)")
        #expect("\(report)".contains("Interrupted after"))
    }
}
