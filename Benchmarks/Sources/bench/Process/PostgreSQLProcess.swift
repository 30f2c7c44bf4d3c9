import Foundation
import Glibc

/// A PostgreSQL server with a new database, on a socket in a folder. It waits for the disk, as a server should.
final class PostgreSQLProcess {
    /// What programs call it: its user has all rights.
    let url: String
    private let process: ChildProcess
    private let folder: URL

    /// Makes a database and starts the server, as the user `postgres` where the run is root's.
    init(in workspace: Workspace) throws {
        // The path of a socket may have 107 bytes.
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "pg-\(getpid())-\(UInt16.random(in: 0 ... .max))"
        )
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: getuid() == 0 ? [.ownerAccountName: "postgres"] : [:]
        )
        let data = folder.appendingPathComponent("data").path
        let options = ["-D", data, "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--auth=trust", "--no-sync"]
        _ = try Self.start("initdb", options, workspace).finish()
        let process = try Self.start(
            "postgres",
            ["-D", data, "-c", "listen_addresses=", "-c", "unix_socket_directories=\(folder.path)"],
            workspace
        )
        _ = try process.wait(atMost: 30) { process.output.contains("ready to accept connections") ? true : nil }
        self.process = process
        url = "postgres://postgres@/postgres?host=\(folder.path)"
    }

    /// Ends it, and removes its folder.
    func stop() {
        process.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func start(_ name: String, _ arguments: [String], _ workspace: Workspace) throws -> ChildProcess {
        let program = try program(name)
        guard getuid() == 0 else {
            return try ChildProcess(name, executable: program, arguments: arguments, in: workspace)
        }
        let user = ["--reuid=postgres", "--regid=postgres", "--clear-groups", "--", program.path]
        return try ChildProcess(
            name,
            executable: Executable.find("setpriv"),
            arguments: user + arguments,
            in: workspace
        )
    }

    /// A program of the newest version that is installed.
    private static func program(_ name: String) throws -> URL {
        let folder = URL(fileURLWithPath: "/usr/lib/postgresql")
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for version in versions.sorted(by: { (Int($0) ?? 0) > (Int($1) ?? 0) }) {
            let file = folder.appendingPathComponent("\(version)/bin/\(name)")
            if FileManager.default.isExecutableFile(atPath: file.path) { return file }
        }
        return try Executable.find(name)
    }
}
