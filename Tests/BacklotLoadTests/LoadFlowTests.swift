import BacklotChecks
import BacklotClients
import BacklotHTTP
import BacklotMocks
import BacklotRecording
import HTTPTypes
import Testing

@testable import BacklotLoad

/// Flows from files, and conditions from texts.
@Suite(.timeLimit(.minutes(5))) struct LoadFlowTests {
    private func read(_ text: String) async throws -> [LoadFlow] {
        try await LoadFlow.read(Array(text.utf8), name: "shop.json")
    }

    @Test func `A list of steps is a flow`() async throws {
        let flows = try await read(
            """
            ["launch", {"tap": "New", "number": 2}, {"enter": "ann {phone}", "into": "Name"}, {"check": "A"}, {"uncheck": "B"},
             {"choose": "Red", "from": "Colour"}, {"wait": 2.5}, "back", {"open": "/x"}, {"relaunch": false}, "pull_to_refresh",
             "upload_photo", "cancel_photo", "wander", {"request": "POST /a", "body": {"x": 1}}, {"request": "/b", "headers": {"X-A": "1"}}]
            """
        )
        #expect(flows.map(\.name) == ["shop.json"])
        let user = LoadFlow.User(phone: 7, run: 0, id: "i")
        #expect(
            flows[0].steps(user) == [
                .launch(), .tap("New", number: 2), .enter("ann 7", into: "Name"), .check("A"), .uncheck("B"),
                .choose("Red", from: "Colour"), .wait(.seconds(2.5)), .back, .open(at: "/x"),
                .relaunch(keepsStack: false),
                .pullToRefresh, .uploadPhoto, .cancelPhoto, .wander,
                .request(
                    LoadRequest(.post, "/a", headers: [.contentType: "application/json"], body: Array(#"{"x":1}"#.utf8))
                ),
                .request(LoadRequest(.get, "/b", headers: [.init("X-A")!: "1"])),
            ]
        )
    }

    @Test(
        arguments: [
            (.tap("Show {phone}", number: 2), .tap("Show 7", number: 2)), (.check("Row {run}"), .check("Row 3")),
            (.uncheck("Row {run}"), .uncheck("Row 3")), (.enter("{id}", into: "Row {run}"), .enter("i", into: "Row 3")),
            (.choose("{id}", from: "Row {run}"), .choose("i", from: "Row 3")), (.open(at: "/{id}"), .open(at: "/i")),
        ] as [(LoadStep, LoadStep)]
    )
    func `Each text of a step may have the user's values`(step: LoadStep, filled: LoadStep) {
        let flow = LoadFlow("flow", steps: [step])
        #expect(flow.steps(LoadFlow.User(phone: 7, run: 3, id: "i")) == [filled])
    }

    @Test(
        arguments: [
            ("launch()", .launch()), (#"launch(at: "/x")"#, .launch(at: "/x")),
            (#"tap("A \"b\" \u{e9}\n")"#, .tap("A \"b\" é\n")),
            (#"tap("A", number: 2)"#, .tap("A", number: 2)), (#"enter("", into: "Name")"#, .enter("", into: "Name")),
            (#"enter(String(repeating: "ab", count: 3), into: "N")"#, .enter("ababab", into: "N")),
            (#"choose("Red", from: "Colour")"#, .choose("Red", from: "Colour")),
            ("wait(.milliseconds(1500))", .wait(.seconds(1.5))),
            ("relaunch(keepsStack: false)", .relaunch(keepsStack: false)), ("back()", .back),
            ("uploadPhoto()", .uploadPhoto),
            (#"enter("x" + String(repeating: "a", count: 2), into: "N")"#, .enter("xaa", into: "N")),
            ("forgetCookies()", nil), ("tap()", nil), ("tap(", nil), ("tap(\"x", nil), ("tap(\"x\") ", nil),
            ("tap(\"\\q\")", nil),
            ("enter(\"x\", from: \"y\")", nil), ("tap(\"x\", number: 0)", nil), ("wait(.days(1))", nil), ("", nil),
            ("()", nil),
            ("enter(String(repeating: \"a\", count: 99999999), into: \"N\")", nil), ("tap(\"\\u{110000}\")", nil),
        ] as [(String, LoadStep?)]
    )
    func `Calls are steps`(call: String, step: LoadStep?) {
        #expect(LoadStep(call: call) == step)
    }

    @Test(arguments: [(10, true), (11, false)])
    func `A text in parts has at most ten million bytes`(count: Int, isStep: Bool) {
        let part = #"String(repeating: "x", count: 1000000)"#
        let call = "enter(\(Array(repeating: part, count: count).joined(separator: " + ")), into: \"N\")"
        let text = String(repeating: "x", count: count * 1_000_000)
        #expect(LoadStep(call: call) == (isStep ? .enter(text, into: "N") : nil))
    }

    @Test func `The findings of an exploration are flows`() async throws {
        let flows = try await read(
            """
            {"seed": "7", "findings": [
            {"rule": "a", "flow": ["app1: launch()", "app2: launch()", "app1: tap(\\"New\\") (the network: cut)", "app1: forgetCookies()"]},
            {"rule": "b"}, {"rule": "c", "flow": ["connect()"]}]}
            """
        )
        #expect(flows.map(\.sample) == [[.launch(), .tap("New")]])
    }

    @Test func `A recording of an app is what people did`() async throws {
        func page(_ title: String, _ widget: String) -> [UInt8] {
            Array(
                #"{"page":{"typ":"nav_page","title":"\#(title)","widget":{"typ":"scroll","widget":\#(widget)}}}"#.utf8
            )
        }
        let type: HTTPFields = [.contentType: "application/vnd.applin_response"]
        let flows = await RecordedFlow.flows(of: [
            RecordedExchange(
                .get,
                "/",
                responseHeaders: type,
                responseBody: page("Home", #"{"typ":"nav_button","text":"Join","actions":["push:/join"]}"#)
            ),
            RecordedExchange(
                .get,
                "/join",
                responseHeaders: type,
                responseBody: page("Join", #"{"typ":"text","text":"Hello"}"#),
                began: .seconds(3)
            ),
        ])
        #expect(flows == [[.launch(nil), .tap("Join")]])
    }

    @Test func `Several flows have names and weights`() async throws {
        let flows = try await read(
            #"{"flows": [{"name": "a", "weight": 3, "steps": ["launch"]}, {"steps": [{"request": "GET /"}]}]}"#
        )
        #expect(flows.map(\.name) == ["a", "shop.json 2"])
        #expect(flows.map(\.weight) == [3, 1])
    }

    @Test(
        arguments: [
            ("", "shop.json:1:1: this is no JSON"),
            ("{}", "this isn't a list of steps"),
            ("[]", "has no list of steps"),
            ("3", "this isn't a list of steps"),
            (#"["jump"]"#, "step 1: \"jump\" is unknown"),
            (#"["launch", {"tap": 3}]"#, "step 2"),
            (#"["launch", {"enter": "x"}]"#, "step 2"),
            (#"["launch", {"wait": -1}]"#, "step 2"),
            (#"["launch", {"wait": 0}]"#, "step 2"),
            (#"["launch", {"wait": 0.0009}]"#, "step 2"),
            (#"["launch", {"wait": 0.001}]"#, nil),
            (#"["launch", "wait(.seconds(0))"]"#, "step 2"),
            (#"["launch", {"tap": "x", "number": 0}]"#, "step 2"),
            (#"[{"request": "GET x"}]"#, "step 1"),
            (#"[{"request": "GET /x HTTP/1.1"}]"#, "step 1"),
            (#"[{"tap": "x"}]"#, "doesn't begin with a launch"),
            (#"["launch", {"wait": 1}]"#, nil),
            (#"[{"check": "x"}]"#, "has no step that sends a request"),
            (#"{"flows": [{"weight": 0, "steps": ["launch"]}]}"#, "the weight 0"),
            (#"{"log": {"entries": 3}}"#, "the file isn't a HAR"),
        ] as [(String, String?)]
    )
    func `A file that is no flow says why`(text: String, problem: String?) async throws {
        do {
            _ = try await read(text)
            #expect(problem == nil, "\(text)")
        } catch let mistake as LoadError {
            #expect(problem.map { mistake.description.contains($0) } == true, "\(mistake)")
        }
    }

    @Test func `A recording of requests is a flow of each client`() async throws {
        let flows = try await read(
            """
            {"log": {"entries": [
            {"startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1, "request": {"method": "GET", "url": "http://h/a?b=1", "headers": []},
             "response": {"status": 200, "headers": [], "content": {"text": "x"}}},
            {"startedDateTime": "2026-01-01T00:00:02.000Z", "time": 1, "request": {"method": "POST", "url": "http://h/c", "headers":
             [{"name": "Host", "value": "h"}, {"name": "X-B", "value": "1"}], "postData": {"mimeType": "text/plain", "text": "hi"}},
             "response": {"status": 200, "headers": [], "content": {"text": "x"}}},
            {"startedDateTime": "2026-01-01T00:00:03.000Z", "request": {"method": "GET", "url": "ws://h/live", "headers": []},
             "response": {"status": 101, "headers": [], "content": {}}, "_webSocketMessages": []},
            {"startedDateTime": "2026-01-01T00:00:03.000Z", "request": {"method": "GET", "url": "ws://h/live", "headers": []},
             "response": {"status": 403, "headers": [], "content": {}}}]}}
            """
        )
        let steps = flows[0].sample
        #expect(steps.map(\.description) == ["GET /a?b=1", "wait 2.0 seconds", "POST /c"])
        guard case .request(let request) = steps[2].kind else { return }
        #expect(request.body == Array("hi".utf8))
        #expect(request.headers[.init("X-B")!] == "1")
        #expect(request.headers.map(\.name.canonicalName).sorted() == ["content-type", "x-b"])
    }

    @Test(
        arguments: [
            (["aaaaaaa1", "bbbbbbb2", "aaaaaaa1"], [["GET /0", "wait 2.0 seconds", "GET /2"], ["GET /1"]]),
            ([nil, "aaaaaaa1", "bbbbbbb2"], [["GET /0"], ["GET /1"], ["GET /2"]]),
            ([nil, "aaaaaaa1"], [["GET /0", "wait 1.0 seconds", "GET /1"]]),
        ] as [([String?], [[String]])]
    )
    func `Cookies tell the clients of a recording apart`(sessions: [String?], steps: [[String]]) async throws {
        let entries = sessions.enumerated().map { index, session in
            let headers = session.map { #"{"name": "Cookie", "value": "sid=\#($0)"}"# } ?? ""
            return #"""
                {"startedDateTime": "2026-01-01T00:00:0\#(index).000Z", "time": 1,
                 "request": {"method": "GET", "url": "http://h/\#(index)", "headers": [\#(headers)]},
                 "response": {"status": 200, "headers": [], "content": {"text": "x"}}}
                """#
        }
        .joined(separator: ",")
        let flows = try await read(#"{"log": {"entries": [\#(entries)]}}"#)
        #expect(flows.map { $0.sample.map(\.description) } == steps)
    }

    @Test(
        arguments: [
            ("p99>200ms", nil), ("p99.9 > 1.5s", nil), ("P50>900us", nil), ("errors>1%", nil), ("errors>0%", nil),
            ("", "isn't a condition"), ("p99", "isn't a condition"), ("p99>200", "isn't a time"),
            ("p99>ms", "isn't a limit"),
            ("p99>200 MB", "isn't a time"), ("p0>1ms", "isn't a figure"), ("p101>1ms", "isn't a figure"),
            ("max>1ms", "isn't a figure"),
            ("errors>1", "isn't an error limit"), ("errors>101%", "isn't an error limit"),
            ("p99>1>2", "isn't a condition"),
            ("p99>-1ms", "isn't a limit"), ("p99>0ms", "isn't a time"), ("p99>2h", "isn't a time"),
            ("p99<200ms", "isn't a condition"),
            ("p99>1e999ms", "isn't a time"),
        ] as [(String, String?)]
    )
    func `A condition is read, or says what to write`(text: String, problem: String?) {
        do throws(AbortCondition.ParsingError) {
            _ = try AbortCondition(text)
            #expect(problem == nil, "\(text)")
        } catch {
            #expect(problem.map { error.description.contains($0) } == true, "\(error)")
            #expect(error.description.contains("p99>200ms"))
        }
    }

    @Test func `A wait is from a millisecond to a day`() {
        #expect(LoadStep.wait(.zero) == .wait(.milliseconds(1)))
        #expect(LoadStep.wait(.seconds(Int64.max)) == .wait(.seconds(86_400)))
    }

    private static let refused: [(word: String, change: @Sendable (inout LoadOptions) -> Void)] = [
        ("phones", { $0.phones = 0 }), ("phones", { $0.phones = 1_000_001 }), ("a load takes", { $0.duration = .zero }),
        ("a rate", { $0.rate = 0 }), ("a rate", { $0.rate = .nan }), ("a rate", { $0.rate = .infinity }),
        ("a think time", { $0.think = .seconds(-1) }), ("a ramp", { $0.ramp = .seconds(-1) }),
        ("waves", { $0.waves = 0 }),
        ("threads", { $0.threads = 65 }), ("connections", { $0.connections = 0 }),
        ("ulimit -n", { $0.connections = 100_000 }),
    ]

    @Test(arguments: refused.indices)
    func `An option that can't be is refused`(index: Int) throws {
        let (word, change) = Self.refused[index]
        var options = LoadOptions()
        change(&options)
        let mistake = #expect(throws: LoadError.self) { try Load("http://127.0.0.1/", options: options) }
        #expect(mistake?.description.contains(word) == true, "\(mistake?.description ?? "")")
    }
}
