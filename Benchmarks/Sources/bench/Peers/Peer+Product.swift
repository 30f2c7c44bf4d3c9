import ServerAnnouncement

extension Peer {
    /// A server that is a product of this package, and prints a ``ListeningLine`` when it is ready.
    static func product(_ product: String, as name: ServerName) -> Peer {
        Peer(name: name) { workspace in
            let process = try ChildProcess(product, executable: workspace.program(product), in: workspace)
            let port = try process.wait(atMost: 20) {
                process.output.split(separator: "\n").lazy.compactMap(ListeningLine.port(in:)).first
            }
            return RunningServer(name: name, port: port, process: process)
        }
    }
}
