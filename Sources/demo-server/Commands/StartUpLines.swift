import Backlot

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the server prints once it accepts connections.
struct StartUpLines {
    let address: SocketAddress

    /// The lines; the first is for programs that wait for the server, the others for people: where clients of each
    /// dialect find their app.
    var lines: [String] {
        let own = address.isUnspecified ? loopback : "\(address)"
        var lines = ["listening on http://\(address)/"]
        lines += DemoMount.all.map { "Applin, \($0.description): http://\(own)\($0.path)" }
        if address.isUnspecified {
            for host in NetworkInterfaces.localNetworkHosts() {
                let urls = DemoMount.all.map { "http://\(host):\(address.port)\($0.path)" }
                lines.append("on the local network, for a phone: \(urls.joined(separator: " or "))")
            }
        }
        return lines
    }

    /// How a program on this machine reaches a server that listens on every interface.
    private var loopback: String { address.host.contains(":") ? "[::1]:\(address.port)" : "127.0.0.1:\(address.port)" }

    /// Writes the lines to standard output, at once even where that is a pipe.
    func print() {
        Swift.print(lines.joined(separator: "\n"))
        fflush(nil)
    }
}
