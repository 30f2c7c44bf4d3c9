import ServerAnnouncement

extension Peer {
    /// A server that is a product of this package, and prints a ``ListeningLine`` when it is ready.
    ///
    /// - Parameter arguments: what it is started with.
    static func product(
        _ product: String,
        as name: ServerName,
        arguments: @escaping @Sendable (Workspace) throws -> [String] = { _ in [] }
    ) -> Peer {
        Peer(name: name) { workspace in
            let process = try ChildProcess(
                product,
                executable: workspace.program(product),
                arguments: arguments(workspace),
                in: workspace
            )
            let port = try process.wait(atMost: 20) {
                process.output.split(separator: "\n").lazy.compactMap(ListeningLine.port(in:)).first
            }
            return RunningServer(name: name, port: port, process: process)
        }
    }
}
