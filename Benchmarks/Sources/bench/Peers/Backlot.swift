import Foundation

extension Peer {
    /// Our own server.
    static let backlot = product("bench-server-backlot", as: .backlot) { ["--connections", "\($0.connections)"] }

    /// Our own server, with options of its program.
    static func backlot(options: String...) -> Peer {
        product("bench-server-backlot", as: .backlot) { _ in options }
    }

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

    /// Our own server, as the entry to HttpArena and TechEmpower.
    static func arenaEntry(_ folder: ArenaFolder) -> Peer {
        product("arena-entry", as: .backlot) { _ in
            ["--host", "127.0.0.1", "--port", "0", "--data", folder.folder.path]
        }
    }

    /// The shipped demo-server with its defaults: sessions in a file, a log line for each request, metrics, preview and
    /// compression. `make static` builds it.
    static let demoServer = demoServer(options: [])

    /// The same, with further options.
    static func demoServer(options: [String]) -> Peer {
        Peer(name: .demo) { workspace in
            let sessions = workspace.folder.appendingPathComponent("sessions-\(UUID().uuidString).sqlite").path
            let process = try ChildProcess(
                "demo-server",
                executable: workspace.demoServer,
                arguments: ["--port", "0", "--sessions", "sqlite:\(sessions)"] + options,
                in: workspace
            )
            return RunningServer(name: .demo, port: try process.announcedPort(), process: process)
        }
    }
}
