public import Backlot
import BacklotPreview

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The lines that the server prints once it accepts connections.
public struct StartUpLines: Sendable {
    /// An app that clients can be pointed at.
    public struct App: Sendable {
        /// What it is called.
        public let name: String
        /// The path of its base URL, or of its one address.
        public let path: String

        /// An app.
        public init(name: String, path: String) {
            self.name = name
            self.path = path
        }
    }

    /// Who may look at the pages in a browser, and how they get in.
    enum Entrance: Sendable {
        /// The server has no preview, or it is turned off.
        case none
        /// Programs of this machine.
        case local
        /// Whoever has the token of the settings, which isn't printed.
        case token
        /// Whoever has a token that was made for this run.
        case made(String)
        /// Nobody, since strangers may reach the server and no token is set.
        case closed
    }

    private let address: SocketAddress
    private let scheme: String
    private let apps: [App]
    private let notes: [String]
    private let trust: [String]
    private let entrance: Entrance
    private let isTerminal: Bool

    /// The lines of a server.
    ///
    /// - Parameters:
    ///   - address: where it listens.
    ///   - isSecure: whether it speaks https there.
    ///   - apps: its apps.
    ///   - notes: further lines for people.
    public init(address: SocketAddress, isSecure: Bool = false, apps: [App], notes: [String] = []) {
        self.init(
            address: address,
            isSecure: isSecure,
            apps: apps,
            notes: notes,
            trust: [],
            entrance: .none,
            isTerminal: false
        )
    }

    /// - Parameters:
    ///   - trust: how devices learn to trust it.
    ///   - entrance: how its pages are seen in a browser.
    ///   - isTerminal: whether a person sees the lines on a terminal, and may point a camera at them.
    init(
        address: SocketAddress,
        isSecure: Bool,
        apps: [App],
        notes: [String],
        trust: [String],
        entrance: Entrance,
        isTerminal: Bool
    ) {
        self.trust = trust
        self.address = address
        scheme = isSecure ? "https" : "http"
        self.apps = apps
        self.notes = notes
        self.entrance = entrance
        self.isTerminal = isTerminal
    }

    /// The lines; the first is for programs that wait for the server, the others for people: where clients of each
    /// dialect find their app.
    public var lines: [String] {
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

    /// How to see the pages in a browser.
    private var entranceLines: [String] {
        func url(_ host: String, _ path: String) -> String { "\(scheme)://\(address.authority(host))\(path)" }
        let start = apps.first?.path ?? "/"
        switch entrance {
        case .none: return []
        case .local: return ["Open \(url(address.ownHost, start)) in a browser to see the pages."]
        case .token:
            guard let host = previewHosts.first else { return [Self.insecure] }
            return ["Open \(url(host, Self.entrance))TOKEN in a browser, with the --admin-token, to see the pages."]
        case .closed:
            return [
                "Administration and preview are off, since other machines may reach this one: to use them, set an --admin-token, or leave --host out."
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
            // There is one code at a time: who doesn't trust the server yet needs the other first.
            guard isTerminal, trust.isEmpty, let host = address.reachableHosts.first, !address.isLoopback,
                let code = QRCode(url(host, Self.entrance + token))
            else { return lines }
            return lines + code.lines(colors: true)
        }
    }

    /// The hosts at which preview may be used, this machine first: over http, no others.
    private var previewHosts: [String] {
        let others = Set(address.reachableHosts).subtracting([address.ownHost]).sorted()
        return ([address.ownHost] + others).filter { scheme == "https" || LocalAccess.isLoopback($0) }
    }

    private static let insecure =
        "To see the pages in a browser of another machine or phone, start with --tls-self-signed: preview needs https there."
    private static let entrance = "/__preview/enter?token="

    /// Writes the lines to standard output, at once even where that is a pipe.
    public func print() {
        Self.print(lines.joined(separator: "\n"))
    }

    /// Writes a line in the same way.
    public static func print(_ line: String) {
        Swift.print(line)
        fflush(nil)
    }
}
