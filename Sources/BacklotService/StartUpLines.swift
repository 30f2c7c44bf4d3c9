public import Backlot

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

    private let address: SocketAddress
    private let scheme: String
    private let apps: [App]
    private let notes: [String]
    private let trust: [String]

    /// The lines of a server.
    ///
    /// - Parameters:
    ///   - address: where it listens.
    ///   - isSecure: whether it speaks https there.
    ///   - apps: its apps.
    ///   - notes: further lines for people.
    public init(address: SocketAddress, isSecure: Bool = false, apps: [App], notes: [String] = []) {
        self.init(address: address, isSecure: isSecure, apps: apps, notes: notes, trust: [])
    }

    /// - Parameter trust: how devices learn to trust it.
    init(address: SocketAddress, isSecure: Bool, apps: [App], notes: [String], trust: [String]) {
        self.trust = trust
        self.address = address
        scheme = isSecure ? "https" : "http"
        self.apps = apps
        self.notes = notes
    }

    /// The lines; the first is for programs that wait for the server, the others for people: where clients of each
    /// dialect find their app.
    public var lines: [String] {
        let own = address.isUnspecified ? loopback : "\(address)"
        var lines = ["listening on \(scheme)://\(address)/"]
        lines += apps.map { "\($0.name): \(scheme)://\(own)\($0.path)" }
        lines += notes
        if address.isUnspecified {
            for host in NetworkInterfaces.localNetworkHosts() {
                let urls = apps.map { "\(scheme)://\(host):\(address.port)\($0.path)" }
                lines.append("on the local network, for a phone: \(urls.joined(separator: " or "))")
            }
        }
        return lines + trust
    }

    /// How a program on this machine reaches a server that listens on every interface.
    private var loopback: String { address.host.contains(":") ? "[::1]:\(address.port)" : "127.0.0.1:\(address.port)" }

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
