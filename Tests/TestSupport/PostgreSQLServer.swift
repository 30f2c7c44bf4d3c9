internal import BacklotHTTP
internal import Foundation

/// A PostgreSQL server of a test's own, in a folder and on a socket in it.
public final class PostgreSQLServer: Sendable {
    /// Debian's postgresql is not there, or a program of it failed.
    public struct Failure: Error, CustomStringConvertible {
        /// The attempt and its output.
        public let description: String
    }

    /// Whether Debian's package postgresql is installed.
    public static var isInstalled: Bool { PostgreSQLPrograms.folder != nil }

    /// The folder of its socket; the same after a restart.
    public let folder: String
    /// The TCP port on 127.0.0.1; nil without TCP.
    public let port: Int?
    private let arguments: [String]
    private let process = Locked<Process?>(nil)
    private let output = Locked("")
    private let mounts = Locked<[String]>([])

    /// Starts one, and returns when it takes connections. Its user `postgres` needs no password on the socket, and those with
    /// a password log in with it over TCP.
    ///
    /// - Parameters:
    ///   - folder: an empty folder with a short path, since the path of the socket may have only 107 bytes.
    ///   - settings: `postgresql.conf` settings.
    ///   - isDurable: whether it waits for the disk, for tests that kill it.
    ///   - tls: a certificate and its key; nil to listen on the socket alone.
    /// - Throws: `Failure`.
    public init(
        in folder: String,
        settings: [String: String] = [:],
        isDurable: Bool = false,
        tls identity: TestIdentity? = nil
    ) throws {
        self.folder = folder
        port = try identity.map { _ in try Int(FreePort.find()) }
        try PostgreSQLPrograms.run("/bin/cp", ["-r", try PostgreSQLPrograms.template(), "\(folder)/data"])
        var settings = settings
        if !isDurable { settings["fsync"] = "off" }
        settings["unix_socket_directories"] = folder
        settings["listen_addresses"] = identity == nil ? "" : "127.0.0.1"
        if let port { settings["port"] = "\(port)" }
        if let identity {
            try PostgreSQLPrograms.write(identity.certificate, to: "\(folder)/data/server.crt")
            try PostgreSQLPrograms.write(identity.key, to: "\(folder)/data/server.key")
            settings["ssl"] = "on"
        }
        arguments =
            ["-D", "\(folder)/data"] + settings.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
        try start()
    }

    deinit { close() }

    /// Ends it, and unmounts what it has mounted.
    func close() {
        kill()
        mounts.withLock { mounts in
            for path in mounts { PostgreSQLPrograms.unmount(path) }
            mounts = []
        }
    }

    /// The address for the user `postgres`, over the socket.
    public var address: String { address(user: "postgres") }

    /// An address over the socket.
    public func address(user: String, database: String = "postgres") -> String {
        "postgres://\(user)@/\(database)?host=\(folder)" + (port.map { "&port=\($0)" } ?? "")
    }

    /// The server's whole log.
    public var log: String { output.withLock { $0 } }

    /// Starts it again.
    public func start() throws {
        // After a kill, processes that have not ended yet may have its memory: some wait for the disk first.
        let end = ContinuousClock.now + Duration.seconds(60) * Patience.factor
        while let problem = try tryToStart() {
            guard problem.contains("still in use"), ContinuousClock.now < end else {
                throw Failure(description: "postgres didn't start: \(problem)")
            }
            usleep(50_000)
        }
    }

    /// - Returns: what it said when it ended at once; nil when it has started.
    private func tryToStart() throws -> String? {
        let process = try PostgreSQLPrograms.process("postgres", arguments)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        let (ready, signal) = (DispatchSemaphore(value: 0), Locked<String?>(""))
        try process.run()
        // Somebody must read on, or the server waits until there is room in the pipe.
        let handle = pipe.fileHandleForReading
        DispatchQueue(label: "postgresql.log").async { [output] in
            var text = ""
            while true {
                let more = String(decoding: handle.availableData, as: UTF8.self)
                output.withLock { $0 += more }
                let wasReady = text.contains("ready to accept")
                text += more
                if more.isEmpty {
                    signal.withLock { $0 = text }
                } else if text.contains("ready to accept"), !wasReady {
                    signal.withLock { $0 = nil }
                } else {
                    continue
                }
                ready.signal()
                if more.isEmpty { return }
            }
        }
        process.limited(seconds: 60) { ready.wait() }
        self.process.withLock { $0 = process }
        return signal.withLock { $0 }
    }

    /// Ends it as an administrator does: it notifies connections, and committed changes are on the disk.
    public func stop() { end { Foundation.kill($0, SIGINT) } }

    /// Stops it and starts it again.
    public func restart() throws {
        stop()
        try start()
    }

    /// Ends it and all its processes with SIGKILL, as a crash does.
    public func kill() {
        end { parent in
            for process in PostgreSQLPrograms.stop(parent) { Foundation.kill(process, SIGKILL) }
        }
    }

    /// Pauses it: connections stay open, without responses.
    public func hold() { signalAll(SIGSTOP) }

    /// Continues it.
    public func release() { signalAll(SIGCONT) }

    private func signalAll(_ signal: Int32) {
        guard let parent = process.withLock({ $0?.processIdentifier }) else { return }
        for process in PostgreSQLPrograms.stop(parent) { Foundation.kill(process, signal) }
    }

    private func end(_ signal: (Int32) -> Void) {
        let process = process.withLock { process in
            defer { process = nil }
            return process
        }
        guard let process else { return }
        signal(process.processIdentifier)
        process.limited(seconds: 60) { process.waitUntilExit() }
    }

    /// Starts it, after it was stopped, as one that follows another server, until `pg_promote()`.
    public func follow() throws {
        try PostgreSQLPrograms.write("", to: "\(folder)/data/standby.signal")
        try start()
    }

    /// Makes a tablespace on a file system of a few megabytes, where the test may mount one.
    ///
    /// - Returns: whether it may.
    public func makeSmallTablespace(_ name: String, megabytes: Int) throws -> Bool {
        let path = "\(folder)/\(name)"
        try PostgreSQLPrograms.run("/bin/mkdir", [path])
        guard PostgreSQLPrograms.mountMemory(at: path, megabytes: megabytes) else { return false }
        mounts.withLock { $0.append(path) }
        try psql("CREATE TABLESPACE \(name) LOCATION '\(path)'")
        return true
    }

    /// Runs statements as the user `postgres`.
    ///
    /// - Returns: the rows, as psql writes them with `-At`.
    /// - Throws: `Failure`, with what psql has said.
    @discardableResult
    public func psql(_ sql: String, database: String = "postgres") throws -> String {
        let port = port.map { ["-p", "\($0)"] } ?? []
        let options = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", "postgres", "-d", database]
        return try PostgreSQLPrograms.run("psql", options + port + ["-c", sql])
    }
}

/// Runs `body` with a server of PostgreSQL, which is ended and removed afterwards.
public func withPostgreSQL<Result>(
    settings: [String: String] = [:],
    isDurable: Bool = false,
    tls identity: TestIdentity? = nil,
    _ body: (PostgreSQLServer) async throws -> Result
) async throws -> Result {
    let folder = try PostgreSQLPrograms.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try PostgreSQLServer(in: folder, settings: settings, isDurable: isDurable, tls: identity)
    defer { server.close() }
    return try await body(server)
}
