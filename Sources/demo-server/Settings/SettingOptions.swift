import ArgumentParser

/// The options of those settings that the environment and .env may have too. They are texts here: what they mean is decided
/// where all places are put together.
protocol SettingOptions: ParsableArguments {
    /// The texts that were given, by the names of the settings.
    var given: [String: String] { get }
}

/// Where to listen, and what to log.
struct ListenOptions: SettingOptions {
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

    @Option(help: "What to log: trace, debug, info, notice, warning, error or critical. (default: info)")
    var logLevel: String?

    @Option(
        help: "The log's format: text, json (a line each), or auto: text on a terminal and else json. (default: auto)"
    )
    var logFormat: String?

    var given: [String: String] {
        let values = [
            Settings.host.name: host, Settings.port.name: port, Settings.trustedProxies.name: trustedProxies,
            Settings.logLevel.name: logLevel, Settings.logFormat.name: logFormat,
        ]
        return values.compactMapValues(\.self)
    }
}

/// The folders to serve beside the demo.
struct FolderOptions: SettingOptions {
    @Option(
        name: .customLong("public"),
        help: ArgumentHelp("The folder whose files are served where no page is.", valueName: "dir")
    )
    var publicFolder: String?

    @Option(help: ArgumentHelp("The folder of the mock routes, one file for each.", valueName: "dir"))
    var routes: String?

    var given: [String: String] {
        [Settings.publicFolder.name: publicFolder, Settings.routes.name: routes].compactMapValues(\.self)
    }
}

/// The clients that may read and command a server.
struct ControlOptions: SettingOptions {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "An origin whose web pages may read answers, such as https://app.example.com; '*' for any.",
            discussion: "May be repeated. Origins that are named may send cookies; with '*' none may.",
            valueName: "origin"
        )
    )
    var cors: [String] = []

    @Option(
        help: ArgumentHelp(
            "Who may give commands at /__admin, read /metrics and use preview: off, local or token. (default: local)",
            discussion:
                "off: nobody. local: programs of this machine. token: whoever has the --admin-token, which is also the default where one is set. Behind a proxy on the same machine write --admin token or off, or set an --admin-port.",
            valueName: "who"
        )
    )
    var admin: String?

    @Option(
        help: ArgumentHelp(
            "Only requests with 'Authorization: Bearer' and this token may read /metrics and give commands at /__admin.",
            discussion:
                "Without it, programs of this machine may, as long as the server listens on a loopback address.",
            valueName: "token"
        )
    )
    var adminToken: String?

    @Option(
        help: ArgumentHelp(
            "A port for /metrics and /__admin alone: they are not on the other port then, and /metrics needs no token.",
            valueName: "port"
        )
    )
    var adminPort: String?

    var given: [String: String] {
        let values = [
            Settings.admin.name: admin, Settings.adminToken.name: adminToken, Settings.adminPort.name: adminPort,
        ]
        var given = values.compactMapValues(\.self)
        if !cors.isEmpty { given[Settings.cors.name] = cors.joined(separator: ",") }
        return given
    }
}

/// How the server stops.
struct DrainOptions: SettingOptions {
    @Option(
        help: ArgumentHelp(
            "For how long new connections are still accepted after SIGINT or SIGTERM, in seconds. (default: 0)",
            discussion: "Meanwhile /readyz answers 503, so that a load balancer can notice.",
            valueName: "seconds"
        )
    )
    var drainDelay: String?

    var given: [String: String] { [Settings.drainDelay.name: drainDelay].compactMapValues(\.self) }
}

/// Where sessions are kept.
struct SessionOptions: SettingOptions {
    @Option(
        help: ArgumentHelp(
            "Where sessions are kept: memory, sqlite:PATH, or redis://[:PASSWORD@]HOST:PORT/DB.",
            discussion: "Without the option: in a file of SQLite below ~/.local/state, so that they survive a restart.",
            valueName: "store"
        )
    )
    var sessions: String?

    var given: [String: String] { [Settings.sessions.name: sessions].compactMapValues(\.self) }
}

/// The file that the Floki app keeps.
struct FlokiOptions: SettingOptions {
    @Option(
        help: ArgumentHelp(
            "The file that keeps the version of the Floki app from start to start; without one it begins with 1.",
            valueName: "file"
        )
    )
    var flokiRecord: String?

    var given: [String: String] { [Settings.flokiRecord.name: flokiRecord].compactMapValues(\.self) }
}
