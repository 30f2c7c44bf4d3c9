import Backlot
import BacklotDatabase
import Floki
import Foundation
import TestSupport
import Testing

@testable import FlokiSQLite

/// Files of feeds, right and wrong ones.
@Suite(.timeLimit(.minutes(5))) struct FileTests {
    @Test func `All changes or none`() async throws {
        try await withFeedsFile { path in
            let store = try SQLiteFeedStore(path)
            // Something else of the same file refuses the second entry.
            try Database(path).execute(
                "CREATE TRIGGER no_two BEFORE INSERT ON entry WHEN new.id = 2 BEGIN SELECT RAISE(ABORT, 'no'); END"
            )
            await #expect(throws: (any Error).self) { try await store.save(.make(1), .make(2)) }
            #expect(try await store.window(FeedQuery(stream: english, limit: 9, now: 0)).entries.isEmpty)
        }
    }

    @Test func `A file outlives its store`() async throws {
        try await withFeedsFile { path in
            try await SQLiteFeedStore(path).save(.make(1), .make(2))
            let store = try SQLiteFeedStore(path)
            try await store.apply([.remove(id: 1, language: nil)], to: "news")
            let window = try await SQLiteFeedStore(path).window(FeedQuery(stream: english, limit: 9, now: 0))
            #expect(window.texts == ["2"])
            #expect(window.removed == [1])
        }
    }

    @Test func `Only the owner can read the file`() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteFeedStore("\(folder.path)/feeds.sqlite")
            try await store.save(.make(1))
            for name in ["feeds.sqlite", "feeds.sqlite-shm", "feeds.sqlite-wal"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
            }
            // Permissions that somebody has given stay.
            let open = try folder.write("", to: "open.sqlite")
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: open)
            try await SQLiteFeedStore(open).save(.make(1))
            let attributes = try FileManager.default.attributesOfItem(atPath: open)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
        }
    }

    @Test func `A store that is closed leaves its file alone`() async throws {
        try await withTemporaryFolder { folder in
            let log = LogRecorder()
            let store = try SQLiteFeedStore("\(folder.path)/feeds.sqlite", logger: log.logger)
            // It looks for changes of other processes for as long as there is a reader.
            let changes = store.changes()
            try await store.save(.make(1))
            #expect(try folder.names() == ["feeds.sqlite", "feeds.sqlite-shm", "feeds.sqlite-wal"])
            await store.close()
            #expect(try folder.names() == ["feeds.sqlite"])
            #expect(log.lines == [])
            let error = await #expect(throws: FeedFileError.self) { try await store.texts() }
            #expect(error?.status == .serviceUnavailable)
            await #expect(throws: FeedFileError.self) { try await store.save(.make(2)) }
            await store.close()
            withExtendedLifetime(changes) {}
            #expect(try await SQLiteFeedStore("\(folder.path)/feeds.sqlite").texts() == ["1"])
        }
    }

    @Test func `What ended long ago can be removed`() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteFeedStore("\(folder.path)/feeds.sqlite")
            try await store.save(.make(1, expires: 5, words: ["a"], tags: ["t"]), .make(2, expires: 9), .make(3))
            #expect(try await store.removeExpired(before: 6) == 1)
            let window = try await store.window(FeedQuery(stream: english, limit: 9, now: 0))
            #expect(window.texts == ["3", "2"])
            #expect(window.removed.isEmpty)
        }
    }

    @Test func `Files that aren't feeds are refused`() async throws {
        try await withTemporaryFolder { folder in
            let text = try folder.write(String(repeating: "no database ", count: 200), to: "text")
            #expect(throws: FeedFileError.self) { try SQLiteFeedStore(text) }
            #expect(throws: FeedFileError.self) { try SQLiteFeedStore("\(folder.path)/nowhere/feeds.sqlite") }
            let foreign = "\(folder.path)/foreign.sqlite"
            try Database(foreign).execute("CREATE TABLE a (b)")
            let error = #expect(throws: FeedFileError.self) { try SQLiteFeedStore(foreign) }
            #expect(error?.description == "the feeds can't be kept in '\(foreign)': it has tables of another program")
            let later = "\(folder.path)/later.sqlite"
            try Database(later).execute("PRAGMA user_version = 9")
            let version = #expect(throws: FeedFileError.self) { try SQLiteFeedStore(later) }
            #expect(version?.description.contains("a later version (9)") == true)
        }
    }
}

