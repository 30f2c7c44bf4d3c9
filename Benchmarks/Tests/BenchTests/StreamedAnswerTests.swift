import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct StreamedAnswerTests {
    private static let http2: [UInt8] =
        [0, 0, 0, 4, 0, 0, 0, 0, 0] + [0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88]
        + [0, 0, 3, 0, 0, 0, 0, 0, 1, 1, 2, 3] + [0, 0, 2, 0, 1, 0, 0, 0, 1, 4, 5]

    @Test(arguments: [
        (StreamedAnswer.Version.http1, Array("HTTP/1.1 200 OK\r\n\r\n2\r\nab\r\n0\r\n\r\n".utf8)), (.http2, http2),
        (.http2, http2.dropLast(11) + [0, 0, 0, 0, 1, 0, 0, 0, 1]),
    ])
    func inPieces(_ version: StreamedAnswer.Version, _ bytes: [UInt8]) throws {
        for size in 1...bytes.count {
            var answer = StreamedAnswer(version)
            var rest = bytes[...]
            while !rest.isEmpty {
                #expect(!answer.isWhole, "whole before its end")
                try answer.add(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(answer.isWhole, "in pieces of \(size)")
            #expect(answer.count == bytes.count)
        }
    }

    @Test func aReset() {
        var answer = StreamedAnswer(.http2)
        #expect(throws: CheckFailure.self) { try answer.add([0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 2]) }
    }

    @Test func requests() {
        let first = String(decoding: StreamedAnswer.request("/s", .http1), as: UTF8.self)
        #expect(first == "GET /s HTTP/1.1\r\nHost: bench\r\n\r\n")
        let frames = StreamedAnswer.request("/s", .http2).dropFirst(24)
        #expect(frames.prefix(15) == [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0x7F, 0xFF, 0xFF, 0xFF])
        #expect(frames.dropFirst(28).prefix(5) == [0, 0, 55, 1, 5])
    }
}
