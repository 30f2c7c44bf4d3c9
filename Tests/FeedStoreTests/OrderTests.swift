import Floki
import Testing

/// The order of entries.
@Suite(.timeLimit(.minutes(5))) struct OrderTests {
    /// The sort ids of entries, in the order of saving.
    enum Arrival: CaseIterable {
        case atTop, atBottom, belowPinned, abovePinned, inHalves, shuffled, sameSort

        func sorts(_ count: Int) -> [Int] {
            let middle = 1 << 40
            return switch self {
            case .atTop: (1...count).map { $0 }
            case .atBottom: (1...count).map { middle - $0 }
            case .belowPinned: [middle] + (1..<count).map { $0 }
            case .abovePinned: [1] + (1..<count).map { middle - $0 }
            case .inHalves: (1...count).map { $0 % 2 == 0 ? middle - $0 : middle / 2 + $0 }
            case .shuffled: (1...count).map { $0 * 7_919 % 997 + 1 }
            case .sameSort: (1...count).map { _ in 5 }
            }
        }
    }

    @Test(arguments: TestedStore.shared, Arrival.allCases)
    func `The order of the feed holds, whatever comes in which order`(kind: TestedStore, arrival: Arrival) async throws
    {
        try await kind.withStore { store in
            let memory = MemoryFeedStore()
            let sorts = arrival.sorts(600)
            // Ids that go up and down, too.
            let entries = sorts.enumerated().map { index, sort in
                StoredEntry.make((index * 263) % 600 + 1, sort: sort, words: ["word"], tags: ["t"])
            }
            for part in [entries[..<400], entries[400...]] {
                let changes = part.map { FeedChange.save($0, language: "en") }
                try await store.apply(changes, to: "news")
                try await memory.apply(changes, to: "news")
                let moved = [
                    FeedChange.save(.make(7, sort: 3, words: ["word"]), language: "en"), .remove(id: 9, language: nil),
                ]
                try await store.apply(moved, to: "news")
                try await memory.apply(moved, to: "news")
                for start in [FeedQuery.Start.newest, .after(id: 100), .after(id: 9), .below(id: 300)] {
                    let query = FeedQuery(stream: english, start: start, limit: 1_000, now: 0)
                    #expect(try await store.window(query) == (await memory.window(query)))
                }
                for criterion in [FeedSearch.Criterion.words(["w"]), .words(["word"]), .tag("t")] {
                    let search = FeedSearch(stream: english, criterion: criterion, limit: nil, now: 0)
                    let found = try await store.search(search)
                    let expected = try await memory.search(search)
                    #expect(found == expected)
                    #expect(found.count >= part.count - 2)
                }
            }
        }
    }
}
