public import Backlot
internal import Logging

/// The settings that all servers share.
///
/// ```swift
/// let file = Setting(name: "database", allowed: "the path of a file", read: ServiceSetting.path)
/// ```
public enum ServiceSetting {
    /// All settings of a server, in the order of lists such as `--help`.
    ///
    /// - Parameter stores: the kinds of stores that `sessions` may name.
    public static func all(stores: [SessionStoreKind]) -> [any ListedSetting] {
        [
            host, port, tlsCert, tlsKey, tlsSelfSigned, redirectToHTTPS, clientCertificates, admin, adminHost,
            adminPort,
            adminToken, trustedProxies, cors, sessions(stores), drainDelay, readyGrace, logLevel, logFormat, accessLog,
        ] + LimitSetting.all.map(\.setting)
    }

    static let host = host("host", defaultText: "127.0.0.1")
    static let adminHost = host("admin-host")

    private static func host(_ name: String, defaultText: String? = nil) -> Setting<String> {
        Setting(
            name: name,
            defaultText: defaultText,
            allowed: "an IP address such as 127.0.0.1, ::1 or 0.0.0.0, or localhost"
        ) { SocketAddress(host: $0, port: 0) == nil ? nil : $0 }
    }

    static let port = port("port", defaultText: "8080")
    static let adminPort = port("admin-port")
    static let redirectToHTTPS = port("redirect-to-https")

    private static func port(_ name: String, defaultText: String? = nil) -> Setting<Int> {
        Setting(name: name, defaultText: defaultText, allowed: "a number from 0 to 65535, 0 for a free one") {
            UInt16($0).map(Int.init)
        }
    }

    static let admin = Setting(
        name: "admin",
        allowed: "off for nobody, local for programs of this machine, or token for clients with the --admin-token"
    ) { AdministrationChoice(rawValue: $0) }

    static let adminToken = Setting(
        name: "admin-token",
        allowed: "8 or more ASCII characters without blanks, such as 'openssl rand -hex 16' makes",
        isSecret: true
    ) { text in text.utf8.count >= 8 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? text : nil }

    static let trustedProxies = ranges("trusted-proxies")

    static func ranges(_ name: String) -> Setting<[AddressRange]> {
        Setting(
            name: name,
            allowed: "addresses and ranges with commas between them, such as 127.0.0.1,10.0.0.0/8"
        ) { text in try? list(text).map { range throws(AddressRangeError) in try AddressRange(range) } }
    }

    static let cors = Setting(
        name: "cors",
        allowed:
            "origins such as https://app.example.com or http://localhost:3000, with commas between them, or '*' for any"
    ) { (text: String) -> [String]? in
        let origins = list(text)
        if origins == ["*"] { return origins }
        return !origins.isEmpty && origins.allSatisfy(isOrigin) ? origins : nil
    }

    /// The store of the sessions, which is of one of the given kinds.
    static func sessions(_ kinds: [SessionStoreKind]) -> Setting<SessionStoreChoice> {
        Setting(
            name: "sessions",
            allowed: kinds.forms(),
            shown: SessionStoreKind.hidingPassword
        ) { try? kinds.choice($0) }
    }

    /// Reads the path of a file or folder: nil for an empty text.
    @Sendable public static func path(_ text: String) -> String? { text.isEmpty ? nil : text }

    static let drainDelay = seconds("drain-delay", defaultText: "0")
    static let readyGrace = seconds("ready-grace", defaultText: "3")

    private static func seconds(_ name: String, defaultText: String) -> Setting<Duration> {
        Setting(name: name, defaultText: defaultText, allowed: "a number of seconds from 0 to 3600") {
            Double($0).flatMap { (0...3600).contains($0) ? Duration.seconds($0) : nil }
        }
    }

    static let logLevel = Setting(
        name: "log-level",
        defaultText: "info",
        allowed: "one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))"
    ) { Logger.Level(rawValue: $0) }

    static let logFormat = Setting(
        name: "log-format",
        defaultText: "auto",
        allowed: "text, json, logfmt, or auto for text on a terminal and else json"
    ) { (text: String) -> LogFormat?? in text == "auto" ? .some(nil) : LogFormat(rawValue: text).map(Optional.some) }

    static let accessLog = Setting(
        name: "access-log",
        defaultText: "on",
        allowed: "on, or off to log only requests that fail"
    ) { text in ["on": true, "off": false][text] }

    static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmed) }
    }

    /// Whether a text is an origin as browsers write it: scheme, host and port (RFC 6454, section 6.2).
    private static func isOrigin(_ text: String) -> Bool {
        guard let (scheme, authority) = text.atScheme else { return false }
        return ["http", "https"].contains(scheme.lowercased()) && !authority.isEmpty
            && authority.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#@*".utf8.contains($0) }
    }
}

/// The clients that may give commands, read metrics and use preview.
enum AdministrationChoice: String {
    /// Nobody.
    case off
    /// Programs on this machine.
    case local
    /// Every client with the token, from anywhere.
    case token
}
