import ArgumentParser

/// A server for trying mobile clients by hand.
@main
struct DemoServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-server",
        abstract: "Serves the demo apps of Backlot, for trying clients against.",
        subcommands: [Serve.self],
        defaultSubcommand: Serve.self
    )
}
