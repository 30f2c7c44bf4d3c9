import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct StreamReadingTests {
    private static let http2: [UInt8] =
        [0, 0, 0, 4, 0, 0, 0, 0, 0] + [0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88]
        + [0, 0, 3, 0, 0, 0, 0, 0, 1, 1, 2, 3] + [0, 0, 2, 0, 1, 0, 0, 0, 1, 4, 5]

    @Test(arguments: [
        (StreamReading.Version.http1, Array("HTTP/1.1 200 OK\r\n\r\n2\r\nab\r\n0\r\n\r\n".utf8)), (.http2, http2),
        (.http2, http2.dropLast(11) + [0, 0, 0, 0, 1, 0, 0, 0, 1]),
    ])
    func `A stream in pieces of any size is whole at its last byte`(
        _ version: StreamReading.Version,
        _ bytes: [UInt8]
    ) throws {
        for size in 1...bytes.count {
            var response = StreamReading(version)
            var rest = bytes[...]
            while !rest.isEmpty {
                #expect(!response.isWhole, "whole before its end")
                try response.add(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(response.isWhole, "in pieces of \(size)")
            #expect(response.count == bytes.count)
        }
    }

    @Test func `A reset stream is a failure`() {
        var response = StreamReading(.http2)
        #expect(throws: CheckFailure.self) { try response.add([0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 2]) }
    }

    @Test func `A request asks for the path in each version`() {
        let first = String(decoding: StreamReading.request("/s", .http1), as: UTF8.self)
        #expect(first == "GET /s HTTP/1.1\r\nHost: bench\r\n\r\n")
        let frames = StreamReading.request("/s", .http2).dropFirst(24)
        #expect(frames.prefix(15) == [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0x7F, 0xFF, 0xFF, 0xFF])
        #expect(frames.dropFirst(28).prefix(5) == [0, 0, 55, 1, 5])
    }
}
