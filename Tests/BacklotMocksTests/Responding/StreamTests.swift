import Backlot
import TestSupport
import Testing

@testable import BacklotMocks

/// Streams of events and WebSockets that files describe.
@Suite(.timeLimit(.minutes(5))) struct StreamTests {
    private func events(
        _ text: String,
        lastEventID: String? = nil,
        path: String = "/news"
    ) async throws -> (text: String, isWhole: Bool) {
        try await withMocks(["news.sse.yaml": text]) { mocks in
            try await withServer(mocks.handler) { address in
                let client = try await RawClient.connect(to: address)
                let field = lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
                try await client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\(field)Connection: close\r\n\r\n")
                let all = String(decoding: try await client.receiveToEnd().bytes, as: UTF8.self)
                #expect(all.contains("Content-Type: text/event-stream\r\n"), "\(all)")
                // Chunks without their lengths.
                let parts = all.split(separator: "\r\n\r\n", maxSplits: 1)
                let body = parts.count == 2 ? parts[1] : ""
                let lines = body.split(separator: "\r\n").filter { Int($0, radix: 16) == nil }
                return (lines.joined(), all.hasSuffix("0\r\n\r\n"))
            }
        }
    }

    @Test(arguments: [
        ("steps: [{send: hello}]", "data: hello\n\n"),
        (
            "steps:\n  - {send: {a: '{{query.x}}', n: 1}, event: story, id: 7, retry: 2500}\n",
            "event: story\nid: 7\nretry: 2500\ndata: {\"a\":\"é\",\"n\":1}\n\n"
        ),
        ("steps: [{send: \"a\\nb\", delay: 5}, {delay: 5}, {send: 3}]", "data: a\ndata: b\n\ndata: 3\n\n"),
        (
            "steps:\n  - steps: [{send: 'r{{round}}', id: 'r{{round}}'}, {steps: [{send: 'i{{round}}'}], times: 2}]\n    times: 2\n  - send: end\n",
            "id: r1\ndata: r1\n\ndata: i1\n\ndata: i2\n\nid: r2\ndata: r2\n\ndata: i1\n\ndata: i2\n\ndata: end\n\n"
        ),
    ])
    func `Events are sent in their order`(text: String, events: String) async throws {
        let sent = try await self.events(text, path: "/news?x=%C3%A9")
        #expect(sent.text == events)
        #expect(sent.isWhole)
    }

    @Test(arguments: [
        ("2", "id: 3\ndata: c\n\n"), ("3", ""), ("1", "id: 2\ndata: b\n\nid: 3\ndata: c\n\n"),
        ("unknown", "id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\ndata: c\n\n"),
    ])
    func `A client that comes back gets the events after its last one`(id: String, events: String) async throws {
        let text = "steps: [{send: a, id: 1}, {send: b, id: 2}, {send: c, id: 3}]"
        let sent = try await self.events(text, lastEventID: id)
        #expect(sent.text == events)
    }

    @Test func `A client that comes back with an unknown id into an endless loop gets its beginning`() async throws {
        let text = "steps:\n  - steps: [{send: x, id: '{{round}}'}, {steps: [{cut: true}], times: 1}]\n"
        #expect(try await events(text, lastEventID: "nobody").text.contains("id: 1"))
    }

    @Test func `A client comes back into an endless loop`() async throws {
        let text = "steps:\n  - steps: [{send: x, id: '{{round}}'}, {steps: [{cut: true}], times: 1}]\n"
        let sent = try await events(text, lastEventID: "4711")
        #expect(sent.text == "")
        #expect(!sent.isWhole)
        let first = try await events(text)
        #expect(first.text == "id: 1\ndata: x\n\n")
    }

    @Test func `A stream that is cut has no end`() async throws {
        let sent = try await events("steps: [{send: a}, {delay: 20, cut: true}, {send: b}]")
        #expect(sent.text == "data: a\n\n")
        #expect(!sent.isWhole)
    }

    @Test func `Conditions choose the steps, and a response without steps is none`() async throws {
        let text = """
            responses:
              - request: {queryParameters: {fail: "1"}}
                status: 503
                body: later
              - request: {headers: {Authorization: Bearer t}}
                headers: {X-Own: "1"}
                steps: [{send: hello}]
            """
        try await withMocks(["news.sse.yaml": text]) { mocks in
            try await mocks.expect("503 later", .get, "/news?fail=1")
            let response = try await mocks.ask(.get, "/news", headers: [.authorization: "Bearer t"])
            #expect(response.headers[try #require(HTTPField.Name("X-Own"))] == "1")
            #expect(response.headers[.contentType] == "text/event-stream")
        }
    }

    // MARK: WebSockets

    private func talk(
        _ text: String,
        path: String = "/chat",
        _ body: (WebSocketClient) async throws -> Void
    ) async throws {
        try await withMocks(["chat.ws.yaml": text]) { mocks in
            try await withServer(mocks.handler) { address in
                let client = try await WebSocketClient.open(address, path, more: ["Origin: https://elsewhere.example"])
                let response = await client.response
                #expect(response.status == 101, "\(response.text)")
                try await body(client)
            }
        }
    }

    @Test func `A stub passes a WebSocket on to another backend`() async throws {
        try await withMocks(["chat.ws.yaml": "steps: [{expect: {}}, {send: 'got {{message}}'}, {close: 3001}]"]) {
            other in
            try await withServer(other.handler) { address in
                let stub = "proxyBaseUrl: http://\(address)\nheaders: {X-By: mocks}\n"
                try await withMocks(["chat.get.yaml": stub]) { mocks in
                    try await withServer(mocks.handler) { address in
                        let client = try await WebSocketClient.open(address, "/chat")
                        let response = await client.response
                        #expect(response.status == 101 && response["X-By"] == "mocks")
                        try await client.send("hello")
                        #expect(try await client.receive() == WebSocketFrame("got hello"))
                        #expect(try await client.receive() == .close(3001))
                        let plain = try await address.exchange(.http1, "/chat", [:])
                        #expect(plain.status.code == 426)
                    }
                }
            }
        }
    }

    @Test func `A script expects and sends`() async throws {
        let text = """
            steps:
              - send: {welcome: "{{query.name}}"}
              - expect: {equalToJson: {type: join}, ignoreExtraElements: true}
              - send: "hello {{message.user}}"
              - steps:
                  - expect: {matches: "ping.*"}
                  - send: "pong {{round}}: {{message}}"
                times: 2
              - expect: {}
              - base64: AAE=
              - close: 3001
                reason: bye
            """
        try await talk(text, path: "/chat?name=Ann") { client in
            #expect(try await client.receive() == WebSocketFrame(#"{"welcome":"Ann"}"#))
            try await client.send(#"{"type":"join","user":"bob"}"#)
            #expect(try await client.receive() == WebSocketFrame("hello bob"))
            try await client.send("ping a")
            try await client.send("ping b")
            #expect(try await client.texts(2) == ["pong 1: ping a", "pong 2: ping b"])
            try await client.send(WebSocketFrame(0x82, [1, 2]))
            #expect(try await client.receive() == WebSocketFrame(0x82, [0, 1]))
            #expect(try await client.receive() == .close(3001, "bye"))
            try await client.send(.close(3001))
            #expect(try await client.receive() == nil)
        }
    }

    @Test(arguments: [
        ("steps: [{expect: hello}]", "hi", "expected \"hello\", got \"hi\""),
        ("steps: [{expect: {equalToJson: {a: 1}}}]", "{}", "expected {\"a\":1}, got \"{}\""),
        ("steps: [{expect: hello, within: 30}]", nil, "no message came within 30 ms"),
    ])
    func `A message that isn't expected ends the WebSocket`(text: String, message: String?, reason: String) async throws
    {
        try await talk(text) { client in
            if let message { try await client.send(message) }
            #expect(try await client.receive() == .close(1008, reason))
        }
    }

    /// A script's matchers are not judged by the vocabulary, and such offsets ended the server.
    @Test(arguments: ["years", "months", "days", "hours", "seconds"])
    func `A date may be expected before or after any number of units`(unit: String) async throws {
        let text = """
            steps:
              - expect: {before: now, expectedOffset: 9223372036854775807, expectedOffsetUnit: \(unit)}
              - expect: {after: now, expectedOffset: -9223372036854775808, expectedOffsetUnit: \(unit)}
              - send: both
            """
        try await talk(text) { client in
            for _ in 0..<2 { try await client.send("2026-11-28T00:00:00Z") }
            #expect(try await client.receive() == WebSocketFrame("both"))
        }
    }

    /// Faults in the middle of a stream, and the bytes that come in place of its end; nil for random ones.
    @Test(
        arguments: [
            ("EMPTY_RESPONSE", "", .closed), ("CONNECTION_RESET_BY_PEER", "", .reset),
            ("MALFORMED_RESPONSE_CHUNK", "this is no chunk\r\n", .closed), ("RANDOM_DATA_THEN_CLOSE", nil, .closed),
        ] as [(String, String?, ConnectionEnd)]
    )
    func `A fault breaks a stream`(fault: String, rest: String?, end: ConnectionEnd) async throws {
        func expectRest(_ bytes: [UInt8]) {
            if let rest {
                #expect(bytes.elementsEqual(rest.utf8))
            } else {
                #expect(bytes.count == 64 && bytes[0] > 0x7F)
            }
        }
        let text = "steps: [{send: a}, {delay: 20, fault: \(fault)}, {send: b}]"
        try await withMocks(["news.sse.yaml": text, "chat.ws.yaml": text]) { mocks in
            try await withServer(mocks.handler) { address in
                let client = try await RawClient.connect(to: address)
                try await client.send("GET /news HTTP/1.1\r\nHost: h\r\n\r\n")
                let (bytes, ending) = (try await client.receiveToEnd().bytes, Array("data: a\n\n\r\n".utf8))
                let start = try #require(bytes.indices.first { bytes[$0...].starts(with: ending) })
                expectRest(Array(bytes[(start + ending.count)...]))
                let socket = try await WebSocketClient.open(address, "/chat")
                #expect(try await socket.texts(1) == ["a"])
                let last = try await socket.receiveToEnd()
                #expect(last.end == end)
                expectRest(last.bytes)
            }
        }
    }

    @Test func `A stall sends nothing`() async throws {
        // The script continues, so that a ping after the stall gets its pong too.
        let text = "steps: [{send: a}, {stall: 400}, {send: b}, {expect: {}}]"
        let start = ContinuousClock.now
        try await talk(text) { client in
            #expect(try await client.texts(1) == ["a"])
            try await client.send(WebSocketFrame(0x89, "p"))
            #expect(try await Set(client.texts(2)) == ["p", "b"])
            #expect(start.duration(to: .now) >= .milliseconds(300))
            try await client.send("bye")
        }
        let sent = try await events("steps: [{stall: 30}, {send: a, incomplete: true}, {send: b}]")
        #expect(sent.text == "data: a\ndata: b\n\n")
        #expect(sent.isWhole)
    }

    /// Codes that programs rarely send.
    @Test(arguments: [1001, 1011, 1012, 1013, 3000, 4999])
    func `A WebSocket ends with any code that may be sent`(code: UInt16) async throws {
        try await talk("steps: [{close: \(code), reason: why}]") { client in
            let close = try await client.receive()
            #expect(close == .close(code, "why"))
        }
    }

    @Test func `A script without further steps says goodbye, and one that cuts doesn't`() async throws {
        for (text, end) in [
            ("steps: [{send: a}]", WebSocketFrame.close(1000)), ("steps: [{send: a}, {delay: 10, cut: true}]", nil),
        ] {
            try await talk(text) { client in
                let (texts, last) = (try await client.texts(1), try await client.receive())
                #expect(texts == ["a"])
                #expect(last == end)
            }
        }
    }

    @Test func `A path of a WebSocket says so to other requests`() async throws {
        try await withMocks(["chat.ws.yaml": "steps: [{send: a}]"]) { mocks in
            let response = try await mocks.ask(.get, "/chat")
            #expect(response.status.code == 426)
        }
    }

    @Test(arguments: [
        ("live.get.json", "[1]", "200 [1]"),
        ("live.page.yaml", "page: {typ: plain_page, title: t, widget: {typ: text, text: a}}", "200 {\"page\":{"),
        ("live.crud.yaml", "rows: [{id: 1}]", "200 [{\"id\":1}]"), ("[...rest].get.json", "[2]", "200 [2]"),
        ("live.sse.yaml", "steps: [{send: a}]", "200 "),
        ("live.get.yaml", "request: {queryParameters: {x: '1'}}\nbody: a\n", "426 "),
    ])
    func `A path has a WebSocket and a page`(file: String, text: String, page: String) async throws {
        // Whichever is read first.
        for files in [[file: text, "live.ws.yaml": "steps: [{send: hi}]"], ["live.ws.yaml": "steps: [{send: hi}]"]] {
            try await withMocks(files) { mocks in
                if files.count == 1 {
                    try mocks.folder.write(text, to: file)
                    #expect(mocks.files.scan().problems.isEmpty)
                }
                try await mocks.expect(prefix: page, .get, "/live")
                try await withServer(mocks.handler) { address in
                    let client = try await WebSocketClient.open(address, "/live")
                    #expect(try await client.texts(1) == ["hi"])
                }
            }
        }
    }

    @Test func `A WebSocket's file may refuse, and stubs of a running server go first`() async throws {
        let script =
            "responses: [{request: {queryParameters: {key: '1'}}, steps: [{send: hi}]}, {status: 403, body: no}]"
        try await withMocks(["live.ws.yaml": script, "live.get.json": "[1]"]) { mocks in
            try await withServer(mocks.handler) { address in
                func status(_ path: String) async throws -> Int {
                    await (try WebSocketClient.open(address, path)).response.status
                }
                #expect(try await status("/live") == 403)
                #expect(try await status("/live?key=1") == 101)
                try await mocks.expect("200 [1]", .get, "/live")
                let stub: JSONValue = ["request": ["method": "GET", "urlPath": "/live"], "response": ["status": 503]]
                mocks.backend.stubs.add(try Stub(json: stub))
                #expect(try await status("/live?key=1") == 503)
            }
        }
    }

    @Test func `A path has one file for a WebSocket`() async throws {
        let text = "steps: [{send: a}]"
        let found = try await problems("a.ws.yml", text, others: ["a.ws.yaml": text, "a.get.json": "1"])
        #expect(found.count == 1 && found[0].contains("the WebSocket /a is answered by a.ws.yaml already"), "\(found)")
    }

    // MARK: Files

    @Test(
        arguments: triples(
            """
            a.sse.yaml → steps: []⏎ → a.sse.yaml:1:8: the list is empty; write at least one step
            a.sse.yaml → status: 200⏎ → a.sse.yaml:1:1: there are no steps; write them under 'steps:'
            a.ws.yaml → body: a⏎ → a.ws.yaml:1:1: there are no steps; write them under 'steps:'
            a.get.yaml → steps: [{send: a}]⏎ → a.get.yaml:1:1: steps stand in NAME.sse.yaml and NAME.ws.yaml only; rename the file
            a.sse.yaml → steps: [{sned: a}]⏎ → a.sse.yaml:1:10: A step has no key "sned"
            a.sse.yaml → steps: [{expect: a}]⏎ → a.sse.yaml:1:10: 'expect' is a WebSocket's, in NAME.ws.yaml
            a.ws.yaml → steps: [{send: a, id: 1}]⏎ → a.ws.yaml:1:19: 'id' is an event's, in NAME.sse.yaml
            a.ws.yaml → steps: [{send: a, close: 1000}]⏎ → a.ws.yaml:1:9: The keys "send" and "close" contradict each other
            a.ws.yaml → steps: [{close: 1005}]⏎ → a.ws.yaml:1:17: a close frame can't have 1005; write 1000, or 3000 to 4999
            a.ws.yaml → steps: [{close: 5000}]⏎ → a.ws.yaml:1:17: "close" is 5000, but must be a whole number from 1000 to 4999
            a.sse.yaml → steps: [{incomplete: true}]⏎ → a.sse.yaml:1:10: 'incomplete' goes with 'send'
            a.ws.yaml → steps: [{send: a, incomplete: true}]⏎ → a.ws.yaml:1:19: 'incomplete' is an event's, in NAME.sse.yaml
            a.ws.yaml → steps: [{fault: EMPTY}]⏎ → a.ws.yaml:1:17: "fault" is "EMPTY"
            a.ws.yaml → steps: [{stall: 1, cut: true}]⏎ → a.ws.yaml:1:9: The keys "stall" and "cut" contradict each other
            a.sse.yaml → steps: [{id: 1}]⏎ → a.sse.yaml:1:10: 'id' goes with 'send'
            a.sse.yaml → steps: [{send: a, times: 2}]⏎ → a.sse.yaml:1:19: 'times' goes with 'steps'
            a.sse.yaml → steps: [{steps: [{delay: 0}]}]⏎ → a.sse.yaml:1:10: repeated steps need a 'delay', a 'send' or an 'expect' among them
            a.sse.yaml → steps: [{steps: [{delay: 0}], times: 2}]⏎ → a.sse.yaml:1:10: repeated steps need a 'delay'
            a.sse.yaml → steps: [{times: 9, steps: [{times: 9, steps: []}]}]⏎ → a.sse.yaml:1:39: repeated steps need a 'delay'
            a.ws.yaml → steps: [{send: a}, {times: 9, steps: [{stall: 0}]}]⏎ → a.ws.yaml:1:31: repeated steps need a 'delay'
            a.ws.yaml → steps: [{steps: [{expect: a}, {times: 9, steps: [{delay: 0}]}]}]⏎ → a.ws.yaml:1:42: repeated steps need a 'delay'
            a.sse.yaml → steps: [{delay: 5, steps: [{send: a}]}]⏎ → a.sse.yaml:1:9: a loop waits by its steps
            a.ws.yaml → steps: [{expect: {equalsTo: a}}]⏎ → a.ws.yaml:1:19: there is no key 'equalsTo'; did you mean 'equalTo'?
            a.sse.yaml → steps: [{send: "{{pth.id}}"}]⏎ → a.sse.yaml:1:17: {{pth.id}} begins with none of
            a.sse.yaml → steps: [{send: a}]⏎body: b⏎ → a.sse.yaml:1:1: The keys "body" and "steps" contradict each other
            a.sse.json → {"steps":[]} → a.sse.json:1:1: steps are written in YAML; let the name end in .sse.yaml
            """
        )
    )
    func `Mistakes are told where they are`(name: String, text: String, message: String) async throws {
        let found = try await problems(name, text).joined(separator: "\n")
        #expect(found.hasPrefix(message), "\(found)")
    }

    @Test func `A position goes through loops, and ends`() throws {
        var reader = MockReader(isForeign: false)
        let value = try JSONValue(
            parsing:
                #"[{"send":"a"},{"steps":[{"send":"b"},{"steps":[{"send":"c"}],"times":2}],"times":2},{"delay":1}]"#
        )
        var position = StreamPosition(try StreamScript(LocatedValue(value), .events, .own, &reader))
        var seen: [String] = []
        while let (step, round) = position.next() {
            if case .send(.bytes(let bytes), _) = step.action {
                seen.append(String(decoding: bytes, as: UTF8.self) + "\(round)")
            } else {
                seen.append("-")
            }
        }
        #expect(seen == ["a1", "b1", "c1", "c2", "b2", "c1", "c2", "-"])
    }
}
