import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct ResponseTests {
    private func make(_ text: String) -> [UInt8] {
        Array(text.utf8)
    }

    @Test func `A whole response is read`() throws {
        let bytes = make("HTTP/1.1 200 OK\r\nContent-Type:  a/b \r\nCONTENT-LENGTH: 2\r\n\r\n{}")
        let response = try #require(try Response(parsing: bytes))
        #expect(response.status == 200)
        #expect(response.fields == ["content-type": "a/b", "content-length": "2"])
        #expect(response.body == make("{}"))
        #expect(response.keepsAlive)
    }

    @Test func `A response cut at any byte is incomplete`() throws {
        let bytes = make("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        for count in bytes.indices {
            #expect(try Response(parsing: Array(bytes[..<count])) == nil, "\(count) bytes")
        }
    }

    @Test func `A response with Connection Close doesn't keep its connection`() throws {
        let bytes = make("HTTP/1.1 404 Not Found\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n")
        #expect(try Response(parsing: bytes)?.keepsAlive == false)
    }

    @Test(arguments: [
        "SSH-2.0-x\r\n\r\n",
        "HTTP/1.1 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    ])
    func `A malformed response is refused`(text: String) {
        #expect(throws: CheckFailure.self) { try Response(parsing: make(text)) }
    }
}
