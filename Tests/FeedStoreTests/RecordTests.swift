import Floki
import Testing

/// The records of apps.
@Suite(.timeLimit(.minutes(5))) struct RecordTests {
    private func record(_ data: String, after earlier: AppRecord? = nil) throws -> AppRecord {
        try #require(
            AppRecord(
                Array(data.utf8),
                texts: ["news": 1, "a \"b\"": 2],
                sections: ["news": ["en": Array("[]".utf8)]],
                isShared: true,
                after: earlier
            )
        )
    }

    @Test(arguments: TestedStore.available)
    func `A record is replaced if it has still its version`(kind: TestedStore) async throws {
        try await kind.withServers { open in
            let (store, other) = (try open(), try open())
            let first = try record("{}")
            let second = try record(#"{"tabs":["ü\u0000"]}"#, after: first)
            #expect(try await store.record(of: "/floki") == nil)
            #expect(store.recordVersion(of: "/floki") == nil)
            #expect(try await !store.replaceRecord(of: "/floki", version: 1, with: second))
            #expect(try await store.replaceRecord(of: "/floki", version: 0, with: first))
            #expect(try await !other.replaceRecord(of: "/floki", version: 0, with: first))
            #expect(try await other.record(of: "/floki") == first)
            #expect(try await other.replaceRecord(of: "/floki", version: 1, with: second))
            #expect(try await store.record(of: "/floki") == second)
            #expect(try await store.record(of: "/other") == nil)
            while store.recordVersion(of: "/floki") != 2 || other.recordVersion(of: "/floki") != 2 {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(store.recordVersion(of: "/other") == nil)
            #expect(try await open().record(of: "/floki") == second)
        }
    }

    @Test(arguments: TestedStore.available)
    func `Of many servers, one makes each version`(kind: TestedStore) async throws {
        try await kind.withServers { open in
            let stores = try (0..<3).map { _ in try open() }
            let successes = try await withThrowingTaskGroup(of: Int.self) { group in
                for (number, store) in stores.enumerated() {
                    group.addTask {
                        var successes = 0
                        while true {
                            let earlier = try await store.record(of: "/floki")
                            let version = earlier?.version ?? 0
                            if version >= 20 { return successes }
                            let next = try record("\(number) \(version)", after: earlier)
                            if try await store.replaceRecord(of: "/floki", version: version, with: next) {
                                successes += 1
                            }
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(successes == 20)
        }
    }
}
