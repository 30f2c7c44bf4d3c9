import Applin
import Backlot
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

/// Recordings by commands, as WireMock has them.
@Suite(.timeLimit(.minutes(5))) struct RecordingCommandTests {
    /// A backend that counts, and says what it was asked.
    private func backend() throws -> RawServer {
        let count = Locked(0)
        return try RawServer { connection in
            while case let head = connection.receiveHead(), !head.isEmpty {
                let length = head.firstMatch(of: /[Cc]ontent-[Ll]ength: (\d+)/).flatMap { Int($0.output.1) } ?? 0
                let body = connection.receive(exactly: length)
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let target = head.split(separator: " ").dropFirst().first ?? ""
                let text = #"{"asked":"\#(target)","body":\#(body.count),"number":\#(number)}"#
                connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
                )
            }
        }
    }

    private func status(_ app: RecordingApp) async throws -> JSONValue? {
        try await app.call(.get, "/__admin/recordings/status").json["status"]
    }

    @Test func `Start, stop, and stubs that answer from then on`() async throws {
        let backend = try backend()
        let app = RecordingApp()
        try await app.add(["request": ["urlPath": "/own"], "response": ["body": "own"]])
        #expect(try await status(app) == "NeverStarted")
        let refusal = try await app.call(.post, "/__admin/recordings/stop")
        #expect(refusal.status == 400)
        #expect(refusal.json["errors"]?[0]?["title"] == "Not currently recording.")
        #expect(refusal.json["errors"]?[0]?["code"] == 30)

        let order: JSONValue = ["targetBaseUrl": .string("http://\(backend.address)/base"), "persist": false]
        let started = try await app.call(.post, "/__admin/recordings/start", order)
        #expect(started.status == 200 && started.json == [:])
        #expect(try await status(app) == "Recording")
        // The other backend answers all, as in WireMock.
        let first = try await app.call(.get, "/own?a=b").json
        #expect(first["asked"] == "/base/own?a=b")
        let second = try await app.call(.post, "/save", ["x": 1]).json
        #expect(second["body"] == 7)
        #expect(try await app.call(.get, "/__admin/recordings/status").status == 200)

        let stopped = try await app.call(.post, "/__admin/recordings/stop")
        #expect(stopped.status == 200)
        #expect(stopped.json["mappings"]?.array?.count == 2)
        #expect(try await status(app) == "Stopped")
        #expect(try await app.call(.get, "/own?a=b").json == first)
        #expect(try await app.call(.post, "/save", ["x": 1]).json == second)
        #expect(try await app.call(.post, "/__admin/recordings/stop").status == 400)
        backend.stop()
    }

    @Test func `Filters, fields that are captured, bodies, and repeats`() async throws {
        let backend = try backend()
        let app = RecordingApp()
        let order: JSONValue = [
            "targetBaseUrl": .string("http://\(backend.address)"), "persist": false, "repeatsAsScenarios": false,
            "filters": ["urlPathPattern": "/api/.*", "method": "POST"],
            "captureHeaders": ["Accept": ["caseInsensitive": true], "X-None": [:]],
            "requestBodyPattern": ["matcher": "equalToJson", "ignoreArrayOrder": true], "outputFormat": "IDS",
            "extractBodyCriteria": nil,
        ]
        #expect(try await app.call(.post, "/__admin/recordings/start", order).status == 200)
        try await app.call(.get, "/api/a")
        let accept: HTTPFields = [.accept: "text/Plain"]
        let first = try await app.call(.post, "/api/a", ["list": [1, 2]], headers: accept).json
        try await app.call(.post, "/api/a", ["list": [1, 2]], headers: accept)
        try await app.call(.post, "/other", [:])
        let stopped = try await app.call(.post, "/__admin/recordings/stop")
        #expect(stopped.json["ids"]?.array?.count == 1)
        #expect(try await app.call(.post, "/api/a", ["list": [2, 1]], headers: [.accept: "TEXT/PLAIN"]).json == first)
        #expect(try await app.call(.post, "/api/a", ["list": [3]], headers: accept).status == 404)
        #expect(try await app.call(.post, "/api/a", ["list": [1, 2]]).status == 404)
        #expect(try await app.call(.get, "/api/a").status == 404)
        backend.stop()
    }

    @Test func `A recording is written into the folder of the routes, and never over a file`() async throws {
        let backend = try backend()
        try await withTemporaryFolder { folder in
            try folder.write("mine", to: "a.get.txt")
            let app = RecordingApp()
            let files = try RouteFiles(folder.path, backend: app.backend)
            try files.load()
            let order: JSONValue = ["targetBaseUrl": .string("http://\(backend.address)")]
            try await app.call(.post, "/__admin/recordings/start", order)
            let a = try await app.call(.get, "/a").json
            let snapshot = try await app.call(.post, "/__admin/recordings/snapshot", ["outputFormat": "IDS"])
            #expect(snapshot.status == 422)
            let refused = try await app.call(.post, "/__admin/recordings/stop")
            #expect(refused.status == 422)
            #expect(
                refused.json["errors"]?[0]?["detail"]?.string?.contains("a.get.txt; the recording continues: ") == true
            )
            #expect(try await status(app) == "Recording")
            let b = try await app.call(.get, "/b").json
            let stopped = try await app.call(.post, "/__admin/recordings/stop?update=true")
            #expect(stopped.status == 200, "\(stopped.json)")
            let names = stopped.json["mappings"]?.array?.compactMap { $0["metadata"]?["file"]?.string }
            #expect(names?.sorted() == ["a.get.json", "b.get.json"])
            for _ in 0..<2 {
                #expect(try await app.call(.get, "/a").json == a)
                #expect(try await app.call(.get, "/b").json == b)
                #expect(files.scan().problems.map(\.description) == [])
            }
        }
        backend.stop()
    }

    @Test func `A snapshot records the responses of proxies among the stubs`() async throws {
        let backend = try backend()
        let app = RecordingApp()
        let proxy: JSONValue = [
            "request": ["urlPathPattern": "/far/.*"],
            "response": ["proxyBaseUrl": .string("http://\(backend.address)")],
        ]
        let id = try await app.add(proxy)
        try await app.add(["request": ["urlPath": "/near"], "response": ["body": "here"]])
        let far = try await app.call(.get, "/far/1").json
        try await app.call(.get, "/near")
        let all = try await app.call(
            .post,
            "/__admin/recordings/snapshot",
            ["persist": false, "filters": ["allowNonProxied": true]]
        )
        #expect(all.json["mappings"]?.array?.count == 2)
        let snapshot = try await app.call(.post, "/__admin/recordings/snapshot", ["persist": false])
        #expect(snapshot.json["mappings"]?.array?.count == 1)
        try await app.call(.delete, "/__admin/mappings/\(id)")
        #expect(try await app.call(.get, "/far/1").json == far)
        #expect(try await status(app) == "NeverStarted")
        backend.stop()
    }

    @Test func `A snapshot after a recording has only what stubs forwarded, and can replace its files`() async throws {
        let backend = try backend()
        let url = JSONValue.string("http://\(backend.address)")
        try await withTemporaryFolder { folder in
            let app = RecordingApp()
            try RouteFiles(folder.path, backend: app.backend).load()
            try await app.call(.post, "/__admin/recordings/start", ["targetBaseUrl": url])
            try await app.call(.get, "/a")
            #expect(try await app.call(.post, "/__admin/recordings/stop").status == 200)
            try await app.add(["request": ["urlPath": "/far"], "response": ["proxyBaseUrl": url]])
            try await app.call(.get, "/far")
            let snapshot = try await app.call(.post, "/__admin/recordings/snapshot")
            #expect(snapshot.status == 200, "\(snapshot.json)")
            let names = snapshot.json["mappings"]?.array?.compactMap { $0["metadata"]?["file"]?.string }
            #expect(names == ["far.get.json"])
            let refused = try await app.call(.post, "/__admin/recordings/snapshot")
            #expect(refused.status == 422)
            let detail = refused.json["errors"]?[0]?["detail"]?.string
            #expect(detail?.hasSuffix("; ?update=true replaces them: far.get.json") == true, "\(refused.json)")
            #expect(try await app.call(.post, "/__admin/recordings/snapshot?update=true").status == 200)
        }
        backend.stop()
    }

    @Test func `A snapshot during a recording has all requests in the order in which they began`() async throws {
        let app = RecordingApp()
        let order: JSONValue = ["targetBaseUrl": "http://127.0.0.1:9000", "persist": false]
        try await app.call(.post, "/__admin/recordings/start", order)
        let forwarded = app.backend.recordings.forwarded
        let recorder = try #require(app.backend.recordings.current?.recorder)
        for (own, text, offset) in [(forwarded, "earlier", -1), (recorder, "later", 1)] {
            own.note(
                ProxiedExchange(
                    method: .get,
                    target: "/a",
                    requestHeaders: [:],
                    requestBody: [],
                    status: .ok,
                    responseHeaders: [.contentType: "application/json"],
                    responseBody: Array("[\"\(text)\"]".utf8),
                    began: recorder.start + .nanoseconds(offset),
                    duration: .zero
                )
            )
        }
        // Of repeated requests, the first is kept.
        let options: JSONValue = ["persist": false, "repeatsAsScenarios": false]
        let snapshot = try await app.call(.post, "/__admin/recordings/snapshot", options)
        #expect(snapshot.json["mappings"]?.array?.count == 1)
        let text = snapshot.json.description
        #expect(text.contains("earlier") && !text.contains("later"), "\(text)")
    }

    @Test(
        arguments: [
            (#"{}"#, "/targetBaseUrl"), (#"{"targetBaseUrl":"nowhere"}"#, "/targetBaseUrl"),
            (#"{"targetBaseUrl":"http://a","target":1}"#, "/target"),
            (#"{"targetBaseUrl":"http://a","filters":{"urlPatern":"/x"}}"#, "/filters/urlPatern"),
            (#"{"targetBaseUrl":"http://a","filters":{"ids":["x"]}}"#, "/filters/ids/0"),
            (
                #"{"targetBaseUrl":"http://a","extractBodyCriteria":{"textSizeThreshold":"2 kb"}}"#,
                "/extractBodyCriteria"
            ),
            (#"{"targetBaseUrl":"http://a","transformers":["x"]}"#, "/transformers"),
            (#"{"targetBaseUrl":"http://a","captureHeaders":{"a b":{}}}"#, "/captureHeaders/a b"),
            (#"{"targetBaseUrl":"http://a","captureHeaders":{"A":{"x":1}}}"#, "/captureHeaders/A/x"),
            (#"{"targetBaseUrl":"http://a","requestBodyPattern":{"matcher":"x"}}"#, "/requestBodyPattern/matcher"),
            (#"{"targetBaseUrl":"http://a","outputFormat":"SOME"}"#, "/outputFormat"),
            (#"{"targetBaseUrl":"http://a","persist":"yes"}"#, "/persist"),
        ]
    )
    func `Orders that can't be taken are a 422`(text: String, pointer: String) async throws {
        let app = RecordingApp()
        let response = try await app.ask(.post, "/__admin/recordings/start", body: text)
        #expect(response.status.code == 422)
        #expect(try JSONValue(parsing: response.text)["errors"]?[0]?["source"]?["pointer"]?.string == pointer)
        #expect(try await status(app) == "NeverStarted")
    }
}
