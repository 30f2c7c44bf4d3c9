import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct HandshakesTests {
    @Test func `Handshakes and their rate are read`() throws {
        let report = try #require(Handshakes.report(parsing: "6000 handshakes in 3.000 s\n"))
        #expect(report.requests == 6000 && report.requestsPerSecond == 2000)
    }

    @Test(arguments: ["", "handshake: failed", "many handshakes in 3.000 s", "6000 handshakes in 0.000 s"])
    func `Other output is not a report`(_ text: String) {
        #expect(Handshakes.report(parsing: text) == nil)
    }
}
