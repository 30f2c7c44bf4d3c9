public import ArgumentParser
internal import Backlot

/// The options of settings that may also come from the environment and .env. Here they are only texts: their meaning is decided
/// when all sources are combined.
public protocol SettingOptions: ParsableArguments {
    /// The given texts, by the names of the settings. By default, those of the properties: `@Option var name: String?`, and
    /// groups of such options.
    var given: [String: String] { get }
}

extension SettingOptions {
    /// The texts of the properties.
    public var given: [String: String] {
        var given: [String: String] = [:]
        for child in Mirror(reflecting: self).children {
            switch child.value {
            case let option as Option<String?>:
                // The property behind a wrapper begins with an underscore.
                given[String((child.label ?? "").drop { $0 == "_" }).kebabCased] = option.wrappedValue
            case let group as any GivenGroup: given.merge(group.given) { $1 }
            default: break
            }
        }
        return given
    }
}

/// A group of options for settings.
private protocol GivenGroup {
    var given: [String: String] { get }
}

extension OptionGroup: GivenGroup where Value: SettingOptions {
    var given: [String: String] { wrappedValue.given }
}

extension Option where Value == String? {
    /// Creates the option of a setting, with its default in the help:
    /// `@Option(Clinic.database, "The file of the clinic's data.") var database: String?`.
    ///
    /// - Parameters:
    ///   - setting: determines the option's name. The property has the same name in lower camel case.
    ///   - help: the meaning of the setting, in a sentence.
    public init<Read>(_ setting: Setting<Read>, _ help: String) {
        let defaultText = setting.isSecret ? nil : setting.defaultText
        self.init(
            name: .customLong(setting.name),
            help: ArgumentHelp(stringLiteral: help + (defaultText.map { " (default: \($0))" } ?? ""))
        )
    }
}

extension [any SettingOptions] {
    /// The given texts of all of them.
    package var given: [String: String] { reduce(into: [:]) { given, options in given.merge(options.given) { $1 } } }
}

/// The address to listen on, and the log.
public struct ListenOptions: SettingOptions {
    /// Creates the options; ArgumentParser then fills them in.
    public init() {}

    @Option(help: "The address to listen on; 0.0.0.0 for every network interface. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port to listen on; 0 takes a free one. (default: 8080)")
    var port: String?

    @Option(
        help: ArgumentHelp(
            "The proxies that are trusted to name the client's address and scheme.",
            discussion: "Addresses and ranges with commas between them, such as 127.0.0.1,10.0.0.0/8.",
            valueName: "ranges"
        )
    )
    var trustedProxies: String?

    @Option(help: "The lowest level to log: trace, debug, info, notice, warning, error or critical. (default: info)")
    var logLevel: String?

    @Option(
        help:
            "The log's format: text, json (an object each line), logfmt, or auto: text on a terminal and else json. (default: auto)"
    )
    var logFormat: String?

    @Option(help: "Whether to log every request: on, or off for those that fail alone. (default: on)")
    var accessLog: String?
}

/// The clients that may read and command a server.
public struct ControlOptions: SettingOptions {
    /// Creates the options; ArgumentParser then fills them in.
    public init() {}

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "An origin with web pages that may read responses, such as https://app.example.com; '*' for any.",
            discussion: "May be repeated. Named origins may send cookies; with '*', web pages can't.",
            valueName: "origin"
        )
    )
    var cors: [String] = []

    @Option(
        help: ArgumentHelp(
            "The clients that may give commands at /__admin, read /metrics and use preview: off, local or token. (default: local)",
            discussion:
                "off: nobody. local: programs on this machine. It requires a loopback address as --host, and neither --trusted-proxies nor --proxy-protocol. With an --admin-port, it only requires a loopback address as --admin-host. token: clients with the --admin-token; the default if a token is set. Behind a proxy on the same machine, write --admin token or off, or set an --admin-port.",
            valueName: "who"
        )
    )
    var admin: String?

    @Option(
        help: ArgumentHelp(
            "Only requests with 'Authorization: Bearer' and this token may read /metrics and give commands at /__admin.",
            discussion:
                "Without it, only programs on this machine may, as --admin local says.",
            valueName: "token"
        )
    )
    var adminToken: String?

    @Option(
        help: ArgumentHelp(
            "A port for /metrics and /__admin only. The main port then has neither, and no preview; /metrics needs no token.",
            valueName: "port"
        )
    )
    var adminPort: String?

    @Option(
        help: ArgumentHelp("The address of the --admin-port; that of --host, unless it is set.", valueName: "host")
    )
    var adminHost: String?

    /// The given texts.
    public var given: [String: String] {
        let values = [
            ServiceSetting.admin.name: admin, ServiceSetting.adminToken.name: adminToken,
            ServiceSetting.adminHost.name: adminHost, ServiceSetting.adminPort.name: adminPort,
        ]
        var given = values.compactMapValues(\.self)
        if !cors.isEmpty { given[ServiceSetting.cors.name] = cors.joined(separator: ",") }
        return given
    }
}

/// The timing of the server's stop.
public struct DrainOptions: SettingOptions {
    /// Creates the options; ArgumentParser then fills them in.
    public init() {}

    @Option(
        help: ArgumentHelp(
            "The time to accept new connections after SIGINT or SIGTERM, in seconds. (default: 0)",
            discussion: "Meanwhile /readyz responds with 503, so that a load balancer can notice.",
            valueName: "seconds"
        )
    )
    var drainDelay: String?

    @Option(
        help: ArgumentHelp(
            "The time that a check of /readyz may fail, after it has passed, before that counts, in seconds. (default: 3)",
            discussion: "So a short failure of a store doesn't take all replicas out of service.",
            valueName: "seconds"
        )
    )
    var readyGrace: String?
}

/// The place of the sessions.
struct SessionOptions<App: ServerApp>: SettingOptions {
    @Option(
        help: ArgumentHelp(
            "The store for sessions: \(App.sessionStores.forms()).",
            discussion: App.sessionStores.contains { $0.schemes.contains("sqlite") }
                ? "Without the option: in a file of SQLite below ~/.local/state, so that they survive a restart." : "",
            valueName: "store"
        )
    )
    var sessions: String?
}
