import TestSupport
import Testing

@testable import BacklotHTTP

/// A client of HTTP/2 that closes its side: requests that can't get a response any more keep nothing open.
@Suite(.timeLimit(.minutes(5))) struct HTTP2EndOfInputTests {
    private static let preface = bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") + [0, 0, 0, 4, 0, 0, 0, 0, 0]
    /// GET http://h/
    private static let fields: [UInt8] = [0x82, 0x86, 0x84, 0x41, 1, UInt8(ascii: "h")]
    private static let headers = [0, 0, 6, 1, 5, 0, 0, 0, 1] + fields

    @Test(arguments: 0...(preface.count + headers.count))
    func `The connection closes wherever the client's bytes end`(_ count: Int) async throws {
        // Longer than the client waits.
        let configure: (inout ServerConfiguration) -> Void = { $0.timeouts.head = .seconds(60) }
        try await withTestClient(configure: configure, FunctionHandler { _ in Response() }) { client, _ in
            try await client.send(Array((Self.preface + Self.headers).prefix(count)))
            await client.shutdownSending()
            #expect(try await client.receiveToEnd().end == .closed)
        }
    }

    /// A header list that is never finished, alone or with a PING inside, which is forbidden there.
    @Test(arguments: [[], [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]])
    func `A header list without an end leaves no connection behind`(_ rest: [UInt8]) async throws {
        let connections = Recorder<Weak>()
        let unfinished = [0, 0, 6, 1, 1, 0, 0, 0, 1] + Self.fields
        try await withTestClient(FunctionHandler { _ in Response() }) { client, server in
            try await client.send(Self.preface + unfinished)
            _ = try await client.receivePiece()
            await server.forEachConnection { connections.record(Weak($0)) }
            try await client.send(rest)
            await client.shutdownSending()
            _ = try await client.receiveToEnd()
        }
        #expect(connections.events.count == 1)
        try await expectEventually { connections.events.allSatisfy { $0.object == nil } }
    }
}
