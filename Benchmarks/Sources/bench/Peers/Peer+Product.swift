import Foundation
import ServerAnnouncement

extension Peer {
    /// A server that is a product of this package, and prints a ``ListeningLine`` when it is ready.
    ///
    /// - Parameters:
    ///   - descriptors: How many it may have open; nil for as many as this process may.
    ///   - arguments: What it is started with.
    static func product(
        _ product: String,
        as name: ServerName,
        descriptors: Int? = nil,
        arguments: @escaping @Sendable (Workspace) throws -> [String] = { _ in [] }
    ) -> Peer {
        Peer(name: name) { workspace in
            var command = [workspace.program(product).path] + (try arguments(workspace))
            if let descriptors {
                command = ["/bin/sh", "-c", "ulimit -n \(descriptors) && exec \"$0\" \"$@\""] + command
            }
            let process = try ChildProcess(
                product,
                executable: URL(filePath: command[0]),
                arguments: Array(command.dropFirst()),
                in: workspace
            )
            return RunningServer(name: name, port: try process.announcedPort(), process: process)
        }
    }
}

extension ChildProcess {
    /// Waits until the program prints a ``ListeningLine``, and gives its port.
    func announcedPort(atMost seconds: Double = 20) throws -> Int {
        try wait(atMost: seconds) { output.split(separator: "\n").lazy.compactMap(ListeningLine.port(in:)).first }
    }
}
