import BacklotHTTP
import Logging

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A server with handlers that hang for an hour: `stuck-server DRAIN`, the drain timeout in milliseconds.
///
/// `/loop` blocks the event loop, `/tasks` every thread that runs tasks, and `/blocking` a thread that may block.
func say(_ text: String) {
    print(text)
    fflush(nil)
}

@Sendable func hang() {
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .seconds(3600) {}
}

let handler = FunctionHandler { request in
    switch request.path {
    case "/loop":
        say("hangs")
        hang()
    case "/tasks":
        for _ in 0..<64 { Task.detached { hang() } }
    case "/blocking":
        Task { try await Blocking.run { hang() } }
    default: break
    }
    say("hangs")
    return .text("hangs\n")
}
var configuration = ServerConfiguration()
configuration.timeouts.drain =
    CommandLine.arguments.dropFirst().first.flatMap { Int($0) }.map { .milliseconds($0) } ?? .seconds(1)
configuration.timeouts.drainIdle = .milliseconds(10)
let logger = Logger(label: "stuck-server", factory: { StreamLogHandler.standardError(label: $0) })
var server = Server(handler, port: 0, configuration: configuration, logger: logger) { address in
    say("listening on http://\(address)/")
}
server.onStopping = { say("stopping") }
do {
    try await server.run()
} catch {
    exit(1)
}
