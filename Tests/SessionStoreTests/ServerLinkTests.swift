import Dispatch
import Logging
import TestSupport
import Testing

@testable import Backlot

/// Borrowed and new connections, without a real server.
@Suite(.timeLimit(.minutes(5))) struct ServerLinkTests {
    enum Failure: ServerFailure {
        case away(String)
        case broken

        var isAway: Bool { self != .broken }
        var description: String {
            switch self {
            case .away(let reason): "away: \(reason)"
            case .broken: "broken"
            }
        }
    }

    final class Connection: ServerConnection {
        typealias Failure = ServerLinkTests.Failure

        let number: Int
        private let alive = Locked(true)

        init(_ number: Int) { self.number = number }

        var isAlive: Bool { alive.withLock { $0 } }
        func end() { alive.withLock { $0 = false } }
    }

    /// Makes connections, or refuses them.
    final class Server: Sendable {
        private struct State {
            var count = 0
            var refusal: Failure?
        }

        private let state = Locked(State())

        func refuse(_ refusal: Failure?) { state.withLock { $0.refusal = refusal } }

        func connect() throws(Failure) -> Connection {
            let (count, refusal) = state.withLock { state in
                state.count += 1
                return (state.count, state.refusal)
            }
            if let refusal { throw refusal }
            return Connection(count)
        }
    }

    private func link(_ server: Server, connections: Int = 1, timeout: Duration) -> ServerLink<Connection> {
        ServerLink("test", label: "test", connections: connections, timeout: timeout, logger: .silent) {
            () throws(Failure) in try server.connect()
        }
    }

    @Test func `As many are lent as there are, and those who wait get what comes back, in their order`() async throws {
        let link = link(Server(), connections: 2, timeout: .seconds(60))
        let (one, two) = (try link.borrow(), try link.borrow())
        #expect(Set([one.number, two.number]) == [1, 2])
        let (got, continuation) = AsyncStream.makeStream(of: Int.self)
        DispatchQueue(label: "waits").async {
            continuation.yield((try? link.borrow())?.number ?? 0)
        }
        link.giveBack(two)
        var numbers = got.makeAsyncIterator()
        #expect(await numbers.next() == two.number)
        link.giveBack(one)
        #expect(try link.borrow() === one)
    }

    @Test func `When all are in use for too long, that is said`() async throws {
        let link = link(Server(), timeout: .milliseconds(50))
        let one = try await firstSuccess { try link.borrow() }
        #expect(throws: Failure.away("all connections are in use: there are 1")) { try link.borrow() }
        link.giveBack(one)
        #expect(try link.borrow() === one)
    }

    @Test func `One that has ended, or was dropped, is replaced`() throws {
        let link = link(Server(), timeout: .seconds(60))
        let one = try link.borrow()
        link.giveBack(one)
        one.end()
        let two = try link.borrow()
        #expect(two.number == 2)
        link.drop(two, .broken)
        #expect(try link.borrow().number == 3)
    }

    @Test func `A server that is away fails with its reason, and is found when it is back`() async throws {
        let server = Server()
        server.refuse(.broken)
        let link = link(server, timeout: .milliseconds(50))
        // It knows no reason until the first attempt has failed.
        #expect(try await failureReason(containing: "broken") { _ = try link.borrow() } == "away: broken")
        server.refuse(nil)
        try await firstSuccess { try link.borrow() }
    }
}
