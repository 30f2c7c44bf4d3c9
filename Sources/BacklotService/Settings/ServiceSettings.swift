internal import ArgumentParser
public import Backlot
public import Logging

/// The settings that all servers share, read from all their sources.
public struct ServiceSettings: Sendable {
    /// The program's name, which labels its log.
    public let name: String
    /// The address to listen on, as written.
    public let host: String
    /// The port to listen on; 0 for a free one.
    public let port: Int
    /// The certificates.
    let tls: TLSChoice
    /// Whether the server uses https.
    public var isSecure: Bool { if case .off = tls { false } else { true } }
    /// A second port that only redirects to https; nil without one.
    public let redirectPort: Int?
    /// A separate port for administration and metrics; nil without one.
    public let adminPort: Int?
    /// The address of that port.
    public let adminHost: String
    /// The proxies that may name a client's address.
    public let trustedProxies: [AddressRange]
    /// The rules for web clients of other origins; nil without such clients.
    public let cors: CORS?
    /// The place of the sessions.
    public let sessions: SessionStoreChoice
    /// The time after the signal to stop when the server still accepts new connections.
    public let drainDelay: Duration
    /// The time that responses may take after that; nil for the server's usual time.
    public var drain: Duration?
    /// Whether a person sees the printed lines, and ends the program with Ctrl-C.
    private let isTerminal: Bool
    /// A check of `/readyz` may fail for this time before the failure counts.
    let readyGrace: Duration
    let limits: ServerConfiguration
    let clientCertificates: TLSConfiguration.ClientCertificates
    /// The sources of the settings.
    let sources: SettingSources
    /// The settings that a reload compares, with their texts at the start.
    var listed: [(setting: any ListedSetting, text: String?)]
    /// Whether successful requests are logged.
    let hasAccessLog: Bool
    private let logFormat: LogFormat?
    /// The lowest level that is logged.
    let logLevel: LogThreshold
    /// The clients that may read metrics, give commands and use preview on the main port.
    public let access: LocalAccess
    /// The clients that may give commands, on the port for administration or, without one, on the only port.
    public let ownAccess: LocalAccess

    /// The way for people to open the pages in a browser, if the program has preview.
    let entrance: StartUpLines.Entrance

    /// Reads the settings of a program.
    ///
    /// - Parameters:
    ///   - name: the program's name, which labels its log.
    ///   - stores: the kinds of stores that `sessions` may name; the first kind with a usual place is the default.
    ///   - sources: the sources of the values.
    ///   - isTerminal: whether the printed lines are seen by a person only, so that a token may be created and shown.
    /// - Throws: `SettingError` for the first wrong setting.
    public init(
        name: String,
        stores: [SessionStoreKind],
        _ sources: SettingSources,
        isTerminal: Bool = StandardOutput.isTerminal
    ) throws(SettingError) {
        self.name = name
        self.isTerminal = isTerminal
        host = try sources.required(ServiceSetting.host)
        port = try sources.required(ServiceSetting.port)
        adminPort = try Self.adminPort(sources, besides: port)
        adminHost = try sources.value(ServiceSetting.adminHost) ?? host
        readyGrace = try sources.required(ServiceSetting.readyGrace)
        limits = try ServerConfiguration(sources)
        self.sources = sources
        listed = sources.texts(of: ServiceSetting.all(stores: stores))
        hasAccessLog = try sources.required(ServiceSetting.accessLog)
        tls = try TLSChoice(sources)
        clientCertificates = try tls.clientCertificates(sources)
        redirectPort = try tls.redirectPort(sources, besides: [port, adminPort])
        trustedProxies = try sources.value(ServiceSetting.trustedProxies) ?? []
        cors = try sources.value(ServiceSetting.cors).map {
            $0 == ["*"] ? CORS(.any) : CORS(.named(Set($0)), allowsCredentials: true)
        }
        sessions = try Self.sessions(stores, program: name, sources)
        drainDelay = try sources.required(ServiceSetting.drainDelay)
        logFormat = try sources.required(ServiceSetting.logFormat)
        logLevel = LogThreshold(try sources.required(ServiceSetting.logLevel))
        let logger = LogOutput.standardError.logger(label: name, format: logFormat, threshold: logLevel)
        // Clients of a proxy can't reach a separate port.
        let isShared = adminPort == nil
        let trustsProxies = isShared && !(trustedProxies + limits.proxyProtocolSources).isEmpty
        let own = try Self.administration(
            sources,
            host: isShared ? host : adminHost,
            trustsProxies: trustsProxies,
            logger
        )
        let isOff = try sources.value(ServiceSetting.admin) == .off
        guard adminPort == nil, !isOff else {
            (ownAccess, access, entrance) = (own, .nobody, .none)
            return
        }
        guard !own.isPossible, isTerminal else {
            (ownAccess, access) = (own, own)
            let opening: [(any ListedSetting, Bool)] = [
                (ServiceSetting.host, !LocalAccess.isLoopback(host)),
                (ServiceSetting.trustedProxies, !trustedProxies.isEmpty),
                (LimitSetting.proxyProtocol.setting, !limits.proxyProtocolSources.isEmpty),
            ]
            let settings = opening.filter(\.1).map { sources.origin(of: $0.0) }
            entrance = own.needsToken ? .token : own.isPossible ? .local : .closed(settings)
            return
        }
        let token = Self.newToken
        ownAccess = LocalAccess(host: host, trustsProxies: trustsProxies, token: token, logger: logger)
        access = ownAccess
        entrance = .made(token)
    }

