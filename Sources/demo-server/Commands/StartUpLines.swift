import Backlot

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The lines that the server prints once it accepts connections.
struct StartUpLines {
    /// An app that clients can be pointed at.
    struct App {
        let name: String
        /// The path of its base URL, or of its one address.
        let path: String
    }

    /// The demo in each dialect and protocol.
    static let demo =
        DemoMount.all.map { App(name: "Applin, \($0.description)", path: $0.path) }
        + [
            App(name: "Xpedite", path: CustomerApp.path), App(name: "Floki", path: GazetteApp.indicatorPath),
            App(name: "Dynamic Views", path: ShopApp.path),
        ]

    let address: SocketAddress
    var apps = demo
    /// Further lines for people.
    var notes: [String] = []

    /// The lines; the first is for programs that wait for the server, the others for people: where clients of each
    /// dialect find their app.
    var lines: [String] {
        let own = address.isUnspecified ? loopback : "\(address)"
        var lines = ["listening on http://\(address)/"]
        lines += apps.map { "\($0.name): http://\(own)\($0.path)" }
        lines += notes
        if address.isUnspecified {
            for host in NetworkInterfaces.localNetworkHosts() {
                let urls = apps.map { "http://\(host):\(address.port)\($0.path)" }
                lines.append("on the local network, for a phone: \(urls.joined(separator: " or "))")
            }
        }
        return lines
    }

    /// How a program on this machine reaches a server that listens on every interface.
    private var loopback: String { address.host.contains(":") ? "[::1]:\(address.port)" : "127.0.0.1:\(address.port)" }

    /// Writes the lines to standard output, at once even where that is a pipe.
    func print() {
        Self.print(lines.joined(separator: "\n"))
    }

    /// Writes a line in the same way.
    static func print(_ line: String) {
        Swift.print(line)
        fflush(nil)
    }
}

/// Standard error, for messages that are no result.
enum StandardError {
    /// Whether a person sees it on a terminal.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a text and ends the line.
    static func print(_ text: String) { write(text + "\n") }

    /// Writes a text without a line break after it. When the system refuses, the rest is lost.
    static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
