import Backlot
import BacklotChecks
import BacklotClients
import TestSupport
import Testing

@testable import BacklotLoad

extension LoadReport {
    /// The rules of the findings, and "unreachable". It leaves "overloaded" out, because two late requests at the end of a short load
    /// are enough for that.
    fileprivate var brokenRules: [String] {
        (unreachable == nil ? [] : ["unreachable"]) + findings.map(\.rule).filter { $0 != "overloaded" }
    }
}

extension Load {
    /// Loads the server until a condition holds, which is checked once a second.
    fileprivate func report(until isEnough: @escaping @Sendable () -> Bool) async -> LoadReport {
        let (enough, noted) = AsyncStream.makeStream(of: Void.self)
        let loading = Task {
            defer { noted.finish() }
            return await report { _ in if isEnough() { noted.yield() } }
        }
        for await _ in enough { break }
        loading.cancel()
        return await loading.value
    }
}

/// Phones as Applin apps: what they ask for, and what they send.
@Suite(.timeLimit(.minutes(5))) struct PhoneLoadTests {
    /// The requests of a server.
    private final class Log: Sendable {
        private let lines = Locked<[String]>([])
        func note(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
        func count(_ line: String) -> Int { all.count { $0 == line } }
    }

    private func page(_ title: String, poll: Int? = nil, _ widgets: [JSONValue]) -> Response {
        var page: JSONObject = [
            "typ": "nav_page", "title": .string(title),
            "widget": ["typ": "scroll", "widget": ["typ": "column", "widgets": .array(widgets)]],
        ]
        if let poll { page["poll_seconds"] = .number(JSONNumber(Int64(poll))) }
        return Response(
            headers: [.contentType: "application/vnd.applin_response"],
            body: .bytes(JSONValue.object(["page": .object(page)]).bytes)
        )
    }

    private func app(_ log: Log) -> Router {
        let router = Router()
        router.get("/") { _ in
            log.note("home")
            var home = page("Home", [["typ": "nav_button", "text": "Join", "actions": ["push:/join"]]])
            home.headers[.setCookie] = "seen=yes; Path=/"
            return home
        }
        let join: @Sendable (Request) -> Response = { request in
            log.note("join \(request.headers[.cookie] ?? "-")")
            return page(
                "Join",
                [
                    ["typ": "textfield", "label": "Name", "var_name": "name"],
                    ["typ": "checkbox", "text": "Agree", "var_name": "agree"],
                    ["typ": "form_button", "text": "Send", "actions": ["rpc:/send", "replace_all:/done"]],
                ]
            )
        }
        router.get("/join", join)
        router.post("/join", join)
        router.post("/send") { request in
            let body = try JSONValue(parsing: try await request.body.collect())
            log.note(
                "send \(body["name"]?.string ?? "") \(body["agree"]?.bool == true) \(request.headers[.cookie] ?? "-")"
            )
            return Response()
        }
        router.get("/done") { _ in
            log.note("done")
            return page("Done", poll: 1, [["typ": "text", "text": "Thanks"]])
        }
        router.get("/metrics") { _ in
            .text("process_cpu_seconds_total 1.5\nprocess_resident_memory_bytes 2e6\nother 1\n")
        }
        return router
    }

    /// Serves the app, and loads it for this time; or, for a test that counts requests, until there are enough.
    private func load(
        _ log: Log,
        _ flows: [LoadFlow] = [],
        phones: Int,
        rate: Double? = nil,
        for duration: Duration = .seconds(1),
        _ change: (inout LoadOptions) -> Void = { _ in },
        until isEnough: (@Sendable () -> Bool)? = nil
    ) async throws -> LoadReport {
        var options = LoadOptions()
        (options.phones, options.rate) = (phones, rate)
        options.duration = isEnough == nil ? duration : .seconds(60)
        change(&options)
        let load = try Load(app(log), flows: flows, options: options)
        guard let isEnough else { return await load.report() }
        return await load.report(until: isEnough)
    }

    @Test func `A flow is done as people do it`() async throws {
        let log = Log()
        let flow = LoadFlow("join") { user in
            [
                .launch(), .tap("Join"), .enter("ann-\(user.phone)-\(user.run)", into: "Name"), .check("Agree"),
                .tap("Send"),
                .wait(.seconds(60)),
            ]
        }
        let report = try await load(log, [flow], phones: 3, for: .seconds(4)) { $0.think = .milliseconds(100) }
        #expect(report.brokenRules == [], "\(report)")
        let sent = log.all.filter { $0.hasPrefix("send") }.sorted()
        #expect(sent == (0..<3).map { "send ann-\($0)-0 true seen=yes" }, "\(log.all)")
        // The probe asks once more.
        #expect(log.count("home") == 4)
        #expect(log.count("join seen=yes") == 3)
        // Once a second the visible page is refreshed.
        #expect((6...13).contains(log.count("done")), "\(log.all)")
        let names = Set(report.steps.map(\.name))
        #expect(names == ["launch", "tap \"Join\"", "tap \"Send\"", "poll /done"], "\(names)")
        #expect(report.serverMemory == 2_000_000)
        #expect(report.serverCPU == .zero)
        #expect(report.phones == 3)
    }

    @Test func `Without a flow, phones wander and call no rpc`() async throws {
        let log = Log()
        let report = try await load(log, phones: 5, rate: 100, until: { log.count("join seen=yes") > 20 })
        #expect(report.brokenRules == [], "\(report)")
        #expect(log.count("join seen=yes") > 20, "\(report)")
        #expect(!log.all.contains { $0.hasPrefix("send") })
    }

    @Test func `A step that isn't possible is a finding, and the phone begins anew`() async throws {
        let log = Log()
        let flow = LoadFlow("lost", steps: [.launch(), .tap("Nowhere")])
        let report = try await load(log, [flow], phones: 1, rate: 40, until: { log.count("home") > 10 })
        #expect(report.brokenRules == ["step-impossible"], "\(report)")
        #expect(report.findings[0].message.contains("no button \"Nowhere\""))
        #expect(log.count("home") > 10)
    }

    /// The ramp is as long as the think time, 10 s.
    @Test func `A load that is too short for its ramp and its flow says so`() async throws {
        let flow = LoadFlow("bad", steps: [.launch(), .wait(.seconds(1)), .tap("Log Im"), .back, .wander])
        let report = try await load(Log(), [flow], phones: 10, for: .milliseconds(500))
        #expect(report.brokenRules == ["steps-not-reached"], "\(report)")
        let line = "9 of 10 phones weren't launched: the ramp takes 10 s (--ramp)."
        for text in [report.description, report.html.replacing("&#39;", with: "'")] {
            #expect(text.contains(line), "\(text)")
            #expect(text.contains("2 steps of the flows were never reached"), "\(text)")
        }
        #expect(report.json["phones_not_launched"]?.number?.int64 == 9)
        let wandering = try await load(Log(), phones: 10, for: .milliseconds(500))
        #expect(wandering.brokenRules == [] && wandering.description.contains(line), "\(wandering)")
    }

    @Test func `An app in this process is served while it is loaded`() async throws {
        let log = Log()
        let report = try await load(log, phones: 4, rate: 100, until: { log.all.count > 20 })
        #expect(report.brokenRules == [], "\(report)")
        #expect(report.unreachable == nil)
        #expect(log.all.count > 20, "\(report)")
    }

    /// `localhost` usually has two addresses, and the server listens at one.
    @Test func `Phones speak TLS`() async throws {
        let log = Log()
        let authority = TestAuthority.shared
        let report = try await withServer(app(log).handler(), configuration: authority.serverConfiguration) { address in
            var options = LoadOptions()
            options.phones = 4
            options.rate = 100 / Double(Patience.factor)
            options.duration = .seconds(60)
            let url = "https://localhost:\(address.port)/"
            return try await Load(url, trusting: authority.trust, options: options).report { log.all.count > 20 }
        }
        #expect(report.brokenRules == [], "\(report)")
        #expect(log.all.count > 20, "\(report)")
    }

    @Test func `A wait behind an entry is waited for`() async throws {
        let log = Log()
        let flow = LoadFlow(
            "slow",
            steps: [
                .launch(), .wait(.milliseconds(50)), .tap("Join"), .enter("ann", into: "Name"), .wait(.seconds(60)),
                .tap("Send"),
            ]
        )
        let report = try await load(log, [flow], phones: 2) { $0.think = .milliseconds(50) }
        #expect(report.brokenRules == ["steps-not-reached"], "\(report)")
        #expect(report.findings.first?.message == "1 step of the flows was never reached: tap \"Send\".", "\(report)")
        #expect(log.count("join seen=yes") == 2)
        #expect(!log.all.contains { $0.hasPrefix("send") })
    }

    @Test(arguments: [HTTPResponse.Status.temporaryRedirect, .permanentRedirect])
    func `An app's GET follows redirects that keep the method, and its POST doesn't`(
        status: HTTPResponse.Status
    ) async throws {
        let log = Log()
        let router = Router()
        router.get("/") { _ in
            log.note("home")
            return page("Home", [["typ": "form_button", "text": "Send", "actions": ["rpc:/old"]]])
        }
        router.get("/old") { _ in Response(status: status, headers: [.location: "/"]) }
        var options = LoadOptions()
        options.phones = 1
        options.rate = 50
        options.duration = .seconds(60)
        let get = LoadFlow("get", steps: [.launch(at: "/old")])
        let followed = try await Load(router, flows: [get], options: options).report { log.all.count > 6 }
        #expect(followed.brokenRules == [], "\(followed)")
        #expect(followed.statuses[200] ?? 0 > 3, "\(followed)")
        let (posted, post) = (Log(), LoadFlow("post", steps: [.launch(), .tap("Send")]))
        router.post("/old") { _ in
            posted.note("send")
            return Response(status: status, headers: [.location: "/"])
        }
        let refused = try await Load(router, flows: [post], options: options).report { posted.all.count > 1 }
        #expect(refused.brokenRules == ["bad-redirect"], "\(refused)")
    }

    /// RFC 9110, sections 15.4.2 to 15.4.9.
    @Test(arguments: [
        (HTTPResponse.Status.found, HTTPRequest.Method.get, "GET text/x text/y "),
        (.movedPermanently, .post, "GET text/x - "), (.found, .put, "PUT text/x text/y hi"),
        (.seeOther, .put, "GET text/x - "), (.temporaryRedirect, .post, "POST text/x text/y hi"),
        (.permanentRedirect, .put, "PUT text/x text/y hi"),
    ])
    func `A plain request keeps its header fields after a redirect`(
        status: HTTPResponse.Status,
        method: HTTPRequest.Method,
        expected: String
    ) async throws {
        let log = Log()
        let handler = FunctionHandler { request in
            if request.path == "/old" { return Response(status: status, headers: [.location: "/new"]) }
            guard request.path == "/new" else { return Response() }
            let (accept, type) = (request.headers[.accept] ?? "-", request.headers[.contentType] ?? "-")
            let body = String(decoding: try await request.body.collect(), as: UTF8.self)
            log.note("\(request.method.rawValue) \(accept) \(type) \(body)")
            return Response()
        }
        var options = LoadOptions()
        options.phones = 1
        options.rate = 20
        options.duration = .seconds(1)
        let request = LoadRequest(
            method,
            "/old",
            headers: [.accept: "text/x", .contentType: "text/y"],
            body: method == .get ? [] : Array("hi".utf8)
        )
        let flow = LoadFlow("moved", steps: [.request(request)])
        let report = try await withServer(handler) { address in
            try await Load("http://\(address)/", flows: [flow], options: options).report()
        }
        #expect(report.brokenRules == [], "\(report)")
        #expect(Set(log.all) == [expected])
    }

    @Test func `Waves launch phones together`() {
        var options = LoadOptions()
        options.phones = 10
        options.ramp = .seconds(10)
        options.waves = 2
        let plan = LoadPlan(base: try! HTTPURL("http://h/"), flows: [], options: options, id: "", start: 5)
        #expect((0..<10).map { plan.launch(of: $0) - 5 } == [0, 0, 0, 0, 0, 5, 5, 5, 5, 5].map { $0 * 1_000_000_000 })
    }
}
