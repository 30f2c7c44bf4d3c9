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

    /// The lines; the first is for programs that wait for the server.
    var lines: [String] {
        var lines = ["listening on http://\(address)/"]
        if address.isUnspecified {
            lines += NetworkInterfaces.localNetworkHosts().map { "on the local network: http://\($0):\(address.port)/" }
        }
        return lines
    }

    /// Writes the lines to standard output, at once even where that is a pipe.
    func print() {
        Swift.print(lines.joined(separator: "\n"))
        fflush(nil)
    }
}
