import Applin
import BacklotHTTP
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct ReloadTests {
    @Test func `What is saved, added and removed is live after a look`() async throws {
        try await withMocks(["a.get.json": "1"]) { mocks in
            #expect(mocks.files.scan().changed.isEmpty)
            try mocks.folder.write("22", to: "a.get.json")
            try mocks.folder.write("3", to: "new/b.get.json")
            #expect(mocks.files.scan().changed == ["a.get.json", "new/b.get.json"])
            try await mocks.expect("200 22", .get, "/a")
            try await mocks.expect("200 3", .get, "/new/b")
            try mocks.folder.remove("a.get.json")
            #expect(mocks.files.scan().removed == ["a.get.json"])
            try await mocks.expect(.notFound, .get, "/a")
        }
    }

    @Test func `A broken file is served as it was, and told once`() async throws {
        try await withMocks(["a.get.json": "1"]) { mocks in
            try mocks.folder.write("{", to: "a.get.json")
            #expect(mocks.files.scan().problems.count == 1)
            #expect(mocks.files.scan().problems.isEmpty)
            #expect(mocks.files.problems.count == 1)
            try await mocks.expect("200 1", .get, "/a")
            mocks.backend.reset()
            try await mocks.expect("200 1", .get, "/a")
            try mocks.folder.write("{}", to: "a.get.json")
            #expect(mocks.files.scan().changed == ["a.get.json"])
            #expect(mocks.files.problems.isEmpty)
            try await mocks.expect("200 {}", .get, "/a")
        }
    }

    @Test func `A body's file is watched too`() async throws {
        try await withMocks(["a.get.yaml": "bodyFileName: a.txt", "__files/a.txt": "1"]) { mocks in
            try await mocks.expect("200 1", .get, "/a")
            try mocks.folder.write("22", to: "__files/a.txt")
            #expect(mocks.files.scan().changed == ["a.get.yaml"])
            try await mocks.expect("200 22", .get, "/a")
            try mocks.folder.remove("__files/a.txt")
            #expect(mocks.files.scan().problems.count == 1)
            try await mocks.expect("200 22", .get, "/a")
            try mocks.folder.write("333", to: "__files/a.txt")
            #expect(mocks.files.scan().problems.isEmpty)
            try await mocks.expect("200 333", .get, "/a")
        }
    }

    @Test func `A file may take another's route when that is gone`() async throws {
        try await withMocks(["a.get.json": "1"]) { mocks in
            try mocks.folder.write("body: two", to: "a.get.yaml")
            #expect(mocks.files.scan().problems.map(\.file) == ["a.get.yaml"])
            try mocks.folder.remove("a.get.json")
            _ = mocks.files.scan()
            try await mocks.expect("200 two", .get, "/a")
        }
    }

    @Test func `A broken file is read again when the change of another file has mended it`() async throws {
        let crud = "rows: [{id: 1, name: a}]"
        try await withMocks(["users.crud.yaml": crud]) { mocks in
            try mocks.folder.write("rows: [{id: 2, name: b}]", to: "data/users.yaml")
            #expect(mocks.files.scan().problems.map(\.file) == ["data/users.yaml"])
            try mocks.folder.write("bucket: users", to: "users.crud.yaml")
            let report = mocks.files.scan()
            #expect(report.problems.isEmpty && mocks.files.problems.isEmpty, "\(report.problems)")
            #expect(report.changed == ["users.crud.yaml", "data/users.yaml"])
            try await mocks.expect(#"200 {"id":2,"name":"b"}"#, .get, "/users/2")
        }
    }

    @Test func `What moves from one file to an earlier one is no conflict`() async throws {
        func mapping(_ url: String, _ id: Int) -> String {
            #"{"id":"00000000-0000-4000-8000-00000000000\#(id)","request":{"url":"\#(url)"},"response":{"body":"\#(url)"}}"#
        }
        let files = ["mappings/a.json": mapping("/a", 1), "mappings/z.json": mapping("/z", 2)]
        try await withMocks(files) { mocks in
            try mocks.folder.write(mapping("/a2", 2), to: "mappings/a.json")
            try mocks.folder.write(mapping("/z2", 3), to: "mappings/z.json")
            let report = mocks.files.scan()
            #expect(report.problems.isEmpty && mocks.files.problems.isEmpty, "\(report.problems)")
            try await mocks.expect("200 /a2", .get, "/a2")
            try await mocks.expect("200 /z2", .get, "/z2")
        }
    }

    @Test(arguments: [false, true])
    func `A saved file is live by itself, with and without events`(hears: Bool) async throws {
        try await withMocks(["a.get.json": "1"]) { mocks in
            let files = mocks.files
            let watching = Task {
                await files.watch(FolderEvents(hears: hears))
            }
            try mocks.folder.write("22", to: "a.get.json")
            try await mocks.wait(for: "200 22", "/a")
            // The new folder has to be listened to, too.
            try mocks.folder.write("3", to: "new/b.get.json")
            try await mocks.wait(for: "200 3", "/new/b")
            try mocks.folder.write("33", to: "new/b.get.json")
            try await mocks.wait(for: "200 33", "/new/b")
            try mocks.folder.remove("new")
            try mocks.folder.write("4", to: "new/b.get.json")
            try await mocks.wait(for: "200 4", "/new/b")
            try mocks.folder.write("5", to: "new/b.get.json")
            try await mocks.wait(for: "200 5", "/new/b")
            watching.cancel()
            await watching.value
        }
    }

    #if os(Linux)
    @Test func `Events end a wait, and so does the end of the watch`() async throws {
        try await withMocks(["a.get.json": "1", "b/c.get.json": "1"]) { mocks in
            let events = FolderEvents()
            // What changed in a folder before the first call is not reported.
            #expect(!events.watch(mocks.files.folders))
            #expect(events.watch(mocks.files.folders))
            #expect(!events.wait(milliseconds: 0))
            try mocks.folder.write("2", to: "b/c.get.json")
            #expect(events.wait(milliseconds: 60_000))
            #expect(!events.wait(milliseconds: 0))
            events.endWait()
            #expect(events.wait(milliseconds: 60_000))
            // Not every change in such folders is reported.
            for other in ["/proc", mocks.folder.path + "/missing"] {
                for _ in 1...2 { #expect(!events.watch(mocks.files.folders + [other])) }
            }
        }
    }
    #endif

    @Test func `At start-up a broken file stops all, unless told to go on`() async throws {
        try await withMocks(["a.get.json": "1"]) { mocks in
            try mocks.folder.write("{", to: "b.get.json")
            let other = try RouteFiles(mocks.folder.path, backend: MockBackend(MockConfiguration(formats: [.applin()])))
            #expect(throws: (any Error).self) { try other.load() }
            let report = try RouteFiles(mocks.folder.path, backend: mocks.backend).load(keepsGoing: true)
            #expect(report.problems.map(\.file) == ["b.get.json"])
            #expect(report.files == 1)
        }
    }
}

extension Mocks {
    fileprivate func wait(for expected: String, _ path: String) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while try await text(.get, path) != expected, ContinuousClock.now < deadline { await Task.yield() }
        try await self.expect(expected, .get, path)
    }
}
