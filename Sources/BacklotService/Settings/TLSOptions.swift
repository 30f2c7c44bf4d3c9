internal import ArgumentParser
internal import Backlot

extension ServiceSetting {
    static let tlsCert = files("tls-cert")
    static let tlsKey = files("tls-key")
    static let clientCertificates = Setting(
        name: "client-certificates",
        allowed: "the path of a file in PEM format",
        read: path
    )
    static let tlsSelfSigned = Setting(name: "tls-self-signed", allowed: "true or false") { Bool($0) }

    private static func files(_ name: String) -> Setting<[String]> {
        Setting(name: name, allowed: "the path of a file in PEM format, or several with commas between them") { text in
            let paths = list(text)
            return paths.contains("") ? nil : paths
        }
    }
}

/// Certificates, and the treatment of clients that use http.
public struct TLSOptions: SettingOptions {
    /// Creates the options; ArgumentParser then fills them in.
    public init() {}

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "The server's certificate in PEM format, followed by its chain. With it, the server speaks https.",
            discussion:
                "May be repeated, each with its --tls-key in the same order. Clients get the certificate for the host that they name, or else the first one. The server reads changed files again, and all of them at a SIGHUP.",
            valueName: "file"
        )
    )
    var tlsCert: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "The private key of the --tls-cert, in PEM format and without a passphrase.",
            valueName: "file"
        )
    )
    var tlsKey: [String] = []

    @Flag(
        help: ArgumentHelp(
            "Speaks https with a certificate of this machine's own authority, for computers and phones in the same network.",
            discussion:
                "Its authority is made once, below ~/.local/state/backlot/tls, and is limited to this machine and private addresses. /__tls explains how a device learns to trust it."
        )
    )
    var tlsSelfSigned = false

    @Option(
        name: .customLong("redirect-to-https"),
        help: ArgumentHelp(
            "A second port for clients that speak http: it redirects them to the same URL over https.",
            valueName: "port"
        )
    )
    var redirectToHTTPS: String?

    @Option(
        help: ArgumentHelp(
            "The authorities of clients, in PEM format: over https, the server refuses clients without a certificate of theirs.",
            valueName: "file"
        )
    )
    var clientCertificates: String?

    /// The given texts.
    public var given: [String: String] {
        let values = [
            ServiceSetting.redirectToHTTPS.name: redirectToHTTPS,
            ServiceSetting.clientCertificates.name: clientCertificates,
        ]
        var given = values.compactMapValues(\.self)
        if tlsSelfSigned { given[ServiceSetting.tlsSelfSigned.name] = "true" }
        if !tlsCert.isEmpty { given[ServiceSetting.tlsCert.name] = tlsCert.joined(separator: ",") }
        if !tlsKey.isEmpty { given[ServiceSetting.tlsKey.name] = tlsKey.joined(separator: ",") }
        return given
    }
}

/// The choice of a server's certificates in its settings.
enum TLSChoice: Sendable {
    /// The server uses http.
    case off
    /// The certificates come from files.
    case files(TLSCertificates)

    /// The certificate comes from the authority in a folder. Both are created if they are missing.
    case selfSigned(AuthorityFolder)

    /// - Throws: `SettingError` if settings contradict each other, or a certificate can't be used.
    init(_ sources: SettingSources) throws(SettingError) {
        let certificates = try sources.value(ServiceSetting.tlsCert) ?? []
        let keys = try sources.value(ServiceSetting.tlsKey) ?? []
        guard certificates.count == keys.count else {
            throw SettingError(
                "--tls-cert names \(Self.count(certificates, "certificate")), and --tls-key \(Self.count(keys, "key")): "
                    + "name one key for each certificate, in the same order."
            )
        }
        let isSelfSigned = try sources.value(ServiceSetting.tlsSelfSigned) ?? false
        if isSelfSigned, !certificates.isEmpty {
            let origin = sources.origin(of: ServiceSetting.tlsSelfSigned)
            throw SettingError("\(origin) is 'true', and a --tls-cert is set: leave one of the two out.")
        }
        do {
            if isSelfSigned {
                self = .selfSigned(try AuthorityFolder(environment: sources.environment))
            } else if certificates.isEmpty {
                self = .off
            } else {
                let pairs = zip(certificates, keys).map {
                    TLSCertificates.Pair(certificates: .file($0), key: .file($1))
                }
                self = .files(try TLSCertificates(pairs))
            }
        } catch {
            throw SettingError("\(error).")
        }
    }

    private static func count(_ paths: [String], _ noun: String) -> String {
        paths.count < 2 ? "\(paths.isEmpty ? "no" : "one") \(noun)" : "\(paths.count) \(noun)s"
    }

    /// The authorities that must have issued the clients' certificates.
    ///
    /// - Throws: `SettingError` without https, or if the file has no certificate.
    func clientCertificates(_ sources: SettingSources) throws(SettingError) -> TLSConfiguration.ClientCertificates {
        guard let path = try sources.value(ServiceSetting.clientCertificates) else { return .off }
        let origin = sources.origin(of: ServiceSetting.clientCertificates)
        if case .off = self { throw Self.noTLS(origin, path) }
        do {
            return .required(try TLSTrust(.file(path)))
        } catch {
            throw SettingError("\(origin) is '\(path)': \(error).")
        }
    }

    private static func noTLS(_ origin: String, _ value: Any) -> SettingError {
        SettingError(
            "\(origin) is '\(value)', but the server doesn't speak https: set --tls-self-signed, or --tls-cert and --tls-key, too."
        )
    }

    /// The port that only redirects to https; nil for none.
    ///
    /// - Throws: `SettingError` without https, or if the port is taken.
    func redirectPort(_ sources: SettingSources, besides ports: [Int?]) throws(SettingError) -> Int? {
        guard let port = try sources.value(ServiceSetting.redirectToHTTPS) else { return nil }
        let origin = sources.origin(of: ServiceSetting.redirectToHTTPS)
        if case .off = self { throw Self.noTLS(origin, port) }
        guard port == 0 || !ports.contains(port) else {
            throw SettingError("\(origin) is '\(port)', where the server listens already: write another port.")
        }
        return port
    }
}
