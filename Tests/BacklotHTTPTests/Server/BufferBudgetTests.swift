import Logging
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct BufferBudgetTests {
    @Test func pressureBeginsAboveThreeQuarters() {
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
    @Test func theFallFromAPeakIsSaidOnce() {
        let megabyte = 1024 * 1024
        let budget = BufferBudget(limit: 1000 * megabyte)
        #expect(budget.take(15 * megabyte) == .usual)
        #expect(budget.take(-15 * megabyte) == .usual)
        #expect(budget.take(16 * megabyte) == .usual)
        #expect(budget.take(-12 * megabyte) == .usual)
        #expect(budget.take(-1) == .fallen)
        #expect(budget.take(-4 * megabyte + 1) == .usual)
    }

    @Test func aShareGivesBackWhatItHasWhenItIsGone() {
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

    @Test func aBudgetIsNotExceededByThoseWhoAskFirst() {
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

    @Test func aNetworkCountsUpToItsLimit() {
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
    func networksOfIPv6AreTheFirstHalfOfAddresses(_ first: String, _ second: String, _ isSame: Bool) throws {
        let networks = try [first, second].map { try #require(SocketAddress(host: $0, port: 1)).network }
        #expect((networks[0] == networks[1]) == isSame)
    }

    @Test(
        arguments: [
            (16_384, Int.max, 16_384), (16_384, 1_000_000, 16_384), (16_384, 16_640, 16_384), (16_384, 1024, 896),
            (16_384, 128, 112), (100, 128, 100), (16_384, 16, 1), (16_384, 0, 1),
        ]
    )
    func descriptorsBoundConnections(_ limit: Int, _ descriptors: Int, _ expected: Int) {
        #expect(ServerContext.most(limit, descriptors: descriptors) == expected)
    }

    @Test func aWarningAppearsOnceAMinuteWithTheSum() {
        var pace = WarningPace()
        #expect(pace.add(3, at: 1000) == 3)
        #expect(pace.add(4, at: 1001) == nil)
        #expect(pace.add(5, at: 60_999) == nil)
        #expect(pace.add(1, at: 61_000) == 10)
        #expect(pace.add(2, at: 61_001) == nil)
    }
}
