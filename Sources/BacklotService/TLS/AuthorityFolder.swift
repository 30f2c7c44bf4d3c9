public import Backlot

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
        return try whileLocked { () throws(TLSError) in
            let known = try authority(at: now)
            let authority = if let known { known } else { try make(hosts, at: now) }
            try issueIfNeeded(authority, hosts, at: now)
            return authority
        }
    }

    /// Issues a certificate for the server as `prepare` does, by an authority that is in use. Never makes another one.
    ///
    /// - Throws: `TLSError` when the authority was deleted or replaced, or a file can't be written.
    func renew(_ authority: CertificateAuthority, _ hosts: ServerHosts, at now: Int) throws(TLSError) {
        try whileLocked { () throws(TLSError) in
            try checkIsThere(authority)
            try issueIfNeeded(authority, hosts, at: now)
        }
    }

    /// Looks whether the certificate for the server is from an authority that is in use.
    ///
    /// - Throws: `TLSError` when it isn't, or the authority was deleted or replaced.
    func check(_ authority: CertificateAuthority) throws(TLSError) {
        try checkIsThere(authority)
        guard try IssuedCertificate(.file(serverFile)).isIssued(by: authority) else {
            throw TLSError(
                file: serverFile,
                "isn't from the authority '\(authority.name)'",
                cure: "send the server a SIGHUP, and it issues another certificate"
            )
        }
    }

    private func checkIsThere(_ authority: CertificateAuthority) throws(TLSError) {
        if exists(certificateFile), exists(keyFile) {
            try checkMode(keyFile)
            let found = try CertificateAuthority(certificate: .file(certificateFile), key: .file(keyFile))
            if found.fingerprint == authority.fingerprint { return }
        }
        throw TLSError(
            file: certificateFile,
            "was deleted or replaced while the server runs",
            cure: "start the server again, and devices must trust the authority that it shows then"
        )
    }

    private func make(_ hosts: ServerHosts, at now: Int) throws(TLSError) -> CertificateAuthority {
        let issue = try CertificateAuthority.make(
            for: hosts.names + hosts.addresses,
            named: "Backlot on \(hosts.name) (\(HTTPDate(secondsSince1970: now).rfc3339.prefix(10)))",
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

    /// The most names and addresses that a certificate is for, unless the machine has more.
    private static let mostHosts = 100

    private func issueIfNeeded(
        _ authority: CertificateAuthority,
        _ hosts: ServerHosts,
        at now: Int
    ) throws(TLSError) {
        guard try needsIssue(authority, hosts, at: now) else { return }
        // Another server may listen on an address that this one doesn't know.
        let former = (try? IssuedCertificate(.file(serverFile)))?.hosts ?? []
        let all = hosts.all
        let others = former.filter { !all.contains($0) }.prefix(max(0, Self.mostHosts - all.count))
        let issue = try authority.issue(for: all + others, at: now)
        try write(issue.certificate + issue.key, to: serverFile)
    }

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
}
