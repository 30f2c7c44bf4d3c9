import Floki
import Testing

/// Revisions, and the events that readers of changes get.
@Suite(.timeLimit(.minutes(5))) struct ChangeTests {
    private func event(
        _ revision: Int,
        _ kind: FeedEvent.Kind,
        _ id: Int = 0,
        _ language: String = "",
        feed: String = "news"
    ) -> FeedEvent {
        FeedEvent(feed: feed, revision: revision, kind: kind, id: id, language: language)
    }

    /// The next events.
    private func next(_ count: Int, _ changes: inout FeedEvents.Iterator) async throws -> [FeedEvent] {
        var events: [FeedEvent] = []
        for _ in 0..<count { events.append(try #require(await changes.next())) }
        return events
    }

    @Test(arguments: TestedStore.available)
    func `Each change of a feed is its next revision`(kind: TestedStore) async throws {
        try await kind.withServers { open in
            let store = try open()
            #expect(try await store.knownRevision() == 0)
            #expect(try await store.save(.make(1)) == 1)
            #expect(try await store.knownRevision() == 1)
            #expect(try await store.save(.make(1), .make(2), language: "es") == 2)
            #expect(try await store.save(.make(1), feed: "other") == 1)
            // These change nothing.
            #expect(try await store.apply([], to: "news") == 2)
            #expect(try await store.apply([], to: "none") == 0)
            #expect(try await store.apply([.remove(id: 7, language: nil)], to: "news") == 2)
            #expect(try await store.apply([.remove(id: 2, language: "en")], to: "news") == 2)
            #expect(try await store.apply([.remove(id: 2, language: nil)], to: "news") == 3)
            #expect(try await store.save(.make(5, as: .draft)) == 4)
            #expect(try await store.knownRevision() == 4)
            #expect(try await store.knownRevision(of: "other") == 1)
            #expect(try await store.knownRevision(of: "none") == 0)
            #expect(try await store.entry(1, of: spanish, now: 0)?.revision == 2)
            // Another server begins.
            #expect(try await open().knownRevision() == 4)
        }
    }

    @Test(arguments: TestedStore.available)
    func `Readers are told each change`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            try await store.save(.make(1))
            var changes = store.changes().makeAsyncIterator()
            var others = store.changes().makeAsyncIterator()
            try await store.save(.make(1), .make(2, as: .draft), .make(3, as: .scheduled(at: 5)))
            try await store.save(.make(1), language: "", feed: "photos")
            try await store.apply([.remove(id: 1, language: nil), .remove(id: 9, language: nil)], to: "news")
            try await store.apply([.discardDraft(id: 2, language: "en")], to: "news")
            _ = try await store.publishDrafts(dueAt: 5)
            let expected = [
                event(2, .saved, 1, "en"), event(2, .drafted, 2, "en"), event(2, .drafted, 3, "en"),
                event(1, .saved, 1, "", feed: "photos"), event(3, .removed, 1, "en"), event(4, .drafted, 2, "en"),
                event(5, .saved, 3, "en"),
            ]
            #expect(try await next(7, &changes) == expected)
            #expect(try await next(7, &others) == expected)
        }
    }

    @Test(arguments: TestedStore.available)
    func `Readers are told what other servers change`(kind: TestedStore) async throws {
        try await kind.withServers { open in
            let (store, other) = (try open(), try open())
            try await other.save(.make(1))
            try await store.waitForRevision(1)
            var changes = store.changes().makeAsyncIterator()
            try await other.save(.make(2))
            #expect(try await next(1, &changes) == [event(2, .saved, 2, "en")])
            #expect(try await store.knownRevision() == 2)
            try await store.save(.make(3))
            try await other.apply([.remove(id: 1, language: "en")], to: "news")
            #expect(try await next(2, &changes) == [event(3, .saved, 3, "en"), event(4, .removed, 1, "en")])
        }
    }

    @Test(arguments: TestedStore.available)
    func `Whoever writes, each change is told once and in its order`(kind: TestedStore) async throws {
        try await kind.withServers { open in
            let stores = try (0..<3).map { _ in try open() }
            let readers = stores.map { $0.changes() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<6 {
                    let store = stores[writer % stores.count]
                    group.addTask {
                        for number in 1...20 { try await store.save(.make(writer * 100 + number)) }
                    }
                }
                for reader in readers {
                    group.addTask {
                        var revisions: [Int] = []
                        var ids: Set<Int> = []
                        for await event in reader {
                            revisions.append(event.revision)
                            ids.insert(event.id)
                            if revisions.count == 120 { break }
                        }
                        #expect(revisions == Array(1...120))
                        #expect(ids.count == 120)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: TestedStore.available)
    func `A reader that falls behind is told so`(kind: TestedStore) async throws {
        try await kind.withServers { open in
            let (store, other) = (try open(), try open())
            var changes = store.changes().makeAsyncIterator()
            try await other.apply((1...10_001).map { .save(.make($0), language: "en") }, to: "news")
            #expect(try await next(1, &changes) == [event(1, .missed)])
            try await other.save(.make(1))
            #expect(try await next(1, &changes) == [event(2, .saved, 1, "en")])
            try await store.apply((1...10_001).map { .save(.make($0), language: "en") }, to: "news")
            try await other.save(.make(2))
            #expect(try await next(1, &changes) == [event(3, .missed)])
            #expect(try await next(1, &changes) == [event(4, .saved, 2, "en")])
        }
    }

    @Test(arguments: TestedStore.available)
    func `A reader ends with its task`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            let reader = Task { [changes = store.changes()] in
                for await _ in changes {}
                return true
            }
            reader.cancel()
            #expect(await reader.value)
        }
    }

    @Test(arguments: TestedStore.available)
    func `A window says until when it is the same`(kind: TestedStore) async throws {
        try await kind.withStore { store in
            let ends = [1: 0, 2: 12, 3: 0, 4: 7, 5: 0, 6: 9, 7: 25, 8: 0, 20: 4, 21: 0]
            try await store.apply(ends.map { .save(.make($0.key, expires: $0.value), language: "en") }, to: "news")
            let starts: [FeedQuery.Start] = [.newest, .after(id: 6), .after(id: 4), .below(id: 7), .below(id: 3)]
            for start in starts {
                for (lowest, highest) in [(nil, nil), (3, nil), (7, 8), (1, 3)] as [(Int?, Int?)] {
                    for limit in [1, 2, 4, 20] {
                        func window(_ now: Int) async throws -> FeedWindow {
                            try await store.window(
                                FeedQuery(
                                    stream: english,
                                    start: start,
                                    limit: limit,
                                    now: now,
                                    lowest: lowest,
                                    highest: highest
                                )
                            )
                        }
                        var now = 0
                        var isLast = false
                        while !isLast {
                            let first = try await window(now)
                            isLast = first.unchangedUntil == nil
                            let end = first.unchangedUntil ?? 40
                            #expect(end > now)
                            for time in now..<max(now, end) {
                                #expect(try await window(time).summary == first.summary, "\(start) \(time)")
                            }
                            guard end > now else { break }
                            now = end
                        }
                    }
                }
            }
        }
    }
}
