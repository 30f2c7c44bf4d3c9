import Applin
import Backlot
import BacklotClients
import BacklotMocks
import Floki
import Testing
import Xpedite

@testable import BacklotChecks

/// The parts of an exploration that need no backend.
@Suite(.timeLimit(.minutes(5))) struct ExplorePartTests {
    @Test(arguments: [
        ("/pay", "/pay", true), ("/pay", "/pay/now", true), ("/pay", "/pay?x=1", true), ("/pay", "/PAY", true),
        ("/pay", "/p%61y", true), ("/pay", "//pay", true), ("/pay", "/payments", false), ("/pay", "/shop/pay", false),
        ("/pay*", "/payments/1", true), ("/notes/{id}/delete", "/notes/7/delete", true),
        ("/notes/{id}/delete", "/notes/7", false),
        ("/", "/anything", true), ("/pay/", "/pay", true), ("/pay", "/", false),
        ("/pay", "/pay;jsessionid=1", true), ("/pay", "/;a=1/pay;b=2/now", true), ("/pay/now", "/pay;a/now%3Bb", true),
        ("/pay", "/payments;pay", false),
    ])
    func `A forbidden path covers what is below it`(pattern: String, path: String, isCovered: Bool) throws {
        #expect(try ForbiddenPaths([pattern]).cover(path) == isCovered)
    }

    @Test(arguments: [
        ("pay", "begins with no slash"), ("", "begins with no slash"), ("/pay?now=1", "has a query"),
        ("https://example.com/pay", "begins with no slash"), ("/" + String(repeating: "x", count: 1001), "1000 bytes"),
    ])
    func `A path that can't be forbidden is refused with the reason`(path: String, reason: String) throws {
        var options = ExploreOptions()
        options.forbidden = [path]
        let error = #expect(throws: ExploreOptionError.self) { try Explore("http://127.0.0.1/", options: options) }
        #expect(error?.description.contains(reason) == true)
    }

    @Test(arguments: ["", "Server Error", "server-error:status", ":/status"])
    func `A finding that can't be expected is refused`(text: String) {
        #expect(throws: ExploreOptionError.self) { try ExpectedFindings([text]) }
    }

    @Test(arguments: [0, 65, -1])
    func `So many explorers are refused`(count: Int) {
        var options = ExploreOptions()
        options.parallel = count
        #expect(throws: ExploreOptionError.outOfRange("parallel", "1 to 64")) {
            try Explore("http://127.0.0.1/", options: options)
        }
    }

    @Test func `The base URL of an Applin app ends in a slash`() {
        #expect(throws: ClientError.self) { try Explore("http://127.0.0.1/travel") }
    }

    // MARK: Texts

    @Test(arguments: [
        ("Hello, Optional(\"Ada\")", "a missing value"), ("Logged in as nil.", "a missing value"),
        ("Name: null, Age: 7", "a missing value"),
        ("undefined", "a missing value"), ("Total: NaN", "a missing value"), ("[object Object]", "a missing value"),
        ("Fatal error: Unexpectedly found nil", "a stack trace"),
        ("Error at\n\tat com.example.A.b(A.java:3)", "a stack trace"),
        ("See Pages.swift:12", "a place in source code"), ("File \"app.py\", line 3", "a place in source code"),
        ("<p>Sorry</p>", "HTML"), ("Tom &amp; Jerry", "HTML"), ("Hello {{name}}", "a template"),
        ("%@ items", "a template"),
        ("{\"error\":\"x\"}", "JSON"), ("It failed: {\"code\":7}", "JSON"), ("[{\"a\":1}]", "JSON"),
        ("No file /usr/share/x.db", "a path of the server"), ("Open C:\\data\\x", "a path of the server"),
        ("SQLSTATE[23000]", "an error of the database"),
        ("UNIQUE constraint failed: users.name", "an error of the database"),
    ])
    func `Text for developers is found`(text: String, what: String) {
        #expect(DeveloperText.excerpt(in: text)?.1 == what)
    }

    @Test(arguments: [
        "", "Hello", "Vanilla", "This is null and void, as they say", "The result is undefined behaviour in C",
        "3 < 5 and 7 > 6",
        "Tom & Jerry", "I <3 you", "See example.com/usr/share", "10 % off", "a:b:c", "[1]", "{}",
        "She said \"no\" \\ \"yes\"",
        "Objects by name#key, arrays by name%item", "Version 1.2.3", "12:30", "C: the language", "What is JSON?",
        "Banana",
        "$5.00", "Line 1\nLine 2", "…", "Manila, Anil and Nile",
    ])
    func `Text for users is left alone`(text: String) {
        #expect(DeveloperText.excerpt(in: text) == nil)
    }

    @Test func `What a client has sent may be shown`() {
        let text = "The backend got: {\"name\":\"Ada\"}"
        #expect(DeveloperText.excerpt(in: text, sent: [["name": "Ada"]]) == nil)
        #expect(DeveloperText.excerpt(in: text, sent: [["name": "Bob"]])?.1 == "JSON")
    }

    @Test(arguments: [
        ("null", "Hello, null!", ["null"], true), ("null", "Hello, null!", [], false), ("NaN", "NaN", ["null"], false),
        ("{{", "Hello {{name}}", ["template"], false), ("{{", "Hello {{7*7}}${7*7}Qzkabcdefg", [], true),
        ("${", "Total ${sum}", ["template"], false), ("%s", "Hello %s", ["percent"], false),
        ("%s", "Qzkabcdefg%s%n%d 100%", [], true), ("<b>", "<b>Sorry</b>", ["html"], false),
        ("<b>", "<b>Qzkabcdefg</b>", [], true), ("", "Hello", ["null"], false),
    ])
    func `Only what somebody has typed is an echo`(part: String, text: String, typed: [String], isEcho: Bool) {
        #expect(InputValues.isEcho(part, in: text, typed: Set(typed)) == isEcho)
    }

    @Test func `Odd texts are known with any marker`() {
        #expect(InputValues.oddName(of: "<b>Qzkabcdefg</b>") == "html")
        #expect(InputValues.oddName(of: "null") == "null")
        #expect(InputValues.oddName(of: "Qzkabcdefg") == nil)
        #expect(InputValues.oddName(of: "") == nil)
    }

    // MARK: Markers

    @Test func `Markers are found in any case, and replaced in theirs`() {
        #expect(Marker.found(in: Array("a Qzkabcdefg QZKABCDEFH qzkabc".utf8)) == ["qzkabcdefg", "qzkabcdefh"])
        #expect(Marker.replacing(in: "Qzkabcdefg@qzkabcdefg", by: { _ in "Qzkhijklmn" }) == "Qzkhijklmn@qzkhijklmn")
        #expect(Marker.found(in: Array("qzkabc12efg".utf8)).isEmpty)
        #expect(Marker.found(in: []).isEmpty)
    }

    @Test(arguments: [
        ("/notes/17", "/notes/#"), ("/notes/1x9kq2m7pa/edit", "/notes/#/edit"), ("/page2", "/page2"), ("/a?b=1", "/a"),
        ("/", "/"),
        ("/users/Qzkabcdefg", "/users/#"),
    ])
    func `Paths are classed without ids`(path: String, kind: String) {
        #expect(ExploreClass.path(path) == kind)
    }

    @Test func `The same seed draws the same, each explorer its own`() {
        func numbers(_ seed: UInt64, _ part: Int) -> [Int] {
            var random = SplitMix64(seed: seed, part: part)
            return (0..<8).map { _ in random.below(1000) }
        }
        #expect(numbers(7, 0) == numbers(7, 0))
        #expect(numbers(7, 0) != numbers(7, 1))
        #expect(numbers(7, 0) != numbers(8, 0))
    }

    @Test(arguments: [
        ("abc", "\"abc\""), ("Q" + String(repeating: "x", count: 100), "\"Q\" + String(repeating: \"x\", count: 100)"),
        (String(repeating: "x", count: 61), "String(repeating: \"x\", count: 61)"), ("a\"b\n", #""a\"b\n""#),
    ])
    func `Long texts are short in tests`(text: String, literal: String) {
        #expect(text.shortLiteral == literal)
    }

    // MARK: The network

    private struct Echo: ClientTransport {
        let count = LockedCount()
        func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse {
            let number = count.next()
            return ClientResponse(status: number == 2 ? .internalServerError : .ok, body: Array("answer".utf8))
        }
    }

    @Test func `Faults happen once, to the next request`() async throws {
        let echo = Echo()
        let network = FaultyTransport(echo)
        let request = ClientRequest(.get, try HTTPURL("http://localhost/"))
        network.failNext(.unsent)
        await #expect(throws: ClientError.self) { try await network.response(to: request, limits: ClientLimits()) }
        #expect(echo.count.value == 0)
        network.failNext(.lost)
        await #expect(throws: ClientError.cutShort(bodyBytes: nil)) {
            try await network.response(to: request, limits: ClientLimits())
        }
        #expect(echo.count.value == 1)
        network.failNext(.twice)
        #expect(try await network.response(to: request, limits: ClientLimits()).status == .internalServerError)
        #expect(echo.count.value == 3)
        network.failNext(.cut)
        await #expect(throws: ClientError.cutShort(bodyBytes: 3)) {
            try await network.response(to: request, limits: ClientLimits())
        }
        network.failNext(.lost)
        network.failNext(nil)
        #expect(try await network.response(to: request, limits: ClientLimits()).status == .ok)
    }

    /// Fails the first request at once, and responds to the second later.
    private struct Halting: ClientTransport {
        let begun = LockedCount()
        let ended = LockedCount()
        func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse {
            defer { ended.next() }
            if begun.next() == 1 { throw .notConnected("no") }
            try? await Task.sleep(for: .milliseconds(30))
            return ClientResponse(status: .ok, body: [])
        }
    }

    @Test func `A request that is sent twice has ended twice when it fails`() async throws {
        let halting = Halting()
        let network = FaultyTransport(halting)
        let request = ClientRequest(.get, try HTTPURL("http://localhost/"))
        network.failNext(.twice)
        await #expect(throws: ClientError.notConnected("no")) {
            try await network.response(to: request, limits: ClientLimits())
        }
        #expect(halting.ended.value == 2)
    }

    @Test func `A stream is read while it is sent, and a fault fails it once`() async throws {
        let router = Router()
        router.get("/prices") { _ in
            .events { events in
                for price in 1... { try await events.send("\(price)") }
            }
        }
        let network = FaultyTransport(try InProcessTransport(router.handler()))
        let request = ClientRequest(.get, try HTTPURL("http://localhost/prices"))
        func firstPiece() async throws -> [UInt8]? {
            var pieces = try await network.open(request, limits: ClientLimits()).pieces.makeAsyncIterator()
            return try await pieces.next()
        }
        #expect(try await firstPiece() != nil)
        network.failNext(.unsent)
        await #expect(throws: ClientError.notConnected("the request was kept back")) { try await firstPiece() }
        network.failNext(.lost)
        await #expect(throws: ClientError.cutShort(bodyBytes: nil)) { try await firstPiece() }
        #expect(try await firstPiece() != nil)
    }

    @Test(arguments: [
        (AppProtocol.floki, nil, ", now: 1800000000)"), (.floki, 1_798_135_200, ", now: 1798135200)"),
        (.applin, 1_798_135_200, "/app/\")"),
    ])
    func `Clients have the time of the options, and so has the test of a finding`(
        appProtocol: AppProtocol,
        now: Int?,
        end: String
    ) throws {
        var options = ExploreOptions()
        if let now { options.now = now }
        let explore = try Explore("http://localhost/app/", as: appProtocol, transport: Echo(), options: options)
        let settings = ExploreSettings(explore, ExploreClock(.seconds(60)))
        let client = try settings.device("0").client as? FlokiClient
        #expect(client?.now == (appProtocol.name == "floki" ? options.now : nil))
        let discovery = Discovery.text("nil", "a missing value", "/p", in: "nil")
        let flow = [ExploreStep(.launch(nil)), ExploreStep(.launch(nil), on: 1, fault: .cut)]
        let lines = FlowTest(discovery, flow, settings).source.split(separator: "\n").filter {
            $0.contains("let app")
        }
        let endings = lines.map { $0.hasSuffix(end) }
        #expect(lines.count == 2 && endings[0], "\(lines)")
        #expect(lines.last?.hasSuffix(client == nil ? "transport: network2)" : end) == true, "\(lines)")
    }

    @Test func `Each device of an exploration has its own id, and the same one in the next run`() async throws {
        func run() async throws -> (ids: [String], report: ExploreReport) {
            let state = Locked((ids: [String](), notes: [String: String]()))
            let router = Router()
            // Each device sees its last note. Its id is its token, too.
            router.post("/xpedite") { request in
                let packet = try JSONValue(parsing: try await request.body.collect())
                if packet["method"]?.string == "break" { return Response(status: .internalServerError) }
                let id = packet["uuid"]?.string
                let device = id ?? packet["token"]?.string ?? "nobody"
                let marker = Marker.found(in: Array((packet["formdata"]?["note"]?.string ?? "").utf8)).last
                let note: String = state.withLock { state in
                    if let id { state.ids.append(id) }
                    guard state.ids.contains(device) else { return "" }
                    if let marker { state.notes[device] = marker }
                    return state.notes[device] ?? ""
                }
                let components: [JSONValue] = [
                    ["type": "label", "text": .string("Note: \(note)")],
                    ["type": "textbox", "name": "note"],
                    ["type": "button", "text": "Save", "method": ["function": "save", "formdata": true]],
                    ["type": "button", "text": "Break", "method": ["function": "break"]],
                ]
                let page: JSONValue = [
                    "rc": 0, "version": 1, "token": .string(device), "components": .array(components),
                ]
                return Response(headers: [.contentType: "application/json"], body: .bytes(page.bytes))
            }
            var options = ExploreOptions()
            options.maximumSteps = 200
            options.slow = .seconds(60)
            let report = try await Explore(router, at: "/xpedite", as: .xpedite, options: options).report()
            return (state.withLock { $0.ids }, report)
        }
        let (ids, report) = try await run()
        #expect(try await run().ids == ids)
        // Flows are shortened with further devices.
        #expect(Set(ids).count > report.sessions)
        let rules = report.findings.map(\.rule)
        #expect(rules.contains("server-error") && !rules.contains("other-session-data"), "\(report)")
    }

    /// The steps and the Swift test of a finding.
    private func written(
        _ discovery: Discovery,
        _ steps: [ClientStep],
        _ appProtocol: AppProtocol
    ) throws -> (steps: [String], lines: [Substring]) {
        let explore = try Explore("http://localhost/app/", as: appProtocol, transport: Echo())
        let settings = ExploreSettings(explore, ExploreClock(.seconds(60)))
        let test = FlowTest(discovery, steps.map { ExploreStep($0) }, settings)
        return (test.steps, test.source.split(separator: "\n"))
    }

    @Test(arguments: [
        ("applin", ["launch()", "relaunch()", "pullToRefresh()"]),
        ("xpedite", ["connect()", "connect()", "refresh()"]),
        ("floki", ["launch()", "launch()", "refresh()"]), ("a2ui", ["launch()", "launch()", "launch()"]),
        ("dynamic-views", []),
    ])
    func `The test of a finding has the calls of its client`(name: String, calls: [String]) throws {
        let appProtocol = try #require(AppProtocol.known.first { $0.name == name })
        let flow: [ClientStep] = [.launch(nil), .relaunch(keepsStack: true), .pullToRefresh]
        let text = Discovery.text("nil", "a missing value", "/p", in: "nil")
        let (steps, lines) = try written(text, flow, appProtocol)
        #expect(steps.count == 3)
        let expected = calls.map { "    try await app.\($0)" }
        #expect(lines.dropFirst(2).dropLast(2).map(String.init) == expected, "\(lines)")
        #expect(lines.isEmpty == calls.isEmpty)
    }

    @Test(arguments: AppProtocol.known)
    func `A finding that a client has no function for has steps and no test`(appProtocol: AppProtocol) throws {
        let isApplin = appProtocol.name == "applin"
        let findings: [Discovery] = [
            .slow(.seconds(2), bound: .seconds(1), "/p"), .growth("/p", from: 1, to: 9, times: 3), .deadEnd("/p", 0),
            .cookies(9, "/p"), .brokenAction("The app stops.", "/p"),
            .lost("f", "a", now: nil, "/p", afterError: false),
        ]
        for finding in findings {
            let (steps, lines) = try written(finding, [.launch(nil)], appProtocol)
            #expect(steps.count == 1 && lines.isEmpty != isApplin, "\(lines)")
        }
        let text = Discovery.text("nil", "a missing value", "/p", in: "nil")
        let (steps, lines) = try written(text, [.launch(nil), .forgetCookies], appProtocol)
        #expect(steps.count == 2 && lines.isEmpty != isApplin, "\(lines)")
    }

    @Test(arguments: [
        (AppProtocol.xpedite, "http://localhost/app", #"{"method":"pay"}"#, false),
        (.xpedite, "http://localhost/app", #"{"method":"pay/now"}"#, false),
        (.xpedite, "http://localhost/app", #"{"method":"payments"}"#, true),
        (.xpedite, "http://localhost/app", "{", true), (.xpedite, "http://localhost/app", "", true),
        (.applin, "http://localhost/app", #"{"method":"pay"}"#, true), (.applin, "http://localhost/pay", "{}", false),
        (.applin, "http://localhost/pay;a=1", "{}", false), (.applin, "https://localhost/app", "{}", false),
        (.applin, "http://localhost:81/app", "{}", false), (.floki, "http://elsewhere.invalid/app", "", false),
    ])
    func `Only what is permitted is sent`(
        appProtocol: AppProtocol,
        url: String,
        body: String,
        isSent: Bool
    ) async throws {
        let clock = ExploreClock(.seconds(60))
        let echo = Echo()
        let app = try AppTarget("http://localhost/", appProtocol, echo)
        let transport = RecordingTransport(app, clock, try ForbiddenPaths(["/pay"]))
        let request = ClientRequest(.post, try HTTPURL(url), body: Array(body.utf8))
        if isSent {
            _ = try await transport.response(to: request, limits: ClientLimits())
        } else {
            await #expect(throws: ClientError.cancelled) {
                try await transport.response(to: request, limits: ClientLimits())
            }
        }
        #expect(echo.count.value == (isSent ? 1 : 0))
        #expect(transport.take().isBlocked != isSent)
        #expect(clock.elsewhere.isEmpty == request.url.hasSameOrigin(as: app.url))
    }
}
