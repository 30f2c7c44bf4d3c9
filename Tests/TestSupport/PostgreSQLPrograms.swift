internal import BacklotHTTP
internal import Foundation

/// The programs of PostgreSQL. As root they run as the user `postgres`, since the server refuses to be root's.
enum PostgreSQLPrograms {
    /// The folder of the programs, of the newest version if there are several.
    static let folder: String? = {
        let manager = FileManager.default
        let versions = (try? manager.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let newest = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
        return (newest + ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"])
            .first {
                manager.isExecutableFile(atPath: "\($0)/initdb") && manager.isExecutableFile(atPath: "\($0)/postgres")
            }
    }()

    private static let made = Locked<Result<String, any Error>?>(nil)

    /// A folder with a new database, which each server copies, since making one takes a second. It is removed when the process
    /// ends.
    static func template() throws -> String {
        try made.withLock { made in
            if let made { return try made.get() }
            let result = Result { try makeTemplate() }
            made = result
            return try result.get()
        }
    }

    private static func makeTemplate() throws -> String {
        let folder = try makeFolder()
        let path = "\(folder)/data"
        atexit {
            guard case .success(let path) = PostgreSQLPrograms.made.withLock({ $0 }) else { return }
            try? FileManager.default.removeItem(atPath: URL(filePath: path).deletingLastPathComponent().path)
        }
        try run(
            "initdb",
            [
                "-D", path, "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--auth-local=trust",
                "--auth-host=scram-sha-256", "--no-sync", "--wal-segsize=1",
            ]
        )
        return path
    }

    /// Makes an empty folder with a short path that belongs to the server's user.
    static func makeFolder() throws -> String {
        let path =
            FileManager.default.temporaryDirectory.path + "/pg-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: getuid() == 0 ? [.ownerAccountName: "postgres", .posixPermissions: 0o755] : [:]
        )
        return path
    }

    /// Writes a file that belongs to the server's user, and that nobody else can read.
    static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes(
            (getuid() == 0 ? [.ownerAccountName: "postgres"] : [:]).merging([.posixPermissions: 0o600]) { $1 },
            ofItemAtPath: path
        )
    }

    /// A process that isn't started yet.
    static func process(_ program: String, _ arguments: [String]) throws -> Process {
        guard let folder else { throw PostgreSQLServer.Failure(description: "PostgreSQL is not installed") }
        let process = Process()
        let command = [program.hasPrefix("/") ? program : "\(folder)/\(program)"] + arguments
        let user = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]
        let line = getuid() == 0 ? user + command : command
        process.executableURL = URL(filePath: line[0])
        process.arguments = Array(line.dropFirst())
        process.currentDirectoryURL = URL(filePath: "/")
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Runs a program to its end.
    ///
    /// - Returns: its output.
    @discardableResult
    static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = try process(program, arguments)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let (text, problem) = process.limited {
            defer { process.waitUntilExit() }
            return Pipe.texts(of: output, errors)
        }
        guard process.terminationStatus == 0 else {
            throw PostgreSQLServer.Failure(description: "\(program) failed: \(problem)")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Mounts a file system in memory, where this process may.
    static func mountMemory(at path: String, megabytes: Int) -> Bool {
        command("/bin/mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path])
            && command("/bin/chown", ["postgres:", path])
    }

    static func unmount(_ path: String) { _ = command("/bin/umount", ["-l", path]) }

    /// Runs a program as the user that the tests have.
    ///
    /// - Returns: whether it ended well.
    private static func command(_ program: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return false }
        process.limited(seconds: 60) { process.waitUntilExit() }
        return process.terminationStatus == 0
    }

    /// Stops a process, so that it can't start others.
    ///
    /// - Returns: the process and its children.
    static func stop(_ parent: Int32) -> [Int32] {
        kill(parent, SIGSTOP)
        // Before the signal has reached it, it may start one more.
        let end = ContinuousClock.now + .seconds(60)
        while isGoing(parent), ContinuousClock.now < end { usleep(1_000) }
        return [parent] + children(of: parent)
    }

    /// Whether a process has neither stopped nor ended. False on systems without `/proc`.
    private static func isGoing(_ process: Int32) -> Bool {
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        // The number and the name in parentheses come first.
        return text.split(separator: ") ").last?.first.map { "RSD".contains($0) } ?? false
    }

    /// The processes that another has started.
    static func children(of parent: Int32) -> [Int32] {
        #if os(Linux)
        let text = (try? String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { Int32($0) }
        #else
        let text = (try? run("/usr/bin/pgrep", ["-P", "\(parent)"])) ?? ""
        return text.split(separator: "\n").compactMap { Int32($0) }
        #endif
    }
}
