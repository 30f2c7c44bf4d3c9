public import ArgumentParser
internal import Backlot
internal import Logging

/// The command line of a ``ServerApp``. Without a subcommand, it serves.
public struct ServerCommand<App: ServerApp>: AsyncParsableCommand {
    /// The app's configuration, with the commands that all servers share.
    public static var configuration: CommandConfiguration {
        var configuration = App.configuration
        let name = App.programName
        let own = configuration.subcommands
        let names = Set(own.map { $0._commandName })
        let all: [any ParsableCommand.Type] = [
            ConfigCommand<App>.self, CheckCommand<App>.self, RoutesCommand<App>.self, HealthCommand<App>.self,
            TLSCommand.self,
        ]
        configuration.commandName = name
        if configuration.discussion.isEmpty {
            configuration.discussion = """
                Without a subcommand it serves, at http://127.0.0.1:8080/ unless --host and --port say otherwise. \
                '\(name) serve --help' lists all options.

                The settings that '\(name) config' lists can also come from environment variables, or from a file .env in the \
                current folder: --drain-delay is DRAIN_DELAY there. Options take precedence over the environment, and that \
                over .env.
                """
        }
        let ownServe = own.first { $0._commandName == "serve" }
        let first: [any ParsableCommand.Type] = ownServe == nil ? [ServeCommand<App>.self] : []
        configuration.subcommands = first + own + all.filter { !names.contains($0._commandName) }
        configuration.defaultSubcommand = ownServe ?? ServeCommand<App>.self
        return configuration
    }

    /// Creates the command; ArgumentParser then fills in its options.
    public init() {}
}

/// The options that all servers share.
struct ServiceOptions<App: ServerApp>: SettingOptions {
    @OptionGroup var listen: ListenOptions
    @OptionGroup var tls: TLSOptions
    @OptionGroup var control: ControlOptions
    @OptionGroup var drain: DrainOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var sessions: SessionOptions<App>
}

/// `serve`
struct ServeCommand<App: ServerApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve",
            abstract: "Serves until it gets SIGINT or SIGTERM, then finishes current requests."
        )
    }

    @OptionGroup var app: App
    @OptionGroup var options: ServiceOptions<App>

    func run() async throws {
        let sources = try App.settings(given: [app, options])
        let settings = try App.serviceSettings(sources)
        let context = try AppContext(settings, sources, isServing: true)
        context.operations.bootstrap()
        for warning in sources.warnings(App.allSettings) { context.logger.warning("\(warning)") }
        let buildInfo = App.buildInfo.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        context.metrics.set("build.info", buildInfo, to: 1)
        let router = Router()
        context.operations.use(on: router)
        for middleware in App.middlewares { router.use(middleware) }
        do {
            try await app.routes(router, context)
            try await context.serve(router)
        } catch {
            await context.sessions.close()
            throw error
        }
        await context.sessions.close()
    }
}

/// `check`
struct CheckCommand<App: ServerApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "check",
            abstract: "Requests every page in this process and reports what clients would reject.",
            discussion: "Exit status: 0, or 1 if there are errors; warnings don't count."
        )
    }

    @OptionGroup var app: App

    func run() async throws {
        let report = await (try await app.unservedRoutes()).check()
        print(report)
        if report.hasErrors { throw ExitCode.failure }
    }
}

/// `routes`
struct RoutesCommand<App: ServerApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "routes", abstract: "Lists every route with its location in the source code.")
    }

    @OptionGroup var app: App

    func run() async throws {
        let router = try await app.unservedRoutes()
        // A mistake in the routes matters more than the list.
        try router.handler().prepare()
        print(Columns.text(router.routes.map { [$0.method.rawValue, $0.path, "\($0.source)"] }), terminator: "")
    }
}
