@_exported public import ArgumentParser
public import Backlot

/// A program that serves: its routes, with all that a server needs around them.
///
/// ```swift
/// @main
/// struct Clinic: ServerApp {
///     func routes(_ router: Router, _ service: AppContext) async throws {
///         router.applin("/", sessions: service.sessions) { app in
///             app.page("/") { _ in navPage("Clinic") { text("Welcome") } }
///         }
///     }
/// }
/// ```
/// `clinic` then serves, with a log, metrics, health checks, preview, TLS and an orderly stop; `clinic serve --help` lists its
/// options, and `clinic config` says what they are set to. `clinic check` looks for mistakes in the pages.
///
/// Options of its own are properties, as in any command of swift-argument-parser. Those that the environment and `.env` may have
/// too are also in ``settings``: `@Option(Clinic.database, "The file of the clinic's data.") var database: String?`.
public protocol ServerApp: SettingOptions {
    /// The program's name, its texts for `--help`, and commands of its own. One that is named like a command that every server
    /// has replaces that. Without a name, that of the type counts: `WaitingRoom` is `waiting-room`.
    static var configuration: CommandConfiguration { get }

    /// The kinds of stores that `--sessions` may name; the first that has a usual place is the default. Memory alone, unless the
    /// program defines it: `[.memory, .sqlite]`.
    static var sessionStores: [SessionStoreKind] { get }

    /// The settings that this program has beside those of every server. None, unless it defines them.
    static var settings: [any ListedSetting] { get }

    /// The labels of the metric `build_info`, such as `["version": "1.2.0", "commit": "1a2b3c4d"]`. The version of
    /// `configuration`, unless the program defines it.
    static var buildInfo: [String: String] { get }

    /// The middlewares around all routes, the first outermost. Unless the program defines them, answers are compressed for clients
    /// that take it, and compressed bodies of requests are read.
    static var middlewares: [any Middleware] { get }

    /// Looks for settings that contradict each other, before the program serves and in `config`. Does nothing, unless the program
    /// defines it.
    ///
    /// - Throws: ``SettingError`` for the first mistake.
    static func checkSettings(_ sources: SettingSources) throws

    /// Adds the routes. It is called once, before the server accepts connections; `check` and `routes` call it too, with a
    /// ``AppContext`` that serves nothing.
    ///
    /// - Throws: what makes it pointless to serve: the program ends with one line that says so.
    func routes(_ router: Router, _ service: AppContext) async throws
}

extension ServerApp {
    /// The whole command line of the program.
    public typealias Command = ServerCommand<Self>

    /// Nothing of its own.
    public static var configuration: CommandConfiguration { CommandConfiguration() }

    /// Memory alone.
    public static var sessionStores: [SessionStoreKind] { [.memory] }

    /// None.
    public static var settings: [any ListedSetting] { [] }

    /// The version of `configuration`.
    public static var buildInfo: [String: String] { ["version": configuration.version] }

    /// Compression in both directions.
    public static var middlewares: [any Middleware] { [Compression(), Decompression()] }

    /// Does nothing.
    public static func checkSettings(_ sources: SettingSources) {}

    /// Runs the command that the command line names, and ends the program when it fails.
    @concurrent
    public static func main() async {
        await CommandLineRun(Command.self).run(CommandLineRun.arguments)
    }
}

extension ServerApp {
    /// The program's name.
    package static var programName: String {
        configuration.commandName
            ?? "\(Self.self)".kebabCased
    }

    /// All that can be set, in the order in which it is listed.
    package static var allSettings: [any ListedSetting] { ServiceSetting.all(stores: sessionStores) + settings }

    /// The sources of all settings, with what some groups of options were given.
    package static func settings(given options: [any SettingOptions]) throws -> SettingSources {
        try SettingSources(options: options.given)
    }

    /// Reads the settings that every server has, and looks for contradictions between all.
    package static func serviceSettings(_ sources: SettingSources) throws -> ServiceSettings {
        let settings = try ServiceSettings(name: programName, stores: sessionStores, sources)
        try checkSettings(sources)
        return settings
    }

    /// The routes, for a command that doesn't serve.
    func unservedRoutes() async throws -> Router {
        try await routes(try Self.settings(given: [self]))
    }

    private func routes(_ sources: SettingSources) async throws -> Router {
        let router = Router()
        try await routes(router, try AppContext(try Self.serviceSettings(sources), sources, isServing: false))
        return router
    }
}

extension ServerApp {
    /// A router with the app's routes, for tests: neither the environment nor `.env` counts, and sessions are in memory.
    ///
    /// ```swift
    /// try await withApplinClient(try await Clinic.router()) { app in … }
    /// ```
    /// - Parameter arguments: options of the app, as on the command line.
    /// - Throws: what is wrong with them, and what the routes throw.
    public static func router(_ arguments: [String] = []) async throws -> Router {
        let app = try parse(arguments)
        let sources = try SettingSources(options: app.given, environment: [:], file: nil)
        return try await app.routes(sources)
    }
}

extension String {
    /// The words of a name in small letters, with hyphens between them: `WaitingRoom` is `waiting-room`.
    package var kebabCased: String {
        reduce(into: "") { name, character in
            if character.isUppercase, name.last?.isLowercase == true { name.append("-") }
            name += character.lowercased()
        }
    }
}
