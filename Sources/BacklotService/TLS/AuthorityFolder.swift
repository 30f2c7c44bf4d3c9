public import Backlot

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The folder where the authority of this machine is kept, with the certificate that it has issued for the server. The
/// user alone can read it, and the authority's key never leaves it.
public struct AuthorityFolder: Sendable {
    /// Its path.
    public let path: String
    /// The authority's certificate, in PEM format: for programs such as `curl --cacert`.
    public var certificateFile: String { "\(path)/authority.pem" }
    private var keyFile: String { "\(path)/authority-key.pem" }
    /// The server's certificate and its key, in one file, so that they are exchanged together.
    var serverFile: String { "\(path)/server.pem" }

    /// A folder.
    init(path: String) {
        self.path = path
    }

    /// The folder of the user: `backlot/tls` where programs keep their state.
    ///
    /// - Throws: `TLSError` when the environment names none.
    public init(environment: [String: String]) throws(TLSError) {
        guard let folder = StateFolder.path(environment) else {
            throw TLSError(
                "there is no folder for the authority",
                cure: "set XDG_STATE_HOME, or HOME, to the path of a folder"
            )
        }
        self.init(path: "\(folder)/backlot/tls")
    }

    // MARK: The authority

    /// The authority; nil when there is none yet, or the one there was has ended.
    ///
    /// - Throws: `TLSError` when it can't be used.
    func authority(at now: Int) throws(TLSError) -> CertificateAuthority? {
        guard exists(certificateFile), exists(keyFile) else { return nil }
        try checkMode(keyFile)
        do throws(TLSError) {
            guard try IssuedCertificate(.file(certificateFile)).end > now + Self.renewal else { return nil }
            return try CertificateAuthority(certificate: .file(certificateFile), key: .file(keyFile))
        } catch {
            throw TLSError(
                file: error.file ?? certificateFile,
                error.reason,
                cure: "delete the folder '\(path)', and a new authority is made, which devices must trust anew"
            )
        }
    }

    /// The authority, made when there is none, and a certificate for the server, issued when there is none for all
    /// `hosts` that doesn't end soon.
    ///
    /// - Throws: `TLSError` when the authority can't be used, or a file can't be written.
    func prepare(_ hosts: ServerHosts, at now: Int) throws(TLSError) -> CertificateAuthority {
        try makeFolder()
        // Another server may start at the same time.
        let lock = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if lock >= 0 { close(lock) } }
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw unwritable(path, errno) }
        let authority: CertificateAuthority
        if let known = try self.authority(at: now) { authority = known } else { authority = try make(hosts, at: now) }
        if try needsIssue(authority, hosts, at: now) {
            let issue = try authority.issue(for: hosts.all, at: now)
            try write(issue.certificate + issue.key, to: serverFile)
        }
        return authority
    }

    private func make(_ hosts: ServerHosts, at now: Int) throws(TLSError) -> CertificateAuthority {
        let issue = try CertificateAuthority.make(
            for: hosts.names + hosts.addresses,
            named: "Backlot on \(hosts.name) (\(Self.day(now)))",
            at: now
        )
        // The certificate comes last: without it, both are made anew.
        try remove(certificateFile)
        try write(issue.key, to: keyFile)
        try write(issue.certificate, to: certificateFile)
        return try CertificateAuthority(certificate: .text(issue.certificate), key: .text(issue.key))
    }

    /// Certificates are renewed 30 days before they end.
    private static let renewal = 30 * 86_400

    private func needsIssue(
        _ authority: CertificateAuthority,
        _ hosts: ServerHosts,
        at now: Int
    ) throws(TLSError) -> Bool {
        guard exists(serverFile) else { return true }
        try checkMode(serverFile)
        // One that can't be read is lost anyway.
        guard let issued = try? IssuedCertificate(.file(serverFile)) else { return true }
        let isGood = issued.isIssued(by: authority) && issued.end > min(now + Self.renewal, authority.end - 1)
        return !isGood || !hosts.all.allSatisfy { issued.isFor($0) || !authority.permits($0, at: now) }
    }

    /// Deletes the authority and what it has issued.
    ///
    /// - Returns: whether there was anything.
    /// - Throws: `TLSError` when a file can't be removed.
    @discardableResult
    public func forget() throws(TLSError) -> Bool {
        let files = [keyFile, certificateFile, serverFile].filter(exists)
        for file in files { try remove(file) }
        return !files.isEmpty
    }

    private static func day(_ now: Int) -> String {
        var time = time_t(now)
        var parts = unsafe tm()
        unsafe gmtime_r(&time, &parts)
        let twoDigits = { (number: Int32) in (number < 10 ? "0" : "") + String(number) }
        return "\(unsafe parts.tm_year + 1900)-\(twoDigits(unsafe parts.tm_mon + 1))-\(twoDigits(unsafe parts.tm_mday))"
    }
}
