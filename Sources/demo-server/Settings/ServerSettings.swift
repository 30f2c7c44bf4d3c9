import ArgumentParser
import Backlot
import Logging

/// The settings of a server, read from all their sources.
struct ServerSettings {
    let host: String
    let port: Int
    /// A separate port for administration and metrics; nil for none.
    let adminPort: Int?
    let trustedProxies: [AddressRange]
    /// nil where no web clients are expected.
    let cors: CORS?
    let publicFolder: String
    /// Whether a setting names the folder: then it must exist.
    let isPublicFolderNamed: Bool
    /// nil for the usual folder, if it exists.
    let routes: String?
    let sessions: SessionStoreChoice
    /// Where the version of the Floki app is kept; nil for nowhere.
    let flokiRecord: String?
    /// In seconds.
    let drainDelay: Double
    private let logFormat: LogFormat?
    private let logLevel: Logger.Level
    /// The clients that may read metrics, give commands and use preview on the main port.
    let access: LocalAccess
    /// The clients that may give commands on the port for administration, or else on the only port.
    let ownAccess: LocalAccess

    /// - Throws: `ExitCode` for the first wrong setting, after printing what is wrong with it.
    init(_ options: any SettingOptions...) async throws {
        do {
            try self.init(try await SettingSources(options: Self.given(by: options)))
        } catch let error as SettingError {
            StandardError.print("Error: \(error)")
            throw ExitCode.validationFailure
        }
    }

    /// - Throws: `SettingError` for the first wrong setting.
    init(_ sources: SettingSources) throws {
        host = try sources.required(Settings.host)
        port = try sources.required(Settings.port)
        adminPort = try sources.value(Settings.adminPort)
        trustedProxies = try sources.value(Settings.trustedProxies) ?? []
        cors = try sources.value(Settings.cors).map {
            $0 == ["*"] ? CORS(.any) : CORS(.named(Set($0)), allowsCredentials: true)
        }
        publicFolder = try sources.required(Settings.publicFolder)
        isPublicFolderNamed = sources.text(Settings.publicFolder)?.origin != .standard
        routes = try sources.value(Settings.routes)
        sessions = try Self.sessions(sources)
        flokiRecord = try sources.value(Settings.flokiRecord)
        drainDelay = try sources.required(Settings.drainDelay)
        logFormat = try sources.required(Settings.logFormat).format
        logLevel = try sources.required(Settings.logLevel)
        let logger = LogOutput.standardError.logger(label: "demo-server", format: logFormat, level: logLevel)
        ownAccess = try Self.administration(sources, host: host, trustsProxies: !trustedProxies.isEmpty, logger)
        access = adminPort == nil ? ownAccess : .nobody
    }

    /// The clients that may give commands.
    ///
    /// - Throws: `SettingError` where settings contradict each other.
    private static func administration(
        _ sources: SettingSources,
        host: String,
        trustsProxies: Bool,
        _ logger: Logger
    ) throws(SettingError) -> LocalAccess {
        let token = try sources.value(Settings.adminToken)
        let choice = try sources.value(Settings.admin)
        let access = LocalAccess(host: host, trustsProxies: trustsProxies, token: token, logger: logger)
        func contradiction(_ text: String) -> SettingError {
            let place = sources.text(Settings.admin)?.origin.description(of: Settings.admin) ?? ""
            return SettingError("\(place) is '\(choice?.rawValue ?? "")', \(text).")
        }
        switch choice {
        case .off:
            if try sources.value(Settings.adminPort) != nil {
                throw contradiction("and an --admin-port is set: leave one of the two out")
            }
            return .nobody
        case .local:
            if token != nil {
                throw contradiction("and an --admin-token is set: leave one of the two out, or write --admin token")
            }
            guard access.isPossible else {
                throw contradiction(
                    "which takes a --host of this machine alone, such as 127.0.0.1, and no --trusted-proxies: "
                        + "write --admin token or --admin off"
                )
            }
        case .token:
            if token == nil { throw contradiction("and there is no token: set an --admin-token") }
        case nil: break
        }
        return access
    }

    /// - Throws: `SettingError`, which says what is wrong with the text.
    private static func sessions(_ sources: SettingSources) throws -> SessionStoreChoice {
        guard let found = sources.text(Settings.sessions) else { return .usual() }
        do throws(SessionStoreChoiceError) {
            return try SessionStoreChoice(found.text)
        } catch {
            throw SettingError("\(found.origin.description(of: Settings.sessions)): \(error).")
        }
    }

    /// Logs to standard error.
    var logger: Logger { logger(label: "demo-server") }

    private func logger(label: String) -> Logger {
        LogOutput.standardError.logger(label: label, format: logFormat, level: logLevel)
    }

    /// Lets the loggers of libraries write in the same way. A command that serves calls it once.
    func bootstrapLogging() {
        LoggingSystem.bootstrap { [self] in logger(label: $0).handler }
    }

    /// The values of several groups of options.
    static func given(by options: [any SettingOptions]) -> [String: String] {
        options.reduce(into: [:]) { given, options in given.merge(options.given) { $1 } }
    }

    /// The limits and times of the server.
    var configuration: ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.timeouts.drainDelay = Int64(drainDelay * 1000)
        configuration.trustedProxies = trustedProxies
        return configuration
    }
}
