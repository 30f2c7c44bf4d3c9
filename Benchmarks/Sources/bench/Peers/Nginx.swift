import Foundation
import Glibc

extension Peer {
    /// Debian's nginx, which answers from its configuration: what a server costs that builds nothing.
    static let nginx = nginx { _ in nil }

    /// The same, with a line in its access log for each request, as it is set up by default.
    static let loggingNginx = Peer(name: .loggingNginx) { try start($0, as: .loggingNginx) }

    /// The same without a log, over TLS.
    static let nginxOverTLS = nginx { try TLSFiles.make(in: $0) }

    /// The same as a proxy for all below `/live/`.
    static func nginx(before port: Int) -> Peer {
        Peer(name: .nginx) { try start($0, as: .nginx, backend: port) }
    }

    private static func nginx(_ identity: @escaping @Sendable (Workspace) throws -> TLSFiles?) -> Peer {
        Peer(name: .nginx) { try start($0, as: .nginx, identity($0)) }
    }

    private static func start(
        _ workspace: Workspace,
        as name: ServerName,
        _ identity: TLSFiles? = nil,
        backend: Int? = nil
    ) throws -> RunningServer {
        let folder = workspace.folder.appendingPathComponent("nginx-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let port = try FreePort.find()
        let http2Port = try FreePort.find()
        let file = folder.appendingPathComponent("nginx.conf")
        var configuration = NginxConfiguration(
            folder: folder.path,
            port: port,
            http2Port: http2Port,
            files: try BenchFiles.folder(in: workspace).path,
            asRoot: geteuid() == 0
        )
        configuration.identity = identity
        configuration.backend = backend
        configuration.logsRequests = name == .loggingNginx
        configuration.connectionsPerWorker = workspace.connections
        if workspace.processor != nil { configuration.workers = 1 }
        try Data(configuration.text.utf8).write(to: file)
        let process = try ChildProcess(
            "nginx",
            executable: Executable.find("nginx"),
            arguments: ["-p", folder.path, "-c", file.path],
            in: workspace
        )
        // It prints nothing when it is ready.
        _ = try process.wait(atMost: 10) { try? LoopbackConnection(port: port) }
        return RunningServer(name: name, port: port, http2Port: http2Port, process: process)
    }
}
