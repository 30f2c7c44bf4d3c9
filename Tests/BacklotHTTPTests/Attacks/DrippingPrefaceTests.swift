import TestSupport
import Testing

@testable import BacklotHTTP

/// A client of HTTP/2 that never stops sending, and never sends a request: byte by byte, each long before a timeout for
/// the next one would end.
@Suite(.timeLimit(.minutes(5))) struct DrippingPrefaceTests {
    private static let wire =
        Frame.preface + Frame.settings().bytes() + Frame.headers(1).bytes()
        + (0..<20).flatMap { _ in Frame.ping().bytes() }

    /// - Parameter start: the number of bytes that come at once. They end after one byte, in or after the preface's first empty line,
    ///   before or after the last byte of the preface, after SETTINGS, or within a header list.
    @Test(arguments: TestTransport.allCases, [1, 17, 18, 23, 24, 33, 45])
    func `A preface that drips in is cut by the limit of a head`(_ transport: TestTransport, _ start: Int) async throws
    {
        let configure: (inout ServerConfiguration) -> Void = {
            $0.timeouts.head = .milliseconds(400)
            $0.timeouts.idle = .seconds(60)
            $0.timeouts.linger = .milliseconds(50)
        }
        try await withHTTP2Client(
            over: transport,
            settings: nil,
            configure: configure,
            FunctionHandler { _ in Response() }
        ) { client, _ in
            let isCut = Signal()
            let dripping = Task {
                try await client.raw.send(Array(Self.wire[..<start]))
                var sent = start
                for byte in Self.wire[start...] where !isCut.hasFired {
                    try await Task.sleep(for: .milliseconds(30))
                    try await client.raw.send([byte])
                    sent += 1
                }
                return sent
            }
            // Over TLS, a response of HTTP/1 may come before the preface is whole.
            _ = try await client.raw.receiveToEnd()
            isCut.fire()
            // Without the limit all of it comes: after more than ten seconds.
            let sent = (try? await dripping.value) ?? 0
            #expect(sent < Self.wire.count - 100)
        }
    }

    /// The second half of a preface starts no new time limit.
    @Test func `The preface and the request have one time limit`() async throws {
        try await withTestClient(FunctionHandler { _ in Response() }) { client, server in
            try await client.send(Array(Frame.preface[..<10]))
            let first = Recorder<Int64>()
            #expect(
                try await eventually {
                    await server.forEachConnection { if $0.partial != nil { first.record($0.machine.since) } }
                    return !first.events.isEmpty
                }
            )
            let then = try #require(first.events.first)
            // The loop's clock must have moved on.
            #expect(
                try await eventually {
                    let now = Recorder<Int64>()
                    await server.forEachConnection { now.record($0.loop.clock.now) }
                    return now.events.first.map { $0 > then } ?? false
                }
            )
            try await client.send(Array(Frame.preface[10...]))
            let deadline = Recorder<Int64>()
            #expect(
                try await eventually {
                    await server.forEachConnection { if let next = $0.http2?.nextDeadline() { deadline.record(next) } }
                    return !deadline.events.isEmpty
                }
            )
            #expect(deadline.events.first == then + 10_000)
        }
    }
}
