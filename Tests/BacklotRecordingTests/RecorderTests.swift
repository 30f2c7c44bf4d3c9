import Applin
import Backlot
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

/// What a recorder keeps of what a proxy has seen, and when its files are written.
@Suite(.timeLimit(.minutes(5))) struct RecorderTests {
    private static let gzipped: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xAB, 0x56, 0xCA, 0x54, 0xB2, 0x32, 0xAC, 0x05,
        0x00, 0x6E, 0xE7, 0x6B, 0x66, 0x07, 0x00, 0x00, 0x00,
    ]

    private func proxied(
        _ target: String,
        body: [UInt8]? = Array("{}".utf8),
        headers: HTTPFields = [.contentType: "application/json"],
        began: Int = 0,
        failure: ClientConnectionError? = nil
    ) -> ProxiedExchange {
        ProxiedExchange(
            method: .get,
            target: target,
            requestHeaders: [:],
            requestBody: [],
            status: .ok,
            responseHeaders: headers,
            responseBody: body,
            began: .now + .milliseconds(began),
            duration: .milliseconds(5),
            failure: failure
        )
    }

    private func origin(_ url: String = "http://127.0.0.1:9000/v1") throws -> Origin { try #require(Origin(url)) }

    @Test func `Exchanges stand in the order in which they began`() throws {
        let recorder = Recorder(try origin())
        for (target, began) in [("/b", 20), ("/a", 10), ("/c", 30)] {
            recorder.note(proxied(target, began: began))
        }
        #expect(recorder.contents.exchanges.map(\.url) == ["/a", "/b", "/c"])
        #expect(recorder.contents.skipped == [])
        #expect(recorder.contents.exchanges.allSatisfy { $0.duration == .milliseconds(5) && $0.client == nil })
    }

    @Test func `Content codings are taken off, and what can't be decoded is left out`() throws {
        let recorder = Recorder(try origin())
        let codings: [(String, String)] = [("/a", "gzip"), ("/b", "br"), ("/c", "gzip, gzip, gzip")]
        for (target, coding) in codings {
            recorder.note(proxied(target, body: Self.gzipped, headers: [.contentEncoding: coding]))
        }
        recorder.note(proxied("/d/secret", body: Array(Self.gzipped.dropLast(9)), headers: [.contentEncoding: "gzip"]))
        #expect(recorder.contents.exchanges.map { String(decoding: $0.responseBody, as: UTF8.self) } == [#"{"i":1}"#])
        #expect(recorder.contents.exchanges[0].responseHeaders[.contentEncoding] == nil)
        #expect(
            recorder.contents.skipped == [
                "GET http://127.0.0.1:9000/b: the response's body can't be decoded, and might hold secrets: the content coding 'br' is not understood here; understood: gzip, deflate",
                "GET http://127.0.0.1:9000/c: the response's body can't be decoded, and might hold secrets: 3 content codings on top of each other; at most 2 are taken",
                "GET http://127.0.0.1:9000/d/…: the response's body can't be decoded, and might hold secrets: the body ends before its gzip data does",
            ]
        )
    }

    @Test func `Nothing is decoded after the recording is full`() throws {
        var bounds = Recorder.Bounds()
        bounds.bytes = 20_000
        let recorder = Recorder(try origin(), bounds: bounds)
        let large = try #require(HiddenText.deflated([UInt8](repeating: 1, count: 50_000)))
        recorder.note(proxied("/a"))
        recorder.note(proxied("/b", body: large, headers: [.contentEncoding: "gzip"]))
        // This one can't be decoded, but nobody tries.
        recorder.note(proxied("/c", body: Self.gzipped, headers: [.contentEncoding: "br"]))
        #expect(recorder.contents.exchanges.map(\.url) == ["/a"])
        #expect(recorder.contents.skipped.count == 1)
        #expect(recorder.contents.skipped.first?.hasPrefix("2 later exchanges: a recording holds") == true)
    }

    @Test func `What is cut off, too large or too much is told`() throws {
        var bounds = Recorder.Bounds()
        bounds.exchanges = 3
        bounds.bytes = 1000
        bounds.body = 1_048_576
        let recorder = Recorder(try origin(), bounds: bounds)
        recorder.note(proxied("/cut", failure: .cutShort(bodyBytes: 3)))
        recorder.note(proxied("/cut", failure: .cutShort(bodyBytes: 3)))
        recorder.note(proxied("/large", body: nil))
        #expect(recorder.contents.exchanges.isEmpty)
        recorder.note(proxied("/a", body: [UInt8](repeating: 1, count: 900)))
        recorder.note(proxied("/b", body: [UInt8](repeating: 1, count: 101)))
        for target in ["/c", "/d"] { recorder.note(proxied(target, body: [])) }
        recorder.note(proxied("/e", body: []))
        #expect(
            recorder.contents.skipped == [
                "GET http://127.0.0.1:9000/cut: it has no complete response: the connection ended in the middle of the response, after 3 bytes of its body (2 times)",
                "GET http://127.0.0.1:9000/large: the response's body is larger than 1 MB",
                "2 later exchanges: a recording holds 3 exchanges and 0 MB of bodies; stop it and begin another one",
            ]
        )
    }

    @Test(
        arguments: [
            ("http://127.0.0.1:9000/v1/tasks/1?a=b", "/tasks/1?a=b"), ("http://127.0.0.1:9000/v1", "/"),
            ("http://127.0.0.1:9000/v10", "http://127.0.0.1:9000/v10"),
            ("https://other.example/v1/x", "https://other.example/v1/x"), ("/v1/x", "/v1/x"),
            ("http://127.0.0.1:9000/other", "http://127.0.0.1:9000/other"),
        ]
    )
    func `Redirects within the backend lead to the mocks`(location: String, expected: String) throws {
        let recorder = Recorder(try origin())
        recorder.note(proxied("/", headers: [.location: location]))
        #expect(recorder.contents.exchanges[0].responseHeaders[.location] == expected)
    }

    // MARK: Files

    private func file(_ path: String, _ text: String = "1") -> RecordedFile {
        RecordedFile(path: path, bytes: Array(text.utf8))
    }

    private func texts(_ folder: TemporaryFolder) -> [String: String] {
        let listing = RoutesFolder(folder.path)
        return (listing?.list()?.files.keys.sorted() ?? []).reduce(into: [:]) { texts, name in
            texts[name] = (try? listing?.read(name)).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test func `A recording replaces and removes its own files, and nobody else's`() async throws {
        try await withTemporaryFolder { folder in
            let writer = RecordingWriter(folder.path)
            var own = RecordingWriter.OwnFiles()
            try folder.write("mine", to: "mine.get.txt")
            _ = try writer.write([file("tasks/1.get.json"), file("a.get.json")], update: false, own: &own)
            _ = try writer.write(
                [file("tasks/[id].get.yaml"), file("__files/a.png", "png"), file("a.get.yaml", "bodyFileName: a.png")],
                update: false,
                own: &own
            )
            let expected = [
                "mine.get.txt": "mine", "tasks/[id].get.yaml": "1", "__files/a.png": "png",
                "a.get.yaml": "bodyFileName: a.png",
            ]
            #expect(texts(folder) == expected)
            // Somebody edits a file: it is theirs from now on.
            try folder.write("edited", to: "a.get.yaml")
            let files = [file("a.get.yaml", "2"), file("mine.get.json")]
            #expect(throws: RecordingWriter.WritingError.self) { try writer.write(files, update: false, own: &own) }
            #expect(texts(folder)["a.get.yaml"] == "edited")
            let left = try writer.write(files, update: false, own: &own, leavingConflicts: true)
            #expect(left == ["a.get.yaml", "mine.get.json"])
            #expect(texts(folder)["a.get.yaml"] == "edited" && texts(folder)["mine.get.txt"] == "mine")
            _ = try writer.write(files, update: true, own: &own)
            #expect(texts(folder) == ["a.get.yaml": "2", "mine.get.json": "1"])
        }
    }

    /// Each exchange is on the disk soon, in files that load at every moment.
    @Test func `Files are written while the recording goes on`() async throws {
        try await withTemporaryFolder { folder in
            var settings = Recording.Settings()
            settings.folder = folder.path
            settings.writesThrough = true
            let recording = Recording(Recorder(try origin()), settings, of: RecordingApp().backend)
            for number in 0..<40 {
                recording.note(proxied("/tasks/\(number)", body: Array(#"{"id":\#(number)}"#.utf8)))
                let mocks = MockBackend(MockConfiguration(formats: [.applin()]))
                #expect(try RouteFiles(folder.path, backend: mocks).scan().problems.map(\.description) == [])
            }
            let deadline = ContinuousClock.now + .seconds(20)
            while texts(folder)["tasks/[id].get.yaml"]?.contains("39") != true, .now < deadline {
                try await Task.sleep(for: .milliseconds(10))
            }
            let outcome = try recording.finish()
            #expect(outcome.folder == folder.path && outcome.mishap == nil)
            #expect(texts(folder).keys.sorted() == ["tasks/[id].get.yaml"])
        }
    }
}
