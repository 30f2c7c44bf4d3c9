import Logging
import Synchronization
import TestSupport
import Testing

@testable import BacklotHTTP

/// Runs `body` against a server, checks that none of its connections is left over, and shuts it down.
func withTestServer(
    host: String = "127.0.0.1",
    configure: (inout ServerConfiguration) -> Void = { _ in },
    log: Recorder<String>? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ handler: any Handler,
    _ body: (RunningServer) async throws -> Void
) async throws {
    try await ServerSlots.shared.run {
        let running = try startServer(host: host, configure: configure, log: log, handler)
        do {
            try await body(running)
            let isEmpty = try await eventually { running.connectionCount == 0 }
            #expect(isEmpty, "\(running.connectionCount) connections are left", sourceLocation: sourceLocation)
            await running.shutdown()
        } catch {
            await running.shutdown()
            throw error
        }
    }
}

/// Runs `body` against a server whose handler is a function.
func withTestServer(
    configure: (inout ServerConfiguration) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation,
    handler: @escaping @Sendable (Request) async throws -> Response,
    _ body: (RunningServer) async throws -> Void
) async throws {
    try await withTestServer(configure: configure, sourceLocation: sourceLocation, FunctionHandler(handler), body)
}

/// A server on a free port that somebody else shuts down: two loops, and short waits for clients that don't close.
func startServer(
    host: String = "127.0.0.1",
    port: Int = 0,
    configure: (inout ServerConfiguration) -> Void = { _ in },
    log: Recorder<String>? = nil,
    _ handler: any Handler
) throws -> RunningServer {
    var configuration = ServerConfiguration()
    configuration.eventLoops = 2
    configuration.timeouts.linger = .milliseconds(500)
    configuration.timeouts.drainIdle = .milliseconds(50)
    configure(&configuration)
    let logger = Logger(label: "test") { _ -> any LogHandler in
        log.map { LogLines(lines: $0) } ?? SwiftLogNoOpLogHandler()
    }
    return try Server(handler, host: host, port: port, configuration: configuration, logger: logger).start()
}

extension RunningServer {
    /// How many connections are open.
    var connectionCount: Int { context.connections.load(ordering: .relaxed) }

    /// Calls `body` with every open connection, on its loop.
    func forEachConnection(_ body: @escaping @Sendable (Connection) -> Void) async {
        for loop in loops {
            await withCheckedContinuation { continuation in
                loop.execute {
                    for case let connection as Connection in loop.openChannels { body(connection) }
                    continuation.resume()
                }
            }
        }
    }
}

/// A request with a Host, for `RawClient`.
func request(_ line: String = "GET /", _ fields: String..., version: String = "HTTP/1.1", body: String = "") -> String {
    (["\(line) \(version)", "Host: h"] + fields).map { $0 + "\r\n" }.joined() + "\r\n" + body
}
