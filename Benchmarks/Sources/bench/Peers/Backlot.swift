import Foundation

extension Peer {
    /// Our own server.
    static let backlot = product("bench-server-backlot", as: .backlot)

    /// Our own server, with a folder of files, and answers compressed where the client wants it.
    static let backlotWithFiles = backlotWithFiles(descriptors: nil)

    /// The same, with so many descriptors.
    static func backlotWithFiles(descriptors: Int?) -> Peer {
        product("bench-server-backlot", as: .backlot, descriptors: descriptors) { workspace in
            ["--files", try BenchFiles.folder(in: workspace).path]
        }
    }

    /// The same, over TLS.
    static let backlotOverTLS = product("bench-server-backlot", as: .backlot) { workspace in
        let identity = try TLSFiles.make(in: workspace)
        return [
            "--files", try BenchFiles.folder(in: workspace).path, "--tls-cert", identity.certificate, "--tls-key",
            identity.key,
        ]
    }

    /// The shipped demo-server with its defaults: sessions in a file, a log line for each request, metrics, preview and
    /// compression. `make static` builds it.
    static let demoServer = Peer(name: .demo) { workspace in
        let sessions = workspace.folder.appendingPathComponent("sessions-\(UUID().uuidString).sqlite").path
        let process = try ChildProcess(
            "demo-server",
            executable: workspace.demoServer,
            arguments: ["--port", "0", "--sessions", "sqlite:\(sessions)"],
            in: workspace
        )
        return RunningServer(name: .demo, port: try process.announcedPort(), process: process)
    }
}
