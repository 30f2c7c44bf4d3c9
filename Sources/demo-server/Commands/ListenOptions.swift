public import ArgumentParser
public import Logging

/// Where to listen, and what to log.
struct ListenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address to listen on; 0.0.0.0 for every network interface.",
            discussion: "Without the option: the environment's HOST, or else 127.0.0.1."
        )
    )
    var host: String?

    @Option(
        help: ArgumentHelp(
            "The port to listen on; 0 takes a free one.",
            discussion: "Without the option: the environment's PORT, or else 8080."
        )
    )
    var port: Int?

    @Option(help: "What to log: trace, debug, info, notice, warning, error or critical.")
    var logLevel = Logger.Level.info

    /// Writes to standard error what is to be logged.
    var logger: Logger {
        var logger = Logger(label: "demo-server", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = logLevel
        return logger
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
