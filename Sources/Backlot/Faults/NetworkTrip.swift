/// The clock and the random numbers for networks: the machine's, or a test's.
struct NetworkWorld: Sendable {
    /// The time since an arbitrary start.
    let now: @Sendable () -> Duration
    /// Waits until a time.
    let sleep: @Sendable (_ until: Duration) async throws -> Void
    /// Draws a number in 0..<1.
    let draw: @Sendable () -> Double

    /// The machine's time and randomness.
    static let real: NetworkWorld = {
        let start = ContinuousClock.now
        return NetworkWorld {
            ContinuousClock.now - start
        } sleep: {
            try await Task.sleep(until: start + $0, tolerance: .zero, clock: .continuous)
        } draw: {
            .random(in: 0..<1)
        }
    }()

    /// Whether an event happens that has a likelihood of so many percent.
    func happens(_ percent: Int) -> Bool { percent > 0 && draw() * 100 < Double(percent) }
}

/// The link between a client and its network. All exchanges of the client share its throughput.
///
/// Bytes that arrive while the link is busy wait for their turn.
final class NetworkLink: Sendable {
    /// The directions of bytes.
    enum Direction: Int, Sendable {
        case up, down
    }

    /// A lateness of bytes that still counts as on time, because waits end late.
    private static let mostLateness = Duration.milliseconds(20)

    /// The time when each direction becomes free, since an arbitrary start.
    private let free = Locked<[Duration]>([.zero, .zero])

    /// Puts bytes on the link.
    ///
    /// - Parameters:
    ///   - offered: the time when the bytes were ready.
    ///   - throughput: in bytes per second; nil for unlimited.
    /// - Returns: the arrival time of the last byte.
    func send(_ count: Int, _ direction: Direction, at offered: Duration, throughput: Int?) -> Duration {
        guard let throughput else { return offered }
        return free.withLock { free in
            let start = free[direction.rawValue]
            let begin = offered - start < Self.mostLateness ? start : offered
            free[direction.rawValue] = begin + .seconds(Double(count) / Double(throughput))
            return free[direction.rawValue]
        }
    }
}

/// The links of all clients with open exchanges. A link is removed with its last exchange.
final class NetworkLinks: Sendable {
    /// The key of a client: its session, or its address without a session.
    private struct Key: Hashable {
        let client: FaultClient
        let host: String
    }

    private struct Entry {
        weak var link: NetworkLink?
    }

    private let links = Locked<[Key: Entry]>([:])

    /// The number of clients with open exchanges.
    var count: Int { links.withLock { $0.values.count { $0.link != nil } } }

    /// The link of a request's client.
    func link(for request: Request) -> NetworkLink {
        let client = request.faultClient
        // A phone that changes networks keeps its session.
        let key = Key(client: client, host: client == .noSession ? request.clientAddress.host : "")
        return links.withLock { links in
            if let link = links[key]?.link { return link }
            links = links.filter { $0.value.link != nil }
            let link = NetworkLink()
            links[key] = Entry(link: link)
            return link
        }
    }
}

/// The way of one request and its response through a network.
package final class NetworkTrip: ResponsePace {
    /// The part of an exchange that gets lost.
    package enum Loss: String, Sendable {
        /// The request: it never reaches the server.
        case request
        /// The response: the server has handled the request.
        case response = "answer"
    }

    /// The result of an exchange.
    package struct Outcome: Sendable, Equatable {
        /// The number of body bytes sent.
        package var bytes = 0
        /// The number of pieces that had to be sent again.
        package var stalls = 0
        /// Whether the whole response was sent.
        package var isComplete = false
    }

    private struct State {
        var outcome = Outcome()
        var hasEnded = false
        var onEnd: (@Sendable (Outcome) -> Void)?
    }

    /// The minimum time before a piece is sent again.
    private static let leastStall = Duration.milliseconds(200)

    /// The network.
    package let profile: NetworkProfile
    /// The part that gets lost; nil for an exchange without a loss.
    package let loss: Loss?
    package let pieceSize: Int
    private let link: NetworkLink
    private let world: NetworkWorld
    private let state = Locked(State())

    init(_ profile: NetworkProfile, _ link: NetworkLink, _ world: NetworkWorld) {
        self.profile = profile
        self.link = link
        self.world = world
        // The bytes of 50 ms: so they arrive about as evenly as on a real network.
        pieceSize = profile.downlink.map { max(1, min($0 / 20, 64 * 1024)) } ?? 64 * 1024
        if profile.isOffline {
            loss = .request
        } else if world.happens(profile.cuts) {
            loss = world.draw() < 0.5 ? .request : .response
        } else {
            loss = nil
        }
    }

    /// Waits until the head of a request has arrived at the server.
    func request(_ headSize: Int) async throws { try await move(headSize, .up, latency: oneWay()) }

    /// Waits until a piece of a request's body has arrived.
    func requestPiece(of count: Int) async throws { try await move(count, .up) }

    package func head(of count: Int) async throws {
        try await move(count, .down, latency: oneWay())
    }

    package func piece(of count: Int) async throws {
        try await move(count, .down)
        state.withLock { $0.outcome.bytes += count }
    }

    package func ended(isComplete: Bool) {
        let (outcome, onEnd) = state.withLock { state in
            state.outcome.isComplete = isComplete
            state.hasEnded = true
            defer { state.onEnd = nil }
            return (state.outcome, state.onEnd)
        }
        onEnd?(outcome)
    }

    /// Calls `body` once at the end of the response; immediately if it has ended.
    package func onEnd(_ body: @escaping @Sendable (Outcome) -> Void) {
        let outcome: Outcome? = state.withLock { state in
            if state.hasEnded { return state.outcome }
            state.onEnd = body
            return nil
        }
        outcome.map(body)
    }

    /// The latency of one direction: half a round trip, with jitter.
    private func oneWay() -> Duration {
        let jitter = profile.jitter == .zero ? .zero : profile.jitter / 2 * (world.draw() * 2 - 1)
        return max(.zero, profile.latency / 2 + jitter)
    }

    private func move(_ count: Int, _ direction: NetworkLink.Direction, latency: Duration = .zero) async throws {
        let throughput = direction == .up ? profile.uplink : profile.downlink
        var arrival = link.send(count, direction, at: world.now(), throughput: throughput) + latency
        if world.happens(profile.loss) {
            arrival += max(Self.leastStall, profile.latency)
            state.withLock { $0.outcome.stalls += 1 }
        }
        if arrival > world.now() { try await world.sleep(arrival) }
    }
}

private enum NetworkTripAttribute: RequestAttribute {
    typealias Value = NetworkTrip
}

extension Request {
    /// The request's way through a network; nil for a request without a network.
    package var networkTrip: NetworkTrip? { attributes.isEmpty ? nil : attributes[NetworkTripAttribute.self] }

    /// The same request, bound to a trip.
    func traveling(_ trip: NetworkTrip) -> Request {
        var request = self
        request.attributes[NetworkTripAttribute.self] = trip
        request.body.pace = { try await trip.requestPiece(of: $0) }
        return request
    }
}

extension Response {
    /// The response's way through a network; nil for a response without a network.
    package var networkTrip: NetworkTrip? { pace as? NetworkTrip }

    /// The same response, bound to a trip, with a field that names the network.
    func traveling(_ trip: NetworkTrip) -> Response {
        var response = self
        if let name = HTTPField.Name(FaultInjection.networkField) { response.headers[name] = "\(trip.profile)" }
        response.pace = trip
        return response
    }
}
