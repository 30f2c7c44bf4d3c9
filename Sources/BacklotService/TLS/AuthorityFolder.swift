public import Backlot

/// The folder of this machine's authority, with the certificate that it has issued for the server. Only the user can read it, and
/// the authority's key never leaves it.
public struct AuthorityFolder: Sendable {
    /// The folder's path.
    public let path: String
    /// The authority's certificate in PEM format, for programs such as `curl --cacert`.
    public var certificateFile: String { "\(path)/authority.pem" }
    private var keyFile: String { "\(path)/authority-key.pem" }
    /// The server's certificate and its key, in one file, so that they are replaced together.
    var serverFile: String { "\(path)/server.pem" }

    /// Creates a folder with a path.
    init(path: String) {
        self.path = path
    }

    /// The user's folder: `backlot/tls` in the place where programs keep their state.
    ///
    /// - Throws: `TLSError` when the environment names no such place.
    public init(environment: [String: String]) throws(TLSError) {
        guard let folder = StateFolder.path(environment) else {
            throw TLSError(
                "there is no folder for the authority",
                fix: "set XDG_STATE_HOME, or HOME, to the path of a folder"
            )
        }
        self.init(path: "\(folder)/backlot/tls")
    }

    // MARK: The authority

    /// The authority; nil if it doesn't exist yet or has expired.
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
                fix: "delete the folder '\(path)', and a new authority is made, which devices must trust anew"
            )
        }
    }

    /// Returns the authority, creating it if it is missing. Issues a certificate for the server, unless there is one for all
    /// `hosts` that doesn't expire soon.
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

    /// Issues a certificate for the server in the way of `prepare`, by the authority in use. Never creates another authority.
    ///
    /// - Throws: `TLSError` when the authority was deleted or replaced, or a file can't be written.
    func renew(_ authority: CertificateAuthority, _ hosts: ServerHosts, at now: Int) throws(TLSError) {
        try whileLocked { () throws(TLSError) in
            try checkIsThere(authority)
            try issueIfNeeded(authority, hosts, at: now)
        }
    }

    /// Checks that the server's certificate is from the authority in use.
    ///
    /// - Throws: `TLSError` when it isn't, or the authority was deleted or replaced.
    func check(_ authority: CertificateAuthority) throws(TLSError) {
        try checkIsThere(authority)
        guard try IssuedCertificate(.file(serverFile)).isIssued(by: authority) else {
            throw TLSError(
                file: serverFile,
                "isn't from the authority '\(authority.name)'",
                fix: "send the server a SIGHUP, and it issues another certificate"
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
            fix: "start the server again, and devices must trust the authority that it shows then"
        )
    }

    private func make(_ hosts: ServerHosts, at now: Int) throws(TLSError) -> CertificateAuthority {
        let issue = try CertificateAuthority.make(
            for: hosts.names + hosts.addresses,
            named: "Backlot on \(hosts.name) (\(HTTPDate(secondsSince1970: now).rfc3339.prefix(10)))",
            at: now
        )
        // The certificate comes last: without it, both are created anew.
        try remove(certificateFile)
        try write(issue.key, to: keyFile)
        try write(issue.certificate, to: certificateFile)
        return try CertificateAuthority(certificate: .text(issue.certificate), key: .text(issue.key))
    }

    /// The time before the end of a certificate when it is renewed: 30 days.
    private static let renewal = 30 * 86_400

    /// The maximum number of names and addresses of a certificate, unless the machine has more.
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
        // An unreadable one is lost anyway.
        guard let issued = try? IssuedCertificate(.file(serverFile)) else { return true }
        let isGood = issued.isIssued(by: authority) && issued.end > min(now + Self.renewal, authority.end - 1)
        return !isGood || !hosts.all.allSatisfy { issued.isFor($0) || !authority.permits($0, at: now) }
    }

    /// Deletes the authority and the certificates it has issued.
    ///
    /// - Returns: whether there were any files.
    /// - Throws: `TLSError` when a file can't be removed.
    @discardableResult
    public func forget() throws(TLSError) -> Bool {
        let files = [keyFile, certificateFile, serverFile].filter(exists)
        for file in files { try remove(file) }
        return !files.isEmpty
    }
}
