import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import BacklotHTTP

/// Connections after their last answer: how long a client may take to read it, and how many may.
@Suite(.timeLimit(.minutes(5))) struct LingeringTests {
    private static let refusing = FunctionHandler { _ in
        var response = Response.text("no", status: .contentTooLarge)
        response.headers[.connection] = "close"
        return response
    }

    // MARK: The decisions

    private static let timeouts = {
        var timeouts = ServerConfiguration.Timeouts()
        timeouts.linger = .seconds(5)
        timeouts.lingerInAll = .seconds(30)
        return timeouts
    }()

    @Test(arguments: [
        (lastProgress: Int64(1_000), isDraining: false, deadline: Int64(6_000)),
        (20_000, false, 25_000), (26_000, false, 31_000), (26_001, false, 31_000), (30_999, false, 31_000),
        (1_000, true, 6_000), (20_000, true, 6_000),
    ])
    func deadlines(_ lastProgress: Int64, _ isDraining: Bool, _ deadline: Int64) async throws {
        let loop = try EventLoop(name: "test")
        let (first, second) = (
            Channel(socket: Socket(descriptor: -1), loop: loop), Channel(socket: Socket(descriptor: -1), loop: loop)
        )
        var lingering = LingeringChannels()
        lingering.append(second, at: 0)
        lingering.append(first, at: 1_000)
        let found = lingering.deadline(
            of: first,
            lastProgress: lastProgress,
            isDraining: isDraining,
            Waits(Self.timeouts)
        )
        #expect(found == deadline)
    }

    @Test func theOldestIsFirst() async throws {
        let loop = try EventLoop(name: "test")
        let channels = (0..<3).map { _ in Channel(socket: Socket(descriptor: -1), loop: loop) }
        var lingering = LingeringChannels()
        for (index, channel) in channels.enumerated() { lingering.append(channel, at: Int64(index)) }
        #expect(lingering.oldest === channels[0])
        let removed = [channels[0], channels[0], channels[2]].map { lingering.remove($0) }
        #expect(removed == [true, false, true])
        #expect(lingering.oldest === channels[1])
    }

    // MARK: Connections

    /// One that sends nothing more, and doesn't close, has `linger`; one that goes on sending has `lingerInAll`.
    @Test(arguments: [false, true], [false, true])
    func aClientThatStaysIsCut(_ sendsOn: Bool, _ isHTTP2: Bool) async throws {
        func configure(_ configuration: inout ServerConfiguration) {
            configuration.timeouts.linger = sendsOn ? .seconds(60) : .milliseconds(50)
            configuration.timeouts.lingerInAll = sendsOn ? .milliseconds(50) : .seconds(60)
        }
        try await withTestClient(configure: configure, Self.refusing) { client, server in
            if isHTTP2 {
                // Frames on stream 0 that can only be an error: the connection ends with a GOAWAY.
                try await client.send(Frame.preface + Frame.settings().bytes() + Frame.data(0, [1]).bytes())
            } else {
                try await client.send(request("POST /", "Content-Length: 100000000"))
            }
            let end = try await client.receiveToEnd().end
            #expect(end == .closed, "the answer is whole, whatever becomes of the connection")
            if sendsOn {
                await #expect(throws: RawClientError.self) {
                    while true { try await client.send([UInt8](repeating: 0, count: 10_000)) }
                }
            }
            try await expectEventually { server.connectionCount == 0 }
            #expect(server.context.lingering.load(ordering: .relaxed) == 0)
        }
    }

    /// Past the limit, those that have waited longest are cut, and others keep their answers.
    @Test func thereIsRoomForSoMany() async throws {
        func configure(_ configuration: inout ServerConfiguration) {
            configuration.eventLoops = 1
            configuration.limits.lingering = 2
            configuration.timeouts.linger = .seconds(60)
        }
        try await withTestServer(configure: configure, Self.refusing) { server in
            var clients: [RawClient] = []
            for count in 1...4 {
                let client = try await RawClient.connect(to: server.address)
                #expect(try await client.answer(to: request("POST /", "Content-Length: 100000000")).status == 413)
                #expect(try await client.receiveToEnd().end == .closed)
                try await expectEventually { server.connectionCount == min(count, 2) }
                clients.append(client)
            }
            for client in clients[..<2] {
                await #expect(throws: RawClientError.self) {
                    while true { try await client.send([UInt8](repeating: 0, count: 10_000)) }
                }
            }
            for client in clients[2...] {
                try await client.send([UInt8](repeating: 0, count: 1_000_000))
                await client.close()
            }
        }
    }
}
