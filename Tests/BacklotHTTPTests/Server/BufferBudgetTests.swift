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

    @Test func aHoldGivesBackWhatItHasWhenItIsGone() {
        var configuration = ServerConfiguration()
        configuration.limits.bufferedBytes = 100_000
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let handler = FunctionHandler { _ in .text("") }
        let server = ServerContext(handler: handler, configuration: configuration, logger: logger)
        do {
            let (first, second) = (BufferHold(server), BufferHold(server))
            first.set(BufferHold.freeBytes)
            second.add(40_000)
            second.add(-10_000)
            #expect(server.buffers.use == BufferHold.freeBytes + 30_000)
            second.set(100_000)
            // The budget is spent; small holds get through all the same.
            #expect(!first.isOverdrawn && second.isOverdrawn)
        }
        #expect(server.buffers.use == 0)
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
