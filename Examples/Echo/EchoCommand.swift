public import ArgumentParser
import Backlot
public import Logging

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A server without routes that answers whatever parses as a request: what suites of request cases are run against.
@main
struct EchoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "echo-server",
        abstract: "Answers every method and path that parses; the body of a request comes back.",
        discussion: EchoHandler.manual
    )

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = 8080

    @Option(name: .customLong("static"), help: "A folder whose files are served below /static/.")
    var folder: String?

    @Option(help: "For how long new connections are still accepted after SIGTERM, in seconds.")
    var drainDelay = 0.0

    @Option(help: "What to log: trace, debug, info, notice, warning, error or critical.")
    var logLevel = Logger.Level.warning

    func validate() throws {
        guard (0...3600).contains(drainDelay) else {
            throw ValidationError("--drain-delay is \(drainDelay): write a number of seconds from 0 to 3600.")
        }
    }

    func run() async throws {
        var logger = Logger(label: "echo-server", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = logLevel
        var configuration = ServerConfiguration()
        configuration.timeouts.drainDelay = .seconds(drainDelay)
        let server = Server(
            EchoHandler(folder: folder),
            host: host,
            port: port,
            configuration: configuration,
            logger: logger
        ) { address in
            print("listening on http://\(address)/")
            fflush(nil)
        }
        try await server.run()
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
