import Testing

@testable import BacklotHTTP

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite(.timeLimit(.minutes(5))) struct ListeningSocketTests {
    /// An answer whose second piece waits for the first one's acknowledgement comes 40 ms late.
    @Test(arguments: ["127.0.0.1", "::1"])
    func `Accepted connections send without delay`(_ host: String) async throws {
        let address = try #require(SocketAddress(host: host, port: 0))
        let listening = try Socket.listening(on: address, backlog: 8)
        defer { listening.close() }
        let client = try Socket.connecting(to: listening.localAddress())
        defer { client.close() }
        var accepted: Socket?
        let hasCome = try await eventually {
            accepted = (try? listening.accept())?.0
            return accepted != nil
        }
        try #require(hasCome)
        let socket = try #require(accepted)
        defer { socket.close() }
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(socket.descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &value, &length)
        #expect(result == 0)
        #expect(value != 0)
    }
}