    /// 160 random bits, in letters and digits.
    private static var newToken: String {
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        return String((0..<32).map { _ in letters[Int.random(in: letters.indices)] })
    }

    /// - Throws: `SettingError` if the server already listens on that port, or for an address without a port.
    private static func adminPort(_ sources: SettingSources, besides port: Int) throws(SettingError) -> Int? {
        guard let adminPort = try sources.value(ServiceSetting.adminPort) else {
            guard let host = try sources.value(ServiceSetting.adminHost) else { return nil }
            let origin = sources.origin(of: ServiceSetting.adminHost)
            throw SettingError("\(origin) is '\(host)', but there is no separate port: set an --admin-port, too.")
        }
        guard adminPort == 0 || adminPort != port else {
            let origin = sources.origin(of: ServiceSetting.adminPort)
            throw SettingError("\(origin) is '\(adminPort)', where the server listens already: write another port.")
        }
        return adminPort
    }

    /// The clients that may give commands.
    ///
    /// - Throws: `SettingError` if settings contradict each other.
    private static func administration(
        _ sources: SettingSources,
        host: String,
        trustsProxies: Bool,
        _ logger: Logger
    ) throws(SettingError) -> LocalAccess {
        let token = try sources.value(ServiceSetting.adminToken)
        let choice = try sources.value(ServiceSetting.admin)
        let access = LocalAccess(host: host, trustsProxies: trustsProxies, token: token, logger: logger)
        func contradiction(_ text: String) -> SettingError {
            SettingError("\(sources.origin(of: ServiceSetting.admin)) is '\(choice?.rawValue ?? "")', \(text).")
        }
        switch choice {
        case .off:
            if try sources.value(ServiceSetting.adminPort) != nil {
                throw contradiction("and an --admin-port is set: leave one of the two out")
            }
            return .nobody
        case .local:
            if token != nil {
                throw contradiction("and an --admin-token is set: leave one of the two out, or write --admin token")
            }
            guard access.isPossible else {
                throw contradiction(
                    try sources.value(ServiceSetting.adminPort) != nil
                        ? "which takes an --admin-host of this machine alone, such as 127.0.0.1: set it, or write --admin token"
                        : "which takes a --host of this machine alone, such as 127.0.0.1, and neither --trusted-proxies nor "
                            + "--proxy-protocol: write --admin token or --admin off, or set an --admin-port"
                )
            }
        case .token:
            if token == nil { throw contradiction("but there is no token: set an --admin-token") }
        case nil: break
        }
        return access
    }

    /// - Throws: `SettingError`, which describes the mistake in the text.
    private static func sessions(
        _ stores: [SessionStoreKind],
        program: String,
        _ sources: SettingSources
    ) throws(SettingError) -> SessionStoreChoice {
        let setting = ServiceSetting.sessions(stores)
        let found = sources.text(setting)
        if let error = found?.error { throw error }
        do throws(SessionStoreKindError) {
            return try stores.choice(found?.text ?? stores.usual(program: program, environment: sources.environment))
        } catch {
            throw SettingError("\(found?.origin ?? setting.option): \(error).")
        }
    }

    /// The log to standard error.
    public var logger: Logger { logger(label: name) }

    func logger(label: String) -> Logger {
        LogOutput.standardError.logger(label: label, format: logFormat, threshold: logLevel)
    }

    /// The limits and timeouts of the server, without its certificates.
    public var configuration: ServerConfiguration {
        var configuration = limits
        configuration.timeouts.drainDelay = drainDelay
        if let drain { configuration.timeouts.drain = drain }
        // A person waits, without a load balancer that sends more requests, and browsers do not close their side.
        if isTerminal {
            if sources.text(LimitSetting.drainIdle.setting)?.isDefault == true {
                configuration.timeouts.drainIdle = .milliseconds(200)
            }
            configuration.timeouts.linger = .milliseconds(500)
        }
        configuration.trustedProxies = trustedProxies
        return configuration
    }

    /// The default of an unset setting, if it depends on other settings; nil for other settings.
    func defaultText(of name: String) -> String? {
        switch name {
        case "sessions": "\(sessions)"
        case ServiceSetting.admin.name: access.needsToken ? "token" : access.isPossible ? "local" : "off"
        default: nil
        }
    }
}
