import Dispatch
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct BatchQueueTests {
    @Test func `What comes while a batch is done is the next one, in order and within the limit`() async {
        let batches = Locked<[[Int]]>([])
        let hold = DispatchSemaphore(value: 0)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let queue = BatchQueue<Int>(label: "test", most: 4) { batch in
            hold.wait()
            batches.withLock { $0.append(batch) }
            if batch.contains(10) { end.finish() }
        }
        // The thread takes the first, with as many of the others as have come by then, and is held.
        for item in 0...10 { queue.submit(item) }
        for _ in 0...10 { hold.signal() }
        for await _ in ends {}
        let done = batches.withLock { $0 }
        #expect(done.flatMap(\.self) == Array(0...10))
        #expect(done.allSatisfy { (1...4).contains($0.count) })
        #expect(done.count < 11)
    }

    @Test func `Several threads do a batch each at the same time`() async {
        let (met, meet) = AsyncStream.makeStream(of: Void.self)
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let queue = BatchQueue<Int>(label: "test", threads: 2, most: 1) { batch in
            // Each waits for the other: one thread alone would wait for ever.
            (batch == [0] ? first : second).signal()
            (batch == [0] ? second : first).wait()
            meet.yield()
        }
        queue.submit(0)
        queue.submit(1)
        var count = 0
        for await _ in met {
            count += 1
            if count == 2 { break }
        }
        #expect(count == 2)
    }
}
