/// The steps for people to make their devices trust the authority of this machine, and to undo it.
struct TrustGuide {
    /// A kind of devices.
    struct Platform {
        /// A short name, for links to its part of a page.
        let id: String
        let title: String
        /// The download of the first step: its path, below `/__tls`.
        let download: String
        /// The steps after that. Text between backticks is for typing.
        let steps: [String]
        /// The steps to remove the trust again.
        let removal: String
    }

    /// The name shown by devices.
    let name: String
    /// The https address of the server.
    let url: String

    private static let fingerprintCommand =
        "`openssl x509 -inform der -in ~/Downloads/ca.crt -noout -fingerprint -sha256`"

    /// The guides for all platforms.
    var platforms: [Platform] {
        [
            Platform(
                id: "ios",
                title: "iPhone and iPad",
                download: "ca.mobileconfig",
                steps: [
                    """
                    Open Settings and tap Profile Downloaded. Under More Details, the certificate must have the fingerprint that \
                    the terminal shows. Then tap Install.
                    """,
                    "Open Settings › General › About › Certificate Trust Settings, and switch on “\(name)”.",
                    "Open \(url) in Safari: it opens without a warning. Your app connects too.",
                ],
                removal: "Settings › General › VPN & Device Management › \(name) › Remove Profile"
            ),
            Platform(
                id: "android",
                title: "Android",
                download: "ca.crt",
                steps: [
                    """
                    Open Settings, search for “CA certificate”, tap Install anyway, and choose ca.crt among the downloads.
                    """,
                    """
                    Search Settings for “Trusted credentials”. Under User, “\(name)” must have the SHA-256 fingerprint that the \
                    terminal shows; else remove it.
                    """,
                    """
                    Open \(url) in Chrome: it opens without a warning. An app trusts what users install only where its network \
                    security configuration says so, which debug builds can: `<certificates src="user"/>` in `<debug-overrides>`.
                    """,
                ],
                removal: "Settings › Trusted credentials (search for it) › User › \(name) › Remove"
            ),
            Platform(
                id: "macos",
                title: "macOS",
                download: "ca.crt",
                steps: [
                    "\(Self.fingerprintCommand) must print the fingerprint that the server's terminal shows.",
                    """
                    `security add-trusted-cert -r trustRoot -p ssl -k ~/Library/Keychains/login.keychain-db ~/Downloads/ca.crt` \
                    trusts it. For the simulator of iOS: `xcrun simctl keychain booted add-root-cert ~/Downloads/ca.crt`.
                    """,
                    "Open \(url) in Safari or Chrome: it opens without a warning.",
                ],
                removal: "Keychain Access › login › Certificates › \(name) › Delete"
            ),
            Platform(
                id: "chromium",
                title: "Chromium and Chrome on Linux and Windows",
                download: "ca.crt",
                steps: [
                    """
                    \(Self.fingerprintCommand) must print the fingerprint that the server's terminal shows; on Windows, \
                    `certutil -hashfile ca.crt SHA256` does in the folder of the download.
                    """,
                    """
                    On Linux, `certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n backlot -i ~/Downloads/ca.crt` trusts it (Debian's \
                    libnss3-tools). On Windows, `certutil -user -addstore Root ca.crt` does.
                    """,
                    "Start the browser again, and open \(url): it opens without a warning.",
                ],
                removal:
                    "on Linux `certutil -d sql:$HOME/.pki/nssdb -D -n backlot`, on Windows `certutil -user -delstore Root \"\(name)\"`"
            ),
        ]
    }
}
