@_exported public import ArgumentParser
public import Backlot

/// A program that serves: its routes, with everything that a server needs around them.
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
/// `clinic` then serves, with a log, metrics, health checks, preview, TLS and an orderly stop. `clinic serve --help` lists its
/// options, `clinic config` shows their values, and `clinic check` looks for mistakes in the pages.
///
/// An app's own options are properties, as in any command of swift-argument-parser. Options that may also come from the
/// environment and `.env` are listed in ``settings`` as well:
/// `@Option(Clinic.database, "The file of the clinic's data.") var database: String?`.
public protocol ServerApp: SettingOptions {
    /// The program's name, its texts for `--help`, and its own commands. A command with the name of a built-in command replaces
    /// that one. The default name comes from the type: `WaitingRoom` is `waiting-room`.
    static var configuration: CommandConfiguration { get }

    /// The kinds of stores that `--sessions` may name. The first kind with a usual place is the default. By default, there is
    /// only memory; a program may define `[.memory, .sqlite]`.
    static var sessionStores: [SessionStoreKind] { get }

    /// The program's own settings, in addition to the settings of all servers. Empty by default.
    static var settings: [any ListedSetting] { get }

    /// The labels of the metric `build_info`, such as `["version": "1.2.0", "commit": "1a2b3c4d"]`. By default, the version in
    /// `configuration`.
    static var buildInfo: [String: String] { get }

    /// The middlewares around all routes, the first outermost. By default, they compress responses for clients that accept it,
    /// and decompress the bodies of requests.
    static var middlewares: [any Middleware] { get }

    /// Looks for settings that contradict each other, before the program serves and in `config`. Does nothing by default.
    ///
    /// - Throws: ``SettingError`` for the first mistake.
    static func checkSettings(_ sources: SettingSources) throws

    /// Lines that `config` prints below the settings, such as where the program keeps its state. Empty by default.
    static func remarks(_ sources: SettingSources) -> [String]

    /// Adds the routes. It is called once, before the server accepts connections. `check` and `routes` call it too, with an
    /// ``AppContext`` that doesn't serve.
    ///
    /// - Throws: any error that makes it pointless to serve. The program then ends with one line that describes it.
    func routes(_ router: Router, _ service: AppContext) async throws
}

extension ServerApp {
    /// The whole command line of the program.
    public typealias Command = ServerCommand<Self>

    /// An empty configuration.
    public static var configuration: CommandConfiguration { CommandConfiguration() }

    /// Memory only.
    public static var sessionStores: [SessionStoreKind] { [.memory] }

    /// No settings.
    public static var settings: [any ListedSetting] { [] }

    /// The version of `configuration`.
    public static var buildInfo: [String: String] { ["version": configuration.version] }

    /// Compression in both directions.
    public static var middlewares: [any Middleware] { [Compression(), Decompression()] }

    /// Does nothing.
    public static func checkSettings(_ sources: SettingSources) {}

    /// No lines.
    public static func remarks(_ sources: SettingSources) -> [String] { [] }

    /// Runs the command named by the command line, and ends the program if it fails.
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

    /// All settings, in the order of their list.
    package static var allSettings: [any ListedSetting] { ServiceSetting.all(stores: sessionStores) + settings }

    /// The sources of all settings, with the options given on the command line.
    package static func settings(given options: [any SettingOptions]) throws -> SettingSources {
        try SettingSources(options: options.given)
    }

    /// Reads the settings that all servers share, and looks for contradictions between all settings.
    package static func serviceSettings(_ sources: SettingSources) throws -> ServiceSettings {
        var settings = try ServiceSettings(name: programName, stores: sessionStores, sources)
        settings.listed += sources.texts(of: self.settings)
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
    /// try await withApplinClient(try await Clinic.router()) { app in try await app.launch() }
    /// ```
    /// - Parameter arguments: options of the app, as on the command line.
    /// - Throws: an error for wrong options, and the errors of the routes.
    public static func router(_ arguments: [String] = []) async throws -> Router {
        let app = try parse(arguments)
        let sources = try SettingSources(options: app.given, environment: [:], file: nil)
        return try await app.routes(sources)
    }
}

extension String {
    /// The words of a name in lower case, joined by hyphens: `WaitingRoom` becomes `waiting-room`.
    package var kebabCased: String {
        reduce(into: "") { name, character in
            if character.isUppercase, name.last?.isLowercase == true { name.append("-") }
            name += character.lowercased()
        }
    }
}
