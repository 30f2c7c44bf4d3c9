import Applin
import Backlot
import BacklotChecks
import BacklotClients
import ClientTestSupport
import Testing

/// Counts, from any thread.
struct LockedCount: Sendable {
    private let count = Locked(0)
    var value: Int { count.withLock { $0 } }
    @discardableResult func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// Explorations of small backends, good and bad ones.
@Suite(.timeLimit(.minutes(5))) struct ExploreTests {
    private static func options(_ steps: Int, seed: UInt64 = 1) -> ExploreOptions {
        var options = ExploreOptions(seed: seed)
        options.maximumSteps = steps
        options.maximumTime = .seconds(60)
        options.slow = .seconds(60)
        return options
    }

    /// An app with a form. `log` gets each request.
    private static func shop(_ log: Locked<[String]>, hasBug: Bool = false) -> Router {
        let router = Router()
        router.use { request, next in
            var request = request
            let body = try await request.body.collect()
            request.body = RequestBody(body)
            log.withLock { $0.append("\(request.method) \(request.target) \(String(decoding: body, as: UTF8.self))") }
            return try await next(request)
        }
        router.applin("/", dialect: .objects) { app in
            app.page("/") { _ in
                navPage("Shop") {
                    scroll {
                        form {
                            textfield("Name", varName: "name").maxChars(20)
                            formButton("Order") { rpc("/order") }
                            formButton("Pay") { rpc("/pay/now") }
                            formButton("Help") { push("/help") }
                            formButton("Old") { push("/old") }
                        }
                    }
                }
            }
            app.page("/help") { _ in navPage("Help") { scroll { form { text("Nobody is there.") } } } }
            app.page("/pay") { _ in navPage("Pay") { scroll { form { text("Pay.") } } } }
            app.rpc("/pay/now") { _ in }
            app.rpc("/order") { request in
                let name: String = try await request.variables().value("name")
                if hasBug, name.count > 20 { throw StatusError(.internalServerError, "too long") }
                if name.isEmpty { throw UserError("Please enter a name.") }
            }
        }
        router.get("/old") { _ in Response(status: .found, headers: [.location: "/pay"]) }
        return router
    }

    @Test func `The same seed asks for the same, and finds the same`() async throws {
        func run(_ seed: UInt64, parallel: Int = 1) async throws -> (requests: [String], tests: [String]) {
            let log = Locked([String]())
            var options = Self.options(300, seed: seed)
            options.parallel = parallel
            let report = try await Explore(Self.shop(log, hasBug: true), options: options).report()
            return (log.withLock { $0 }, report.discoveries.map(\.test))
        }
        let first = try await run(5)
        #expect(try await run(5) == first)
        #expect(try await run(6).requests != first.requests)
        #expect(first.tests.count == 1)
        // In whichever order two explorers come to their turns, each asks for what it would.
        let pair = try await run(5, parallel: 2)
        let other = try await run(5, parallel: 2)
        #expect(pair.requests.sorted() == other.requests.sorted())
        #expect(pair.tests == other.tests)
        #expect(pair.tests == first.tests)
    }

    @Test func `A finding is the shortest way, as a test`() async throws {
        let report = try await Explore(Self.shop(Locked([]), hasBug: true), options: Self.options(300)).report()
        let found = try #require(report.discoveries.first)
        #expect(report.discoveries.count == 1)
        #expect(found.finding.rule == "server-error")
        #expect(found.steps.count == 3)
        #expect(found.isShortest && !found.isFlaky)
        let lines = found.test.split(separator: "\n").map(String.init)
        #expect(lines.first == "@Test func `server-error at /order`() async throws {")
        #expect(lines.contains("    try await app.launch()"))
        #expect(lines.contains("    try await app.tap(\"Order\")  // throws a BackendError: server-error"))
        #expect(report.json["findings"]?[0]?["test"]?.string == found.test)
        #expect(report.json["stopped_by"] == "steps")
        #expect("\(report)".contains("--seed 1 repeats it."))
    }

    @Test func `A good app has no findings`() async throws {
        let report = try await Explore(Self.shop(Locked([])), options: Self.options(1000)).report()
        #expect(report.isClean, "\(report)")
        #expect(report.pageCount >= 4)
    }

    @Test func `What is forbidden is never asked for`() async throws {
        let log = Locked([String]())
        var options = Self.options(600)
        options.forbidden = ["/pay"]
        let report = try await Explore(Self.shop(log), options: options).report()
        #expect(report.isClean, "\(report)")
        let requests = log.withLock { $0 }
        #expect(!requests.contains { $0.contains("/pay") })
        // The redirect there was followed up to it.
        #expect(requests.contains { $0.hasPrefix("GET /old") })
    }

    @Test func `A finding that is expected isn't reported`() async throws {
        var options = Self.options(300)
        options.expected = ["server-error:/order"]
        let report = try await Explore(Self.shop(Locked([]), hasBug: true), options: options).report()
        #expect(report.isClean, "\(report)")
    }

    // MARK: Bad backends

    @Test func `A backend that isn't there can't be reached`() async throws {
        let report = try await Explore("http://127.0.0.1:1/", options: Self.options(100)).report()
        #expect(report.unreachable != nil)
        #expect(!report.isClean)
        #expect(report.requests <= 2)
    }

    @Test func `A URL without a backend is to be corrected`() async throws {
        let report = try await Explore(Router(), options: Self.options(100)).report()
        #expect(report.findings.map(\.fix) == ["Correct the URL: nothing is there."], "\(report)")
    }

    @Test func `A backend that hangs is given up`() async throws {
        let router = Router()
        router.get("/") { _ in
            try await Task.sleep(for: .seconds(1000))
            return Response()
        }
        var options = Self.options(100)
        options.limits.total = .milliseconds(20)
        let report = try await Explore(router, options: options).report()
        #expect(report.end == .backend)
        #expect(report.requests < 20)
        #expect(!report.isClean)
    }

    @Test func `A run that is cancelled says what it has found`() async throws {
        var options = ExploreOptions(seed: 1)
        options.maximumTime = .seconds(600)
        options.parallel = 2
        let explore = try Explore(Self.shop(Locked([]), hasBug: true), options: options)
        let (signals, signal) = AsyncStream.makeStream(of: Void.self)
        let task = Task { await explore.report { if $0.findings > 0 { signal.yield() } } }
        for await _ in signals { break }
        task.cancel()
        let report = await task.value
        #expect(report.end == .interrupted)
        #expect(report.discoveries.count == 1)
        #expect(report.json["stopped_by"] == "interrupted")
    }

    /// Responds to every request with the same page.
    private static func backend(_ page: @escaping @Sendable (Int) -> (String, HTTPFields)) -> Router {
        let router = Router()
        let count = LockedCount()
        router.use { request, _ in
            let (body, headers) = page(count.next())
            var response = Response(body: .bytes(Array(body.utf8)))
            response.headers = headers
            response.headers[.contentType] = "application/vnd.applin_response"
            return response
        }
        return router
    }

    private static func page(_ widgets: String) -> String {
        #"{"page":{"typ":"nav_page","title":"T","widget":{"typ":"scroll","widget":{"typ":"form","widgets":[\#(widgets)]}}}}"#
    }

    private static func button(_ path: String) -> String {
        #"{"typ":"form_button","text":"Go \#(path)","actions":[{"typ":"push","page":"\#(path)"}]}"#
    }

    @Test func `Pages without end end with the steps`() async throws {
        let router = Self.backend { number in
            (Self.page((0..<20).map { Self.button("/p\(number)/x\($0)") }.joined(separator: ",")), [:])
        }
        let report = try await Explore(router, options: Self.options(300)).report()
        #expect(report.end == .steps)
        #expect(report.stepCount <= 320)
    }

    @Test func `A page with a million links is refused or cut, and takes no time without bounds`() async throws {
        let links = (0..<60_000).map { Self.button("/\($0)") }.joined(separator: ",")
        let router = Self.backend { _ in (Self.page(links), [:]) }
        var options = Self.options(5)
        options.maximumTime = .seconds(20)
        let report = try await Explore(router, options: options).report()
        #expect(report.findings.contains { $0.rule == "answer-too-large" }, "\(report)")
    }

    @Test func `Cookies without end are found, and kept within bounds`() async throws {
        let router = Self.backend { number in
            var headers = HTTPFields()
            for index in 0..<300 {
                headers.append(HTTPField(name: .setCookie, value: "c\(number)x\(index)=1; Max-Age=1000"))
            }
            return (Self.page(Self.button("/next")), headers)
        }
        let report = try await Explore(router, options: Self.options(50)).report()
        #expect(report.findings.contains { $0.rule == "cookies-grow" }, "\(report)")
    }

    @Test func `A backend that lies about what it sends is reported, and not believed`() async throws {
        let router = Self.backend { number in
            (["", "{", "[]", "{\"page\":{}}", "\u{0}", #"{"page":{"typ":"nav_page"}}"#][number % 6], [:])
        }
        let report = try await Explore(router, options: Self.options(60)).report()
        #expect(!report.isClean)
        #expect(report.end == .steps)
    }

    @Test func `Redirects in a circle are reported`() async throws {
        let router = Router()
        router.get("/") { _ in Response(status: .found, headers: [.location: "/"]) }
        let report = try await Explore(router, options: Self.options(10)).report()
        #expect(report.findings.map(\.rule).contains("bad-redirect"), "\(report)")
    }

    @Test func `Text of terminals stays text`() async throws {
        let router = Self.backend { _ in
            (
                Self.page(#"{"typ":"text","text":"nil"},{"typ":"form_button","text":"\u001b[2J","actions":["poll"]}"#),
                [:]
            )
        }
        let report = try await Explore(router, options: Self.options(20)).report()
        #expect(!"\(report)".unicodeScalars.contains("\u{1B}"))
    }
}
