import TestSupport
import Testing

@testable import Backlot

/// The arithmetic of networks: how long exchanges take, to the nanosecond.
@Suite(.timeLimit(.minutes(5))) struct NetworkTripTests {
    private static func trip(
        _ text: String,
        _ world: VirtualWorld,
        links: NetworkLinks = NetworkLinks()
    ) throws -> NetworkTrip {
        NetworkTrip(try NetworkProfile(parsing: text), links.link(for: try Request(.get, "/")), world.world)
    }

    @Test(arguments: [
        ("downlink=1000", 5000, Duration.seconds(5)),
        ("downlink=30000; latency=840", 30_000, .milliseconds(1840)),
        ("3g", 1_000_000, .milliseconds(5300)),
        ("uplink=10", 5000, .seconds(10)),
        ("latency=300; jitter=100", 1, .milliseconds(300) + .milliseconds(98)),
        ("online", 1_000_000, .zero),
    ])
    func `A response takes the latency, and its size by the throughput`(
        text: String,
        size: Int,
        expected: Duration
    ) async throws {
        let world = VirtualWorld()
        let trip = try Self.trip(text, world)
        try await trip.request(text == "uplink=10" ? 100 : 0)
        try await trip.head(of: 0)
        var rest = size
        while rest > 0 {
            let piece = min(rest, trip.pieceSize)
            try await trip.piece(of: piece)
            rest -= piece
        }
        #expect(abs((world.now - expected) / .nanoseconds(1)) < 1000, "\(world.now)")
    }

    @Test(arguments: [0, 1, 7, 19])
    func `Waits that end late don't add up`(late: Int) async throws {
        let world = VirtualWorld(lateness: .milliseconds(late))
        let trip = try Self.trip("downlink=1000", world)
        for _ in 0..<100 { try await trip.piece(of: 50) }
        #expect(world.now >= .seconds(5) && world.now <= .seconds(5) + .milliseconds(late), "\(world.now)")
    }

    @Test func `Time that the handler takes is not made up for`() async throws {
        let world = VirtualWorld()
        let trip = try Self.trip("downlink=1000", world)
        try await trip.piece(of: 1000)
        world.pass(.seconds(10))
        try await trip.piece(of: 1000)
        #expect(world.now == .seconds(12))
    }

    @Test func `All exchanges of a client share its link, and those of others don't`() async throws {
        let world = VirtualWorld()
        let links = NetworkLinks()
        let trips = try (0..<4).map { _ in try Self.trip("downlink=1000", world, links: links) }
        #expect(links.count == 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for trip in trips {
                group.addTask { for _ in 0..<20 { try await trip.piece(of: 50) } }
            }
            try await group.waitForAll()
        }
        #expect(abs((world.now - .seconds(4)) / .nanoseconds(1)) < 1000, "\(world.now)")
        withExtendedLifetime(trips) {}
    }

    @Test func `A link that nobody uses is forgotten`() throws {
        let links = NetworkLinks()
        do {
            let trip = try Self.trip("edge", VirtualWorld(), links: links)
            #expect(links.count == 1)
            withExtendedLifetime(trip) {}
        }
        #expect(links.count == 0)
    }

    @Test func `Up and down are two`() {
        let link = NetworkLink()
        #expect(link.send(1000, .up, at: .zero, throughput: 1000) == .seconds(1))
        #expect(link.send(1000, .down, at: .zero, throughput: 500) == .seconds(2))
        #expect(link.send(1000, .up, at: .zero, throughput: 1000) == .seconds(2))
        #expect(link.send(1000, .up, at: .seconds(9), throughput: 1000) == .seconds(10))
        #expect(link.send(1_000_000, .up, at: .seconds(3), throughput: nil) == .seconds(3))
    }

    @Test(arguments: [("loss=100", 200), ("loss=100; latency=500", 500)])
    func `A lost piece holds up its exchange until it was sent again`(text: String, milliseconds: Int) async throws {
        let world = VirtualWorld()
        let trip = try Self.trip(text, world)
        try await trip.piece(of: 1461)
        try await trip.piece(of: 1)
        #expect(world.now == .milliseconds(milliseconds) * 2)
        let outcome = Locked<NetworkTrip.Outcome?>(nil)
        trip.onEnd { end in outcome.withLock { $0 = end } }
        trip.ended(isComplete: true)
        #expect(outcome.withLock { $0 } == NetworkTrip.Outcome(bytes: 1462, stalls: 2, isComplete: true))
    }

    @Test(arguments: [
        ("cuts=100", 0.1, NetworkTrip.Loss?.some(.request)), ("cuts=100", 0.9, .response), ("cuts=20", 0.3, nil),
        ("cuts=0", 0, nil), ("offline", 0.9, .request),
    ])
    func `What gets lost`(text: String, draw: Double, loss: NetworkTrip.Loss?) throws {
        #expect(try Self.trip(text, VirtualWorld { draw }).loss == loss)
    }

    @Test(arguments: [("downlink=1", 1), ("edge", 1500), ("downlink=1000000000", 65_536), ("online", 65_536)])
    func `Pieces are what arrives in 50 ms, and never large`(text: String, size: Int) throws {
        #expect(try Self.trip(text, VirtualWorld()).pieceSize == size)
    }
}
