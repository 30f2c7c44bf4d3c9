import Backlot
import TestSupport
import Testing

@testable import BacklotHTTP
@testable import BacklotMocks
@testable import BacklotRecording

/// A stream of events that was recorded, as a mock file.
@Suite(.timeLimit(.minutes(5))) struct RecordedEventsTests {
    @Test(arguments: [
        ("data: a\n\n", #"[{"send":"a"}]"#),
        (
            "event: n\r\nid: 1\r\nretry: 50\r\ndata: {\"a\":1}\r\n\r\n",
            #"[{"send":{"a":1},"event":"n","id":"1","retry":50}]"#
        ),
        ("retry: 50\n\ndata: a\n\ndata: b\n\n", #"[{"send":"a","retry":50},{"send":"b"}]"#),
        (": hello\n\n:\n\ndata: a\rdata:b\r\rdata: c", #"[{"send":"a\nb"}]"#),
        ("data: {\"a\": 1}\n\nid\ndata\n\n", #"[{"send":"{\"a\": 1}"},{"send":"","id":""}]"#),
        (
            ": recorded after ms 30\ndata: a\n\n: recorded after ms 5\n:\n\n: recorded after ms 7\ndata: b\n\n",
            #"[{"delay":30,"send":"a"},{"delay":12,"send":"b"}]"#
        ),
        (
            """
            : recorded after ms 9223372036854775807
            : recorded after ms 9223372036854775807
            data: a

            : recorded after ms -9223372036854775808
            : recorded after ms -1
            data: b


            """,
            #"[{"delay":3600000,"send":"a"},{"send":"b"}]"#
        ),
    ])
    func `A body becomes steps`(body: String, steps: String) throws {
        #expect(RecordedEvents.steps(Array(body.utf8)) == (try JSONValue(parsing: steps)))
    }

    @Test(arguments: ["", "data: a\n", ":\n\n", "event: a\n\n"]) func `A body without an event has none`(body: String) {
        #expect(RecordedEvents.steps(Array(body.utf8)) == nil)
    }

    @Test func `An event came when its last byte did`() {
        let body = Array("data: a\n\ndata: bc\n\ndata: d".utf8)
        let arrivals: [(end: Int, time: Duration)] = [
            (9, .milliseconds(20)), (12, .milliseconds(50)), (19, .milliseconds(61)), (26, .milliseconds(70)),
        ]
        let marked = String(decoding: RecordedEvents.marked(body, arrivals), as: UTF8.self)
        #expect(marked == ": recorded after ms 20\ndata: a\n\n: recorded after ms 41\ndata: bc\n\n")
        #expect(RecordedEvents.marked(body, []) == Array("data: a\n\ndata: bc\n\n".utf8))
    }

    @Test(arguments: [
        (": recorded after ms 7\ndata: a\n\n", ":\ndata: a\n\n"),
        ("id: 1\r\n:recorded after ms 7\r\ndata: a\r\n\r\n", "id: 1\r\n:\r\ndata: a\r\n\r\n"),
        (": recorded after ms 7\r: recorded after ms 8\rdata: a\r\r", ":\r:\rdata: a\r\r"),
        ("data: : recorded after ms 7\n: recorded\n\n", "data: : recorded after ms 7\n: recorded\n\n"),
    ])
    func `A comment of the backend isn't taken for the recorder's`(body: String, marked: String) {
        let bytes = RecordedEvents.marked(Array(body.utf8), [(body.utf8.count, .milliseconds(20))])
        #expect(String(decoding: bytes, as: UTF8.self) == ": recorded after ms 20\n" + marked)
    }

    @Test func `A stream whose client left is recorded through a proxy, and replayed`() async throws {
        let backend = Router()
        backend.get("/news") { _ in
            .events { events in
                try await events.send(ServerSentEvent(#"{"n":1}"#, type: "story", id: "1"))
                try await Task.sleep(for: .milliseconds(60))
                try await events.send("two {{braces}}")
                try await Task.sleep(for: .seconds(60))
            }
        }
        let recorder = try await withServer(backend.handler()) { address in
            let url = "http://\(address)"
            let origin = try #require(Origin(url))
            let (recorder, proxy) = (Recorder(origin), ReverseProxy(origin: origin))
            let handler = FunctionHandler { await proxy.respond(to: $0) { recorder.note($0) } }
            try await withServer(handler) { address in
                var client: RawClient? = try await RawClient.connect(to: address)
                try await client?.send("GET /news HTTP/1.1\r\nHost: h\r\n\r\n")
                var text = ""
                while !text.contains("braces"), let client {
                    text += String(decoding: try await client.receivePiece(), as: UTF8.self)
                }
                client = nil
                let end = ContinuousClock.now + .seconds(60)
                while recorder.contents.exchanges.isEmpty, .now < end { try await Task.sleep(for: .milliseconds(5)) }
            }
            return recorder
        }
        #expect(recorder.contents.skipped == [])
        let files = RouteRecording(recorder.contents.exchanges, formats: []).files
        #expect(files.map(\.path) == ["news.sse.yaml"])
        let text = String(decoding: try #require(files.first).bytes, as: UTF8.self)
        #expect(text.contains("template: false") && text.contains("event: story"), "\(text)")
        let delays = text.matches(of: /delay: ([0-9]+)/).compactMap { Int($0.output.1) }
        #expect(delays.contains { 40...5000 ~= $0 }, "\(text)")
        try await withTemporaryFolder { folder in
            try folder.write(text, to: "news.sse.yaml")
            let mocks = MockBackend(logger: .silent)
            try RouteFiles(folder.path, backend: mocks).load()
            let router = Router()
            router.mocks(mocks)
            try await withServer(router.handler()) { address in
                let response = try await address.exchange(.http1, "/news", [:])
                #expect(response.text == "event: story\nid: 1\ndata: {\"n\":1}\n\ndata: two {{braces}}\n\n")
            }
        }
    }
}
