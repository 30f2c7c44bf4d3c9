import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct BufferPoolTests {
    @Test func readBuffersAreFullSize() {
        let pool = BufferPool()
        for _ in 0..<2 {
            let buffer = pool.takeReadBuffer()
            #expect(buffer.count == BufferPool.readSize)
            pool.giveBack(readBuffer: buffer)
        }
    }

    @Test func outputBuffersComeBackEmpty() {
        let pool = BufferPool()
        let new = pool.takeOutputBuffer()
        #expect(new.isEmpty)
        pool.giveBack(outputBuffer: [1, 2, 3])
        let again = pool.takeOutputBuffer()
        #expect(again.isEmpty)
        #expect(again.capacity >= 3)
    }

    @Test func largeOutputBuffersAreNotKept() {
        let pool = BufferPool()
        pool.giveBack(outputBuffer: [UInt8](repeating: 0, count: 1 << 20))
        let other = pool.takeOutputBuffer()
        #expect(other.capacity == 0)
    }

    @Test func inboxWakesOnlyForItsFirstPiece() {
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
}
