import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct LoadSheddingTests {
    private func holder(_ held: Int, stalled: Int64) -> LoadShedding.Candidate { .init(held: held, stalled: stalled) }

    @Test func theLargestHolderFreesFirst() {
        let holders = [holder(10, stalled: 5000), holder(1000, stalled: 5000), holder(20, stalled: 5000)]
        let shares = LoadShedding.shares(of: 100, among: holders, patience: 1000)
        #expect(shares.map(\.index) == [1])
        #expect(shares.map(\.bytes) == [100])
    }

    @Test func amongEqualsTheStalestFreesFirst() {
        let holders = [holder(100, stalled: 2000), holder(100, stalled: 9000), holder(100, stalled: 3000)]
        let shares = LoadShedding.shares(of: 60, among: holders, patience: 1000)
        #expect(shares.map(\.index) == [1, 2])
        #expect(shares.map(\.bytes) == [50, 10])
    }

    /// One request that waits for long weighs less than a hundred that wait for a second.
    @Test func manyForAShortTimeWeighMoreThanFewForALongOne() {
        let holders = [holder(1, stalled: 20_000), holder(100, stalled: 1000)]
        #expect(LoadShedding.shares(of: 1, among: holders, patience: 1000).map(\.index) == [1])
    }

    @Test func whoMakesProgressIsSpared() {
        let holders = [holder(1000, stalled: 999), holder(10, stalled: 1000), holder(0, stalled: 9000)]
        #expect(LoadShedding.shares(of: 500, among: holders, patience: 1000).map(\.index) == [1])
        #expect(LoadShedding.shares(of: 500, among: holders, patience: 0).map(\.index) == [0])
        #expect(LoadShedding.shares(of: 0, among: holders, patience: 0).isEmpty)
    }

    private func candidate(_ party: LoadShedding.Party, _ stalled: Int64) -> LoadShedding.Candidate {
        .init(waitsFor: party, stalled: stalled)
    }

    @Test func theLongestIdleCloseFirstThenTheSlowest() {
        let candidates = [
            candidate(.handler, 9000), candidate(.nobody, 1000), candidate(.client, 8000), candidate(.nobody, 3000),
            candidate(.client, 9000), candidate(.nobody, 999), candidate(.client, 20),
        ]
        // A new connection's request may be on the way.
        #expect(LoadShedding.order(of: candidates) == [3, 1, 4, 2, 5, 6])
        #expect(LoadShedding.order(of: [candidate(.handler, 1)]).isEmpty)
    }
}
