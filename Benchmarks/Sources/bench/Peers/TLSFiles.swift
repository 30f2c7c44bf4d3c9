import Foundation

/// The certificate, for an ECDSA key on P-256, that servers over TLS have, and its key.
struct TLSFiles {
    /// What servers speak beside TLS 1.3.
    static let ciphers = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ].joined(separator: ":")

    /// The path of the certificate.
    var certificate: String
    /// The path of the key.
    var key: String

    /// Makes both, when they aren't there.
    static func make(in workspace: Workspace) throws -> TLSFiles {
        let path = { (name: String) in workspace.folder.appendingPathComponent(name).path }
        let files = TLSFiles(certificate: path("certificate.pem"), key: path("key.pem"))
        guard !FileManager.default.fileExists(atPath: files.certificate) else { return files }
        _ = try ChildProcess(
            "openssl",
            executable: Executable.find("openssl"),
            arguments: [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "2", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", files.certificate,
                "-keyout", files.key,
            ],
            in: workspace
        ).finish()
        return files
    }
}
