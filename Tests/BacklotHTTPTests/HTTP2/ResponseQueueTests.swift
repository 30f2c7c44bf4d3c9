import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct ResponseQueueTests {
    private static func frames(of queue: inout ResponseQueue, upTo most: Int) -> [String] {
        var frames: [String] = []
        while let frame = queue.nextFrame(upTo: most) {
            var bytes: [UInt8] = []
            queue.take(frame.count, into: &bytes)
            frames.append(String(decoding: bytes, as: UTF8.self) + (frame.isLast ? "." : ""))
            if frame.isLast { break }
        }
        return frames
    }

    @Test(arguments: [(2, ["ab", "cd", "e."]), (5, ["abcde."]), (9, ["abcde."])])
    func `A whole body is cut into frames of the largest size`(_ most: Int, _ frames: [String]) {
        var queue = ResponseQueue()
        queue.append(Array("abcde".utf8))
        queue.complete()
        #expect(Self.frames(of: &queue, upTo: most) == frames)
    }

    @Test func `A queue without bytes has no frame`() {
        var queue = ResponseQueue()
        #expect(queue.nextFrame(upTo: 10) == nil)
        queue.append([])
        #expect(queue.nextFrame(upTo: 10) == nil)
        #expect(!queue.isPending)
        queue.append(Array("ab".utf8))
        #expect(queue.isPending)
        #expect(Self.frames(of: &queue, upTo: 10) == ["ab"])
        #expect(!queue.isPending)
        queue.complete()
        #expect(queue.isPending)
        #expect(Self.frames(of: &queue, upTo: 10) == ["."])
    }

    @Test func `Pieces follow each other in order`() {
        var queue = ResponseQueue()
        var sent: [UInt8] = []
        for piece in ["abc", "def", "ghi", "jkl"] {
            queue.append(Array(piece.utf8))
            queue.take(2, into: &sent)
        }
        #expect(queue.count == 4)
        queue.complete()
        #expect(Self.frames(of: &queue, upTo: 3) == ["ijk", "l."])
        #expect(sent == Array("abcdefgh".utf8))
    }
}
