import Dispatch
import Testing

@testable import BacklotHTTP

/// The search for a host's addresses.
@Suite(.timeLimit(.minutes(5))) struct LookupTests {
    private static let destination = ClientDestination(host: "h.example", port: 80, context: nil, versions: .http1)

    @Test func `The addresses that are found are those of the host`() async throws {
        let address = try #require(SocketAddress(host: "192.0.2.7", port: 80))
        let found = try await Self.destination.addresses(within: 60_000) { _, _ in [address] }
        #expect(found == [address])
    }

    @Test func `A host is unreachable if its name server doesn't respond`() async throws {
        let goOn = DispatchSemaphore(value: 0)
        defer { goOn.signal() }
        await #expect(throws: ClientConnectionError.unreachable("no name server had responded after 100 ms")) {
            _ = try await Self.destination.addresses(within: 100) { _, _ in
                goOn.wait()
                return []
            }
        }
    }

    @Test func `A task that is cancelled doesn't wait for a name server`() async throws {
        let (begun, goOn) = (Signal(), DispatchSemaphore(value: 0))
        defer { goOn.signal() }
        let task = Task {
            try await Self.destination.addresses(within: 60_000) { _, _ in
                begun.fire()
                goOn.wait()
                return []
            }
        }
        await begun.wait()
        task.cancel()
        await #expect(throws: ClientConnectionError.cancelled) { _ = try await task.value }
    }
}
