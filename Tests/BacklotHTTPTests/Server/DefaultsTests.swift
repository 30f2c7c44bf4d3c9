import Testing

@testable import BacklotHTTP

/// The defaults are what protects a server that nobody has configured: none changes by accident.
@Suite(.timeLimit(.minutes(5))) struct DefaultsTests {
    @Test(arguments: [
        ("request line", \ServerConfiguration.Limits.requestLine, 8 * 1024),
        ("head", \.head, 32 * 1024),
        ("fields", \.fields, 100),
        ("body", \.body, 1024 * 1024),
        ("extension of one chunk", \.chunkExtension, 256),
        ("extensions of all chunks", \.chunkExtensionsInAll, 4 * 1024),
        ("trailers", \.trailers, 4 * 1024),
        ("empty lines before a request", \.leadingEmptyLines, 4),
        ("bytes per second", \.leastRate, 500),
        ("streams of HTTP/2", \.streams, 100),
    ])
    func limit(_ name: String, _ limit: any KeyPath<ServerConfiguration.Limits, Int> & Sendable, _ expected: Int) {
        #expect(ServerConfiguration().limits[keyPath: limit] == expected, "\(name)")
    }

    @Test(arguments: [
        ("head", \ServerConfiguration.Timeouts.head, Duration.seconds(10)),
        ("grace of the least rate", \.rateGrace, .seconds(10)),
        ("idle", \.idle, .seconds(60)),
    ])
    func timeout(
        _ name: String,
        _ timeout: any KeyPath<ServerConfiguration.Timeouts, Duration> & Sendable,
        _ expected: Duration
    ) {
        #expect(ServerConfiguration().timeouts[keyPath: timeout] == expected, "\(name)")
    }
}
