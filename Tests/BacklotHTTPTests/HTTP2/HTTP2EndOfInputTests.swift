import TestSupport
import Testing

@testable import BacklotHTTP

/// A client of HTTP/2 that closes its side: what can't be answered any more keeps nothing open.
@Suite struct HTTP2EndOfInputTests {
    private static let preface = bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") + [0, 0, 0, 4, 0, 0, 0, 0, 0]
    /// GET http://h/
    private static let fields: [UInt8] = [0x82, 0x86, 0x84, 0x41, 1, UInt8(ascii: "h")]
    private static let headers = [0, 0, 6, 1, 5, 0, 0, 0, 1] + fields

    @Test(arguments: 0...(preface.count + headers.count))
    func closesWhereverTheBytesEnd(_ count: Int) async throws {
        // Longer than the client waits.
        let configure: (inout ServerConfiguration) -> Void = { $0.timeouts.head = 60_000 }
        try await withTestServer(configure: configure, FunctionHandler { _ in Response() }) { server in
            let client = try await RawClient.connect(to: server.address)
            try await client.send(Array((Self.preface + Self.headers).prefix(count)))
            await client.shutdownSending()
            #expect(try await client.receiveToEnd().end == .closed)
        }
    }
}
