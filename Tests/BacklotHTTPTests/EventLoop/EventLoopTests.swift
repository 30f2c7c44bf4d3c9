import Dispatch
import Testing

@testable import BacklotHTTP

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite(.timeLimit(.minutes(5))) struct EventLoopTests {
    /// A loop that has ended is freed, and with it a thread and two descriptors.
    @Test(arguments: [false, true])
    func `A loop that has ended is freed`(_ wasUsed: Bool) async throws {
        weak var freed: EventLoop?
        do {
            let loop = try EventLoop(name: "test")
            freed = loop
            loop.start()
            if wasUsed { await Task(executorPreference: loop) { await Task.yield() }.value }
            loop.stop()
        }
        try await expectEventually { freed == nil }
    }

    @Test func `Calls run on the loop's thread in order, also after its end`() async throws {
        let loop = try EventLoop(name: "test")
        loop.start()
        let calls = Recorder<Int>()
        for number in 0..<50 {
            if number == 25 { loop.stop() }
            loop.execute { calls.record(loop.isCurrent ? number : -1) }
        }
        await Task(executorPreference: loop) { calls.record(loop.isCurrent ? 50 : -1) }.value
        #expect(calls.events == Array(0...50))
        #expect(!loop.isCurrent)
    }

    @Test func `A call on the loop's thread runs at once`() async throws {
        let loop = try EventLoop(name: "test")
        loop.start()
        let calls = Recorder<Int>()
        await withCheckedContinuation { continuation in
            loop.execute {
                loop.execute { calls.record(1) }
                calls.record(2)
                continuation.resume()
            }
        }
        #expect(calls.events == [1, 2])
        loop.stop()
    }

    // MARK: BufferPool

    @Test func `Read buffers have their full size`() {
        let pool = BufferPool()
        for _ in 0..<2 {
            let buffer = pool.takeReadBuffer()
            #expect(buffer.count == BufferPool.readSize)
            pool.giveBack(readBuffer: buffer)
        }
    }

    @Test func `Empty outputs come back with their memory`() {
        let (pool, output) = (BufferPool(), Output())
        output.append { $0.reserveCapacity(3) }
        pool.giveBack(output)
        let again = pool.takeOutput()
        #expect(again === output && again.bytes.capacity >= 3)
        #expect(pool.takeOutput() !== output)
    }

    @Test func `Outputs that hold bytes are not kept`() {
        let (pool, output) = (BufferPool(), Output())
        output.append { $0.append(1) }
        pool.giveBack(output)
        #expect(pool.takeOutput() !== output)
    }

    @Test func `Large outputs are not kept`() {
        let (pool, output) = (BufferPool(), Output())
        output.append { $0.reserveCapacity(1 << 20) }
        pool.giveBack(output)
        #expect(pool.takeOutput() !== output)
    }

    @Test func `An inbox wakes its loop only for the first piece`() {
        var inbox = Inbox()
        var taken: [Inbox.Work] = []
        let wakes = [inbox.add(.call {}), inbox.add(.call {})]
        #expect(wakes == [true, false])
        inbox.takeAll(into: &taken)
        #expect(taken.count == 2)
        taken.removeAll()
        let wakesAgain = inbox.add(.call {})
        #expect(wakesAgain)
    }

    // MARK: ThreadSignal

    @Test func `A signal that came before isn't lost, and counts once`() {
        let signal = ThreadSignal()
        signal.give()
        signal.give()
        #expect(signal.wait(atMost: .seconds(3600)))
        #expect(!signal.wait(atMost: .zero))
        #expect(!signal.wait(atMost: .milliseconds(-1)))
    }

    @Test func `A thread that waits is woken`() {
        let (signal, response) = (ThreadSignal(), ThreadSignal())
        DispatchQueue(label: "waits").async {
            if signal.wait(atMost: .seconds(3600)) { response.give() }
        }
        signal.give()
        #expect(response.wait(atMost: .seconds(3600)))
    }

    @Test func `Without a signal, it waits as long as it was told`() {
        let begin = ContinuousClock.now
        #expect(!ThreadSignal().wait(atMost: .milliseconds(1050)))
        #expect(ContinuousClock.now - begin >= .milliseconds(1050))
    }

    // MARK: Blocking

    private struct Failure: Error {}

    @Test func `Blocking work returns its value`() async throws {
        #expect(try await Blocking.run { 7 } == 7)
    }

    @Test func `Blocking work throws its error`() async throws {
        await #expect(throws: Failure.self) { try await Blocking.run { throw Failure() } }
    }

    /// Calls that block do not keep others waiting, however few cores there are: here each waits for all others.
    @Test func `Many calls can block at a time`() async throws {
        let arrived = Locked(0)
        let haveMet = try await withThrowingTaskGroup { group in
            for _ in 0..<32 {
                group.addTask {
                    try await Blocking.run {
                        arrived.withLock { $0 += 1 }
                        for _ in 0..<60_000 where arrived.withLock({ $0 }) < 32 { _ = usleep(1000) }
                        return arrived.withLock { $0 } == 32
                    }
                }
            }
            return try await group.reduce(true) { $0 && $1 }
        }
        #expect(haveMet)
    }

    @Test func `Files wait for no work of clients, however much of it there is`() async throws {
        let isDone = Locked(false)
        try await withThrowingTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    try await Blocking.compute {
                        for _ in 0..<60_000 where !isDone.withLock({ $0 }) { _ = usleep(1000) }
                    }
                }
            }
            #expect(try await Blocking.run { 7 } == 7)
            isDone.withLock { $0 = true }
            try await group.waitForAll()
        }
    }

    @Test func `Work beyond the limit of threads waits its turn`() async throws {
        let threads = BlockingThreads(most: 2)
        let running = Locked((now: 0, most: 0))
        let end = ContinuousClock.now + .seconds(60)
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        threads.run {
                            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                            // The second thread may begin late.
                            repeat {
                                _ = usleep(1000)
                            } while running.withLock({ $0.most }) < 2 && ContinuousClock.now < end
                            running.withLock { $0.now -= 1 }
                            continuation.resume()
                        }
                    }
                }
            }
        }
        #expect(running.withLock { $0 } == (now: 0, most: 2))
    }
}
