import Foundation
import TestSupport
import Testing

/// The end of a program with a part that hangs.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StuckServerTests {
    private static func stuck(at path: String, drain: Int) async throws -> ServerProcess {
        let server = try ServerProcess("stuck-server", ["\(drain)"])
        let client = try await RawClient.connect(to: try #require(server.address()))
        try await client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(server.nextLine() == "hangs")
        return server
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `An event loop that hangs is left behind after the drain timeout`(signal: Int32) async throws {
        // The other loops need a processor in that time, or they count as hanging too.
        let server = try await Self.stuck(at: "/loop", drain: 2000)
        server.signal(signal)
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = server.outcome()
        #expect(clock.now - start < .seconds(20))
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(/1 of \d+ event loops hang \(\d+\) and were left behind/), "\(outcome.errors)")
    }

    @Test func `Where no task runs any more, the process ends nonetheless`() async throws {
        let server = try await Self.stuck(at: "/tasks", drain: 300)
        server.signal(SIGTERM)
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = server.outcome()
        #expect(clock.now - start < .seconds(20))
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("something hangs: the process ends now"), "\(outcome.errors)")
    }

    @Test func `A thread that blocks holds up nothing`() async throws {
        let server = try await Self.stuck(at: "/blocking", drain: 60_000)
        server.signal(SIGTERM)
        #expect(server.outcome().status == 0)
    }

    @Test(arguments: [SIGTERM, SIGINT], [SIGTERM, SIGINT])
    func `A second signal ends the process at once`(first: Int32, second: Int32) async throws {
        let server = try await Self.stuck(at: "/loop", drain: 60_000)
        server.signal(first)
        #expect(server.nextLine() == "stopping")
        server.signal(second)
        #expect(server.outcome().status == -second)
    }
}
