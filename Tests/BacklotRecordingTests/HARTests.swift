import BacklotHTTP
import BacklotJSON
import HTTPTypes
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

/// Files of browsers and proxies, and the journal as one.
@Suite(.timeLimit(.minutes(5))) struct HARTests {
    private func read(_ entries: String, base: String? = nil) throws -> HARRecording {
        try HARRecording(Array(#"{"log":{"version":"1.2","entries":[\#(entries)]}}"#.utf8), base: base)
    }

    private func entry(
        _ url: String = "https://a.example/x",
        method: String = "GET",
        at time: String = "2026-01-01T10:00:00.000Z",
        request: String = "",
        content: String = #"{"mimeType":"text/plain","text":"hi"}"#,
        status: Int = 200,
        extra: String = ""
    ) -> String {
        #"{"startedDateTime":"\#(time)","time":12.5,"request":{"method":"\#(method)","url":"\#(url)"\#(request)},"#
            + #""response":{"status":\#(status),"headers":[],"content":\#(content)}\#(extra)}"#
    }

    @Test(arguments: [
        (#"{"mimeType":"text/plain","text":"hi"}"#, "hi"),
        (#"{"mimeType":"image/png","text":"aGk=","encoding":"base64"}"#, "hi"),
        (#"{"mimeType":"x-unknown","size":0}"#, ""),
        (#"{"mimeType":"text/plain","size":-1,"_transferSize":9}"#, ""),
        (#"{"mimeType":"text/plain","size":2,"compression":-9,"text":"hi","comment":""}"#, "hi"),
    ])
    func `A response has its decoded body`(content: String, expected: String) throws {
        let recording = try read(entry(content: content))
        #expect(recording.exchanges.map { String(decoding: $0.responseBody, as: UTF8.self) } == [expected])
        #expect(recording.skipped == [])
    }

    @Test(arguments: [
        (#""postData":{"mimeType":"application/json","text":"{}"}"#, "{}"),
        (#""postData":{"mimeType":"a/b","text":"aGk=","encoding":"base64"}"#, "hi"),
        (
            #""postData":{"mimeType":"application/x-www-form-urlencoded","text":"","params":[{"name":"a b","value":"1&2"},{"name":"c","value":"%41"}]}"#,
            "a+b=1%262&c=A"
        ),
        (
            #""postData":{"mimeType":"multipart/form-data; boundary=XX","params":[{"name":"f","fileName":"a.txt","contentType":"text/plain","value":"hi"}]}"#,
            "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\nhi\r\n--XX--\r\n"
        ),
    ])
    func `A request has its decoded body`(post: String, expected: String) throws {
        let recording = try read(entry(method: "POST", request: ",\(post)"))
        #expect(recording.exchanges.map { String(decoding: $0.requestBody, as: UTF8.self) } == [expected])
    }

    @Test func `Entries come in the order of time, with fields that can be sent`() throws {
        let headers =
            #","headers":[{"name":":authority","value":"a.example"},{"name":"Accept","value":"x"},{"name":"X","value":"1\n2"}]"#
        let recording = try read(
            [
                entry("https://a.example/late?q=1#f", at: "2026-01-01T10:00:01.500Z"),
                entry("https://A.example:443/early", at: "2026-01-01T11:00:00+01:00", request: headers),
                entry("http://a.example", at: "no time"),
            ].joined(separator: ",")
        )
        #expect(recording.base == "https://a.example/")
        #expect(recording.exchanges.map(\.url) == ["/early", "/", "/late?q=1"])
        #expect(recording.exchanges.map(\.began) == [.zero, .zero, .milliseconds(1500)])
        #expect(recording.exchanges[0].duration == .microseconds(12500))
        #expect(
            recording.exchanges[0].requestHeaders.map { "\($0.name): \($0.value)" } == ["Accept: x", "X: 1", "X: 2"]
        )
    }

    @Test func `An entry with more header fields than a message can have is left out`() throws {
        let lines = String(repeating: "1\\n", count: 70_000)
        let recording = try read(
            [entry(), entry(request: #","headers":[{"name":"X","value":"\#(lines)"}]"#)].joined(separator: ",")
        )
        #expect(recording.skipped.count == 1 && recording.skipped[0].hasSuffix("more than 1000 header fields"))
    }

    @Test(arguments: [
        (#"{"mimeType":"text/plain; charset=latin1","text":"é"}"#, "text/plain; charset=utf-8"),
        (#"{"mimeType":"text/plain;charset=UTF-8","text":"é"}"#, "text/plain;charset=UTF-8"),
        (#"{"mimeType":"text/plain; charset=latin1","text":"6Q==","encoding":"base64"}"#, "text/plain; charset=latin1"),
    ])
    func `The charset is that of the bytes`(content: String, expected: String) throws {
        #expect(try read(entry(content: content)).exchanges[0].responseHeaders[.contentType] == expected)
    }

    @Test func `One backend is taken, and the others are named`() throws {
        let entries = [
            entry("https://cdn.example/a.js"), entry("https://a.example/v1/x"), entry("https://a.example/v1"),
            entry("https://a.example/v10"), entry("data:image/png;base64,AA"),
            entry("wss://a.example/live", status: 101), entry(status: 0),
            entry(content: #"{"mimeType":"text/plain","size":3}"#),
            entry(content: #"{"mimeType":"text/plain","text":"%","encoding":"base64"}"#),
        ]
        let recording = try read(entries.joined(separator: ","), base: "https://a.example/v1/")
        #expect(recording.exchanges.map(\.url) == ["/x", "/"])
        #expect(
            recording.skipped == [
                "a data: URL, which no server answers",
                "GET wss://a.example/live: a WebSocket without its messages; Chrome and mitmproxy export them",
                "GET https://a.example/x: it has no response",
                "GET https://a.example/x: the body of the response isn't in the file; save the HAR with content",
                "GET https://a.example/x: its body isn't base64",
                "1 entry of cdn.example: name another backend with --base-url",
                "1 entry of a.example, but not below /v1: name another backend with --base-url",
            ]
        )
    }

    @Test(arguments: [
        ("ws://ann:geheim@a.example:8080/live/geheim?token=geheim#geheim", "ws://a.example:8080/live/…"),
        ("wss://a.example", "wss://a.example"), ("wss://a.example?token=geheim", "wss://a.example"),
        ("wss://a.example/b@c.example", "wss://a.example/…"),
        ("wss://a.example/b%40c.example/d", "wss://a.example/…/…"),
        ("wss://a.example/eyJhIjoxfQ.eyJiIjoyfQ.geheim", "wss://a.example/…"), ("mailto:b@c.example", "…"), ("", "…"),
    ])
    func `What is left out is named without secrets`(url: String, expected: String) throws {
        let recording = try read([entry(), entry(url, status: 101)].joined(separator: ","))
        #expect(recording.skipped.count == 1)
        #expect(recording.skipped.first?.hasPrefix("GET \(expected): ") == true, "\(recording.skipped)")
    }

    private func socket(_ messages: String, _ url: String = "wss://a.example:443/live?x=1") -> String {
        entry(
            url,
            at: "2026-01-01T10:00:00.250Z",
            content: "{}",
            status: 101,
            extra: #","_webSocketMessages":[\#(messages)]"#
        )
    }

    @Test(arguments: [
        ("", #"[{"expect":{}}]"#),
        (
            #"{"type":"receive","time":1767261600.35,"opcode":1,"data":"hi"},{"type":"send","time":1767261601,"opcode":1,"data":"{\"a\": 1}"},{"type":"receive","time":1767261601.5,"opcode":2,"data":"AAE="},{"type":"send","time":1767261602,"opcode":2,"data":"Ag=="}"#,
            #"[{"delay":100,"send":"hi"},{"expect":{"equalToJson":{"a":1}}},{"delay":500,"base64":"AAE="},{"expect":{"binaryEqualTo":"Ag=="}},{"expect":{}}]"#
        ),
        // Times that are missing, before the beginning, and far away; and control frames.
        (
            #"{"type":"receive","opcode":1,"data":"a"},{"type":"receive","time":-1e300,"opcode":1,"data":"b"},{"type":"send","time":1767261600,"opcode":9},{"type":"receive","time":1e300,"opcode":1}"#,
            #"[{"send":"a"},{"send":"b"},{"delay":3600000,"send":""},{"expect":{}}]"#
        ),
        (#"{"type":"receive","opcode":8},{"type":"receive","opcode":1,"data":"late"}"#, #"[{"close":1000}]"#),
        (#"{"type":"send","opcode":8,"data":"A+g="}"#, #"[{"expect":{}}]"#),
        (#"{"type":"error","opcode":-1,"data":"Invalid frame header"}"#, #"[{"cut":true}]"#),
    ])
    func `The messages of a WebSocket become steps`(messages: String, steps: String) throws {
        let recording = try read([entry(), socket(messages)].joined(separator: ","))
        #expect(recording.skipped == [] && recording.base == "https://a.example/")
        let exchange = try #require(recording.exchanges.last)
        #expect(exchange.status == 101 && exchange.url == "/live?x=1")
        #expect(String(decoding: exchange.responseBody, as: UTF8.self) == steps)
    }

    @Test(arguments: [
        (#"{"type":"receive","opcode":1,"data":"a"},7"#, "its message 2 has no type (send, receive or error)"),
        (#"{"type":"sent","opcode":1,"data":"a"}"#, "its message 1 has no type (send, receive or error)"),
        (#"{"type":"send","data":"a"}"#, "its message 1 has no type (send, receive or error)"),
        (#"{"type":"send","opcode":2,"data":"%"}"#, "its message 1 isn't base64"),
        (
            Array(repeating: #"{"type":"send","opcode":9}"#, count: 10_001).joined(separator: ","),
            "a WebSocket with more than 10000 messages"
        ),
    ])
    func `A message that can't be read is named`(messages: String, reason: String) throws {
        let recording = try read([entry(), socket(messages, "ws://a.example/live")].joined(separator: ","))
        #expect(recording.exchanges.map(\.status) == [200])
        #expect(recording.skipped.first?.hasPrefix("GET ws://a.example/live: \(reason)") == true)
    }

    @Test func `A WebSocket and a page of a HAR become a file each, and so does a refusal`() throws {
        let page = entry("https://a.example/live", content: #"{"mimeType":"application/json","text":"[1]"}"#)
        let hello = #"{"type":"receive","time":1767261600.25,"opcode":1,"data":"hi"}"#
        let refused = entry("wss://a.example/rooms/x", status: 403)
        let recording = try read([page, socket(hello, "wss://a.example/live"), refused].joined(separator: ","))
        let report = RecordingReport(
            recording.exchanges,
            skipped: recording.skipped,
            keys: [],
            formats: [],
            options: RouteRecording.Options()
        )
        let files = Dictionary(
            uniqueKeysWithValues: report.files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) }
        )
        #expect(
            files == [
                "live.get.json": "[1]", "live.ws.yaml": "steps:\n  - send: hi\n  - expect: {}\n",
                "rooms/x.ws.yaml": "status: 403\nheaders:\n  Content-Type: text/plain\nbody: hi\n",
            ]
        )
        #expect(report.lines == [])
    }

    @Test func `A redirect within the backend stays there`() throws {
        let location = entry(status: 302).replacing(
            #""headers":[]"#,
            with: #""headers":[{"name":"location","value":"https://a.example/home?x=1"}]"#
        )
        #expect(try read(location).exchanges[0].responseHeaders[.location] == "/home?x=1")
    }

    @Test(arguments: [
        ("/v1/home?x=1#top", "/home?x=1#top"), ("/v1", "/"), ("/v10", "https://a.example/v10"), ("home", "home"),
        ("//b.example/v1/home", "//b.example/v1/home"),
    ])
    func `Redirects and cookies of a backend with a base path are those of mocks at the root`(
        location: String,
        expected: String
    ) throws {
        let response = entry("https://a.example/v1/x", status: 302).replacing(
            #""headers":[]"#,
            with:
                #""headers":[{"name":"location","value":"\#(location)"},{"name":"set-cookie","value":"path=/v1/a; path=/v1/; HttpOnly"}]"#
        )
        let headers = try read(response, base: "https://a.example/v1").exchanges[0].responseHeaders
        #expect(headers[.location] == expected)
        #expect(headers[.setCookie] == "path=/v1/a; Path=/; HttpOnly")
    }

    @Test(arguments: [
        ("", "1:1: the file isn't JSON, or is incomplete: "),
        (#"{"log":{"entries":[{"request""#, "1:30: the file isn't JSON, or is incomplete: "),
        ("[]", "the file isn't a HAR: it has no list log.entries; export it as HAR again"),
        (
            #"{"info":{"name":"a"},"item":[]}"#,
            "the file is a collection of Postman, which has requests without responses"
        ),
        (#"{"log":{"entries":[]}}"#, "the HAR has no entries: record some traffic first"),
        (
            #"{"log":{"entries":[{}]}}"#,
            "the HAR has no entry that can be used; of the first: an entry without a request or a response"
        ),
    ])
    func `What is no HAR`(text: String, expected: String) throws {
        let mistake = #expect(throws: MessageError.self) { try HARRecording(Array(text.utf8)) }
        #expect(mistake?.description.hasPrefix(expected) == true, "\(mistake?.description ?? "")")
    }

    @Test func `A bad base URL is an error`() throws {
        let mistake = #expect(throws: MessageError.self) { try read(entry(), base: "a.example") }
        #expect(mistake?.description == "'a.example' isn't a base URL; write one such as https://example.com/v1")
    }

    @Test func `The journal is a HAR that can be imported`() throws {
        let host = try #require(HTTPField.Name("Host"))
        let request = try MockRequest(.post, "/a?b=c", headers: [host: "h", .cookie: "session=x"], body: [0xFF])
        let response = Response(headers: [.contentType: "text/plain"], body: .bytes(Array("hi".utf8)))
        let entry = JournalEntry(request, stub: nil, response: response, time: 1_767_261_600_500, maximumBodyBytes: 10)
        let document = HARWriter.document([entry], below: "/m")
        let part = try #require(document["log"]?["entries"]?[0])
        #expect(part["request"]?["url"] == "http://h/m/a?b=c")
        #expect(part["request"]?["headers"]?.description.contains("session=(redacted)") == true)
        let recording = try HARRecording(document.bytes, base: "http://h/m")
        #expect(recording.exchanges.map(\.url) == ["/a?b=c"])
        #expect(recording.exchanges[0].requestBody == [0xFF])
        #expect(recording.exchanges[0].responseBody == Array("hi".utf8))
    }

    @Test func `Pseudonyms stand for the secrets of a journal`() throws {
        let host = try #require(HTTPField.Name("Host"))
        let request = try MockRequest(
            .post,
            "/a?b=c&token=tok123456",
            headers: [host: "h", .contentType: "application/json", .authorization: "Bearer f00dBabe77x9"],
            body: Array(#"{"password":"opensesame"}"#.utf8)
        )
        let response = Response(headers: [.location: "/in?t=f00dBabe77x9"], body: .bytes(Array("opensesame".utf8)))
        let entry = JournalEntry(request, stub: nil, response: response, time: 1_767_261_600_500, maximumBodyBytes: 100)
        let document = HARWriter.document([entry], below: "/m").description
        for secret in ["tok123456", "opensesame", "f00dBabe77x9"] { #expect(!document.contains(secret), "\(document)") }
        #expect(document.contains(#"Bearer (redacted)"#) && document.contains("/m/a?b=c&token="))
    }

    @Test func `A command exports the journal, the oldest first`() async throws {
        let app = RecordingApp()
        try await app.add(["request": ["method": "GET"], "response": ["body": "hi"]])
        try await app.call(.get, "/first")
        try await app.call(.get, "/second?x=1")
        let response = try await app.call(.get, "/__admin/requests.har")
        #expect(response.status == 200)
        #expect(try HARRecording(response.json.bytes).exchanges.map(\.url) == ["/first", "/second?x=1"])
    }
}
