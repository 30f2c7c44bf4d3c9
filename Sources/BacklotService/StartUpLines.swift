internal import Backlot
import BacklotPreview

/// The lines that the server prints once it accepts connections.
public struct StartUpLines: Sendable {
    /// An app that clients can use.
    public struct App: Sendable {
        /// The app's name.
        public let name: String
        /// The path of its base URL, or of its only address.
        public let path: String

        /// Creates an app.
        public init(name: String, path: String) {
            self.name = name
            self.path = path
        }
    }

    /// The people who may see the pages in a browser, and their way to get in.
    enum Entrance: Sendable {
        /// The server has no preview, or it is turned off.
        case none
        /// Programs on this machine.
        case local
        /// Everybody with the token of the settings, which isn't printed.
        case token
        /// Everybody with a token made for this run.
        case made(String)
        /// Nobody, since strangers may reach the server, as these settings say, and no token is set.
        case closed([String])
    }

    /// The address where the server listens.
    let address: SocketAddress
    /// Whether the server uses https there.
    let isSecure: Bool
    let apps: [App]
    /// Further lines for people.
    let notes: [String]
    /// The lines that explain how devices learn to trust it.
    let trust: [String]
    /// The way to open the server's pages in a browser.
    let entrance: Entrance
    /// Whether a person sees the lines on a terminal, and may point a camera at them.
    let isTerminal: Bool

    private var scheme: String { isSecure ? "https" : "http" }

    /// The lines. The first is for programs that wait for the server. The others are for people: the addresses of the apps for
    /// clients of each protocol.
    var lines: [String] {
        let own = address.authority(address.ownHost)
        var lines = ["listening on \(scheme)://\(address)/"]
        lines += apps.map { "\($0.name): \(scheme)://\(own)\($0.path)" }
        lines += notes
        if address.isUnspecified {
            for host in NetworkInterfaces.localNetworkHosts() {
                let urls = apps.map { "\(scheme)://\(address.authority(host))\($0.path)" }
                lines.append("on the local network, for a phone: \(urls.joined(separator: " or "))")
            }
        }
        return lines + trust + entranceLines
    }

    /// The lines that explain how to open the pages in a browser.
    private var entranceLines: [String] {
        func url(_ host: String, _ path: String) -> String { "\(scheme)://\(address.authority(host))\(path)" }
        let start = apps.first?.path ?? "/"
        switch entrance {
        case .none: return []
        case .local: return ["Open \(url(address.ownHost, start)) in a browser to see the pages."]
        case .token:
            guard let host = previewHosts.first else { return [Self.insecure] }
            return ["Open \(url(host, Self.entrance))TOKEN in a browser, with the --admin-token, to see the pages."]
        case .closed(let settings):
            let names = settings.joined(separator: " and ")
            return [
                "Administration and preview are off, since \(names) let\(settings.count == 1 ? "s" : "") other machines reach this server: to use them, set an --admin-token or an --admin-port, or leave \(names) out."
            ]
        case .made(let token):
            let urls = previewHosts.map { url($0, Self.entrance + token) }
            guard !urls.isEmpty else { return [Self.insecure] }
            var lines = [
                "Open \(urls.joined(separator: " or ")) in a browser to see the pages. The token is new at each start, unless you set an --admin-token."
            ]
            guard scheme == "https" else {
                if address.isUnspecified { lines.append(Self.insecure) }
                return lines
            }
            // Only one code at a time: people who don't trust the server yet need the other one first.
            guard isTerminal, trust.isEmpty, let host = address.reachableHosts.first, !address.isLoopback,
                let code = QRCode(url(host, Self.entrance + token))
            else { return lines }
            return lines + code.lines(colors: true)
        }
    }

    /// The hosts where preview may be used, this machine first: over http, only this machine.
    private var previewHosts: [String] {
        let others = Set(address.reachableHosts).subtracting([address.ownHost]).sorted()
        return ([address.ownHost] + others).filter { scheme == "https" || LocalAccess.isLoopback($0) }
    }

    private static let insecure =
        "To see the pages in a browser of another machine or phone, start with --tls-self-signed: preview needs https there."
    private static let entrance = "/__preview/enter?token="
}
