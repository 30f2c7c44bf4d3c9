import ArgumentParser

/// A server for trying mobile clients by hand.
@main
struct DemoServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-server",
        abstract: "Serves the demo apps of Backlot, for trying clients against.",
        discussion: """
            Without a subcommand it serves, at http://127.0.0.1:8080/ unless --host and --port say otherwise. \
            'demo-server help serve' lists all options.

            What 'demo-server config' lists can also be set by variables of the environment, or in a file .env of the current \
            folder: --drain-delay is DRAIN_DELAY there. Options count before the environment, and that before .env.
            """,
        subcommands: [Serve.self, Mock.self, RouteList.self, Check.self, Views.self, ConfigReport.self, Health.self],
        defaultSubcommand: Serve.self
    )
}
