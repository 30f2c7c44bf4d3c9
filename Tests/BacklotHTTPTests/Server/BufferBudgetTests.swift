import Logging
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct BufferBudgetTests {
    @Test func `Pressure begins above three quarters of the budget`() {
        let budget = BufferBudget(limit: 1000)
        #expect(budget.take(750) == .usual)
        #expect(!budget.isPressed && budget.excess == 50)
        #expect(budget.take(1) == .pressed)
        #expect(budget.isPressed && !budget.isUrgent && !budget.isSpent)
        #expect(budget.take(200) == .pressed)
        #expect(budget.isUrgent && !budget.isSpent)
        #expect(budget.take(50) == .pressed)
        #expect(budget.isSpent && budget.excess == 301)
        #expect(budget.take(-1001) == .usual)
        #expect(budget.use == 0 && budget.excess == 0)
    }

    /// Memory is given back to the system once after a peak, and after no small one.
    @Test func `The fall from a peak is reported once`() {
        let megabyte = 1024 * 1024
        let budget = BufferBudget(limit: 1000 * megabyte)
        #expect(budget.take(15 * megabyte) == .usual)
        #expect(budget.take(-15 * megabyte) == .usual)
        #expect(budget.take(16 * megabyte) == .usual)
        #expect(budget.take(-12 * megabyte) == .usual)
        #expect(budget.take(-1) == .fallen)
        #expect(budget.take(-4 * megabyte + 1) == .usual)
    }

    @Test func `A share that is freed gives its bytes back`() {
        var configuration = ServerConfiguration()
        configuration.limits.bufferedBytes = 100_000
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let handler = FunctionHandler { _ in .text("") }
        let server = ServerContext(handler: handler, configuration: configuration, logger: logger)
        do {
            let (first, second) = (BufferShare(server), BufferShare(server))
            first.set(BufferShare.freeBytes)
            second.add(40_000)
            second.add(-10_000)
            #expect(server.buffers.use == BufferShare.freeBytes + 30_000)
            second.set(100_000)
            // The budget is spent; small shares get through all the same.
            #expect(!first.isOverdrawn && second.isOverdrawn)
        }
        #expect(server.buffers.use == 0)
    }

    @Test func `A budget isn't exceeded by those who ask first`() {
        let budget = BufferBudget(limit: 2)
        #expect(budget.takeIfFree(1) && budget.takeIfFree(1) && !budget.takeIfFree(1))
        #expect(budget.use == 2)
        do {
            let ticket = Ticket { budget.take(-1) }
            #expect(!budget.takeIfFree(1))
            withExtendedLifetime(ticket) {}
        }
        #expect(budget.takeIfFree(1) && !BufferBudget(limit: 0).takeIfFree(1))
    }

    @Test func `A network counts up to its limit`() {
        let counts = NetworkCounts()
        #expect(counts.add(1, to: 7, upTo: 2) && counts.add(1, to: 7, upTo: 2) && !counts.add(1, to: 7, upTo: 2))
        #expect(counts[7] == 2 && counts[8] == 0)
        #expect(counts.add(1, to: 8, upTo: 2))
        counts.add(-1, to: 7)
        #expect(counts.add(1, to: 7, upTo: 2))
        counts.add(-2, to: 7)
        counts.add(-1, to: 8)
        #expect(counts.networkCount == 0)
    }

    @Test(arguments: [("2001:db8::1", "2001:db8::2", true), ("2001:db8::1", "2001:db8:0:1::1", false)])
    func `A network of IPv6 is the first half of its addresses`(
        _ first: String,
        _ second: String,
        _ isSame: Bool
    ) throws {
        let networks = try [first, second].map { try #require(SocketAddress(host: $0, port: 1)).network }
        #expect((networks[0] == networks[1]) == isSame)
    }

    @Test(
        arguments: [
            (16_384, Int.max, 16_384), (16_384, 1_000_000, 16_384), (16_384, 16_640, 16_384), (16_384, 1024, 896),
            (16_384, 128, 112), (100, 128, 100), (16_384, 16, 1), (16_384, 0, 1),
        ]
    )
    func `Descriptors bound the number of connections`(_ limit: Int, _ descriptors: Int, _ expected: Int) {
        #expect(ServerContext.most(limit, descriptors: descriptors) == expected)
    }

    @Test func `A warning appears once a minute with the sum`() {
        var pace = WarningPace()
        #expect(pace.add(3, at: 1000) == 3)
        #expect(pace.add(4, at: 1001) == nil)
        #expect(pace.add(5, at: 60_999) == nil)
        #expect(pace.add(1, at: 61_000) == 10)
        #expect(pace.add(2, at: 61_001) == nil)
    }

    // MARK: LoadShedding

    private func holder(_ held: Int, stalled: Int64) -> LoadShedding.Candidate { .init(held: held, stalled: stalled) }

    @Test func `The largest holder frees first`() {
        let holders = [holder(10, stalled: 5000), holder(1000, stalled: 5000), holder(20, stalled: 5000)]
        let shares = LoadShedding.shares(of: 100, among: holders, patience: 1000)
        #expect(shares.map(\.index) == [1])
        #expect(shares.map(\.bytes) == [100])
    }

    @Test func `Among equals, the stalest frees first`() {
        let holders = [holder(100, stalled: 2000), holder(100, stalled: 9000), holder(100, stalled: 3000)]
        let shares = LoadShedding.shares(of: 60, among: holders, patience: 1000)
        #expect(shares.map(\.index) == [1, 2])
        #expect(shares.map(\.bytes) == [50, 10])
    }

    /// One request that waits for long weighs less than a hundred that wait for a second.
    @Test func `Many bytes for a short time weigh more than few for a long one`() {
        let holders = [holder(1, stalled: 20_000), holder(100, stalled: 1000)]
        #expect(LoadShedding.shares(of: 1, among: holders, patience: 1000).map(\.index) == [1])
    }

    @Test func `A holder that makes progress is spared`() {
        let holders = [holder(1000, stalled: 999), holder(10, stalled: 1000), holder(0, stalled: 9000)]
        #expect(LoadShedding.shares(of: 500, among: holders, patience: 1000).map(\.index) == [1])
        #expect(LoadShedding.shares(of: 500, among: holders, patience: 0).map(\.index) == [0])
        #expect(LoadShedding.shares(of: 0, among: holders, patience: 0).isEmpty)
    }

    private func candidate(_ party: LoadShedding.Party, _ stalled: Int64) -> LoadShedding.Candidate {
        .init(waitsFor: party, stalled: stalled)
    }

    @Test func `The longest idle close first, then the slowest`() {
        let candidates = [
            candidate(.handler, 9000), candidate(.nobody, 1000), candidate(.client, 8000), candidate(.nobody, 3000),
            candidate(.client, 9000), candidate(.nobody, 999), candidate(.client, 20),
        ]
        // A new connection's request may be on the way.
        #expect(LoadShedding.order(of: candidates) == [3, 1, 4, 2, 5, 6])
        #expect(LoadShedding.order(of: [candidate(.handler, 1)]).isEmpty)
    }

    // MARK: RateMeter

    private static func configuration(grace: Duration, leastRate: Int) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.limits.leastRate = leastRate
        configuration.timeouts.rateGrace = grace
        return configuration
    }

    private func deadline(_ meter: RateMeter) -> Int64? {
        meter.deadline(Self.configuration(grace: .seconds(10), leastRate: 500).waits, leastRate: 500)
    }

    @Test func `Who isn't waited for has no deadline`() {
        var meter = RateMeter()
        #expect(deadline(meter) == nil)
        meter.wait(true, at: 5)
        meter.wait(false, at: 6)
        #expect(deadline(meter) == nil)
    }

    @Test func `Each byte pays for its share of a second, after the grace`() {
        var meter = RateMeter()
        meter.wait(true, at: 1_000)
        #expect(deadline(meter) == 11_000)
        meter.bytes += 500
        #expect(deadline(meter) == 12_000)
        meter.bytes += 1
        #expect(deadline(meter) == 12_002)
    }

    @Test func `Only the time counts that it was waited for`() {
        var meter = RateMeter()
        meter.wait(true, at: 0)
        meter.wait(true, at: 3_000)
        meter.wait(false, at: 4_000)
        meter.wait(false, at: 50_000)
        meter.wait(true, at: 100_000)
        #expect(deadline(meter) == 106_000)
    }

    // MARK: OutputMeter

    @Test func `A client's time begins anew with the bytes that it takes`() {
        let configuration = Self.configuration(grace: .seconds(600), leastRate: 500)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let handler = FunctionHandler { _ in .text("") }
        let server = ServerContext(handler: handler, configuration: configuration, logger: logger)
        let write = configuration.waits.write
        let meter = OutputMeter(queued: 1000, at: 0, server: server)
        meter.look(queued: 1000, at: 500)
        #expect(meter.deadline(configuration.waits, leastRate: 500) == write, "it has taken nothing")
        for (queued, time) in [(999, Int64(20_000)), (500, 40_000), (0, 60_000)] {
            meter.look(queued: queued, at: time)
            #expect(meter.deadline(configuration.waits, leastRate: 500) == time + write)
        }
    }

    // MARK: Several requests together

    /// 1000 bytes a second after one second of grace.
    private func isSlow(_ meter: inout RateMeter, _ isWaiting: Bool = true, at now: Int64) -> Bool {
        meter.isSlow(isWaiting, Self.configuration(grace: .seconds(1), leastRate: 1000), at: now)
    }

    @Test func `Bytes buy time, but for those that came before`() {
        var meter = RateMeter(bytes: 1_000_000)
        #expect(!isSlow(&meter, at: 0) && !isSlow(&meter, at: 999))
        meter.bytes += 500
        #expect(!isSlow(&meter, at: 1499) && isSlow(&meter, at: 1500))
    }

    @Test func `Whoever has caught up begins anew`() {
        var meter = RateMeter()
        #expect(!isSlow(&meter, at: 0) && !isSlow(&meter, false, at: 900) && !isSlow(&meter, at: 1900))
        #expect(!isSlow(&meter, at: 2899) && isSlow(&meter, at: 2900))
    }
}
