internal import Backlot
import BacklotPreview

/// The certificates of a server with `--tls-self-signed`, for development. This machine's own authority issues them. Devices in the
/// same network get the authority at `/__tls`, and learn to trust it.
struct SelfSignedCertificates: Sendable {
    /// The prefix of the paths where devices get the authority.
    static let path = "/__tls"

    let authority: CertificateAuthority
    let configuration: TLSConfiguration
    private let folder: AuthorityFolder
    private let host: String

    /// Creates the missing files.
    ///
    /// - Parameter host: the address that the server listens on.
    /// - Throws: `TLSError` when files can't be used or written.
    init(_ folder: AuthorityFolder, host: String) throws(TLSError) {
        authority = try folder.prepare(.current(listeningOn: host), at: Self.now)
        let certificates = try TLSCertificates(certificateFile: folder.serverFile, keyFile: folder.serverFile)
        var configuration = TLSConfiguration(certificates: certificates)
        configuration.clearTextPath = Self.path
        self.configuration = configuration
        self.folder = folder
        self.host = host
    }

    /// The current time, in seconds since 1970.
    static var now: Int { HTTPDate.now.secondsSince1970 }

    /// Issues a new certificate if the current one expires soon, or this machine has other addresses now. The authority stays the
    /// one shown at `/__tls`.
    ///
    /// - Throws: `TLSError`, also when the authority was deleted or replaced. The former certificate then stays in use.
    func renew() throws(TLSError) {
        try folder.renew(authority, .current(listeningOn: host), at: Self.now)
    }

    /// Checks that the certificate in the folder is from the authority shown at `/__tls`.
    ///
    /// - Throws: `TLSError` if it is from another authority.
    func check() throws(TLSError) {
        try folder.check(authority)
    }

    /// The start-up lines about the authority.
    func lines(_ address: SocketAddress, isTerminal: Bool) -> [String] {
        folder.trustLines(authority, address, isTerminal: isTerminal)
    }

    /// Serves the page and the authority.
    func use(on router: Router) {
        let authority = authority
        router.get(Self.path) { request in TrustPage(authority, for: request).response(to: request) }
        router.get("\(Self.path)/ca.crt") { _ in TrustFiles.certificate(of: authority) }
        router.get("\(Self.path)/ca.mobileconfig") { _ in TrustFiles.profile(of: authority) }
    }
}

extension AuthorityFolder {
    /// The lines about the authority for a terminal, so that people find the page and can compare the fingerprint.
    ///
    /// - Parameters:
    ///   - address: the address where the server listens.
    ///   - isTerminal: whether a person sees the lines on a terminal, and may point a camera at them.
    func trustLines(_ authority: CertificateAuthority, _ address: SocketAddress, isTerminal: Bool) -> [String] {
        let hosts = address.reachableHosts
        let urls = hosts.map { "http://\(address.authority($0))\(SelfSignedCertificates.path)" }
        var lines = ["to trust it on a device: \(urls.joined(separator: " or "))"]
        lines.append("its authority: \(authority.name), in \(certificateFile)")
        lines.append("SHA-256 fingerprint of the authority: \(authority.fingerprint)")
        for host in hosts where !authority.permits(host, at: SelfSignedCertificates.now) {
            lines.append(
                """
                the certificate isn't for \(host), which this machine didn't have when its authority was made, and which isn't a private \
                address: 'tls forget' and another start make a new authority
                """
            )
        }
        // A phone can't reach a loopback address.
        if isTerminal, let url = urls.first, !address.isLoopback, let code = QRCode(url) {
            lines += code.lines(colors: true)
        }
        return lines
    }
}
