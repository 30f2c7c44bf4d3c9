import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct AddressCountsTests {
    private func address(_ host: String) throws -> SocketAddress { try #require(SocketAddress(host: host, port: 1)) }

    @Test func `An address counts as long as its tickets live`() throws {
        let counts = AddressCounts(limit: 2)
        let own = try address("192.0.2.7")
        var tickets = [counts.ticket(for: own), counts.ticket(for: own)]
        #expect(!tickets.contains { $0 == nil })
        #expect(counts.ticket(for: own) == nil)
        #expect(counts.ticket(for: try address("192.0.2.8")) != nil)
        tickets.removeLast()
        #expect(counts.ticket(for: own) != nil)
        tickets.removeAll()
        #expect(counts.addressCount == 0)
    }

    @Test func `IPv6 addresses count by their first half`() throws {
        let counts = AddressCounts(limit: 1)
        let ticket = counts.ticket(for: try address("2001:db8::1"))
        #expect(ticket != nil)
        #expect(counts.ticket(for: try address("2001:db8::2")) == nil)
        #expect(counts.ticket(for: try address("2001:db8:0:1::1")) != nil)
        withExtendedLifetime(ticket) {}
    }
}