/// Files that can't be written to.
@Suite(.timeLimit(.minutes(5))) struct FailingFileTests {
    @Test func `A full disk refuses a change, and readers go on`() async throws {
        try await withTemporaryFolder { folder in
            let log = LogRecorder()
            let store = try SQLiteFeedStore("\(folder.path)/feeds.sqlite", logger: log.logger)
            try await store.save(.make(1))
            try store.pool.withWriter { database in
                let pages: Int = try database.first("PRAGMA page_count") { $0[0] } ?? 0
                try database.execute("PRAGMA max_page_count = \(pages)")
            }
            let large = StoredEntry.make(2, String(repeating: "x", count: 100_000))
            let error = await #expect(throws: FeedFileError.self) { try await store.save(large) }
            let problem = try #require(error)
            #expect(problem.description.hasSuffix(": the disk is full: free some space, and try again"))
            #expect(problem.status == .serviceUnavailable)
            #expect(problem.headers == [.retryAfter: "5"])
            #expect(problem.reason == "")
            #expect(try await store.texts() == ["1"])
            #expect(try await store.knownRevision() == 1)
            // The log says so once, until all goes well again.
            await #expect(throws: FeedFileError.self) { try await store.save(large) }
            #expect(log.lines == ["error: \(problem)"])
            try store.pool.withWriter { try $0.execute("PRAGMA max_page_count = 100000") }
            #expect(try await store.save(large) == 2)
            try store.pool.withWriter { database in
                let pages: Int = try database.first("PRAGMA page_count") { $0[0] } ?? 0
                try database.execute("PRAGMA max_page_count = \(pages)")
            }
            await #expect(throws: FeedFileError.self) { try await store.save(.make(3, large.text + large.text)) }
            #expect(log.lines == Array(repeating: "error: \(problem)", count: 2))
        }
    }

    @Test func `A file that may only be read refuses a change, and readers go on`() async throws {
        try await withSQLiteStore { store in
            try await store.save(.make(1))
            // As for a file without the right to write, which tests that run as root can't make.
            try store.pool.withWriter { try $0.execute("PRAGMA query_only = 1") }
            let error = await #expect(throws: FeedFileError.self) { try await store.save(.make(2)) }
            let advice = ": it can't be written to: give this program write access to it and its folder"
            #expect(error?.description.hasSuffix(advice) == true)
            #expect(error?.status == .serviceUnavailable)
            await #expect(throws: FeedFileError.self) { try await store.allocateIDs(1, in: "news") }
            #expect(try await store.texts() == ["1"])
        }
    }

    @Test func `A file without its tables fails with 500`() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteFeedStore("\(folder.path)/feeds.sqlite", logger: .silent)
            try await store.save(.make(1))
            try store.pool.withWriter { try $0.execute("DROP TABLE entry") }
            let error = await #expect(throws: FeedFileError.self) { try await store.texts() }
            #expect(error?.status == .internalServerError)
            #expect(error?.headers == [:])
        }
    }

    @Test func `A file that is up to date is opened while another program writes to it`() async throws {
        try await withFeedsFile { path in
            try await SQLiteFeedStore(path).save(.make(1))
            let held = try HeldFile(path)
            #expect(try await SQLiteFeedStore(path).texts() == ["1"])
            try held.release()
        }
    }

    @Test func `The log of changes has a bound`() async throws {
        try await withSQLiteStore { store in
            for part in 0..<3 {
                let changes = (1...6_000).map { FeedChange.save(.make(part * 6_000 + $0), language: "en") }
                try await store.apply(changes, to: "news")
            }
            try await store.save(.make(1), feed: "other")
            let rows = try await store.pool.read { database in
                try database.all("SELECT feed, count(*) FROM change GROUP BY feed") { [$0[0], $0[1]] as [Int] }
            }
            #expect(rows == [[1, 10_000], [2, 1]])
            let forgotten: Int? = try await store.pool.read { try $0.first("SELECT forgotten FROM feed") { $0[0] } }
            #expect(forgotten == 2)
        }
    }

    @Test func `Another process is noticed within a tenth of a second, once it has written`() async throws {
        try await withFeedsFile { path in
            let store = try SQLiteFeedStore(path, logger: .silent)
            var changes = store.changes().makeAsyncIterator()
            let writer = try ServerProcess("feed-writer", [path])
            defer { writer.signal(9) }
            var revision = 0
            while revision < 20 {
                let event = try #require(await changes.next())
                #expect(event.kind == .saved)
                // Each of its changes saves two entries.
                #expect((revision...revision + 1).contains(event.revision))
                revision = event.revision
            }
            #expect(try await store.knownRevision() >= 20)
        }
    }
}
