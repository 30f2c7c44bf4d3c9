import BacklotJSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Chromium without a window, driven by the DevTools protocol through a pair of pipes: no port is opened.
final class Chromium {
    /// Why it can't be driven.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// How long an answer is waited for, in milliseconds.
    private static let patience: Int32 = 60_000
    /// What makes pictures the same on every run.
    private static let arguments = [
        "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--mute-audio",
        "--font-render-hinting=none", "--disable-lcd-text", "--force-color-profile=srgb",
        "--force-device-scale-factor=1",
    ]
    private static let programs = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private let profile: URL
    private var received: [UInt8] = []
    private var lastID: Int64 = 0
    /// The events that have come and were not waited for yet.
    private var events: Set<String> = []

    /// Starts a program; without a name, the first of the usual ones that is installed.
    init(program: String?) throws {
        let path = try Self.path(of: program)
        profile = FileManager.default.temporaryDirectory.appending(path: "backlot-chromium-\(UUID().uuidString)")
        // Chromium's sandbox doesn't work for root, as in most containers.
        let arguments =
            [path] + Self.arguments + ["--user-data-dir=\(profile.path)"] + (getuid() == 0 ? ["--no-sandbox"] : [])
            + ["about:blank"]
        // The other end of each pipe is a descriptor that Chromium knows: it reads 3 and writes 4.
        let (requests, answers) = (try Self.pipe(), try Self.pipe())
        process = try Self.spawn(arguments, reading: requests.read, writing: answers.write)
        close(requests.read)
        close(answers.write)
        (input, output) = (requests.write, answers.read)
        // A browser that goes away is told by an error, not by a signal.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Ends it, and removes what it has stored.
    func stop() {
        close(input)
        close(output)
        kill(process, SIGKILL)
        var status: Int32 = 0
        unsafe waitpid(process, &status, 0)
        try? FileManager.default.removeItem(at: profile)
    }

    /// Calls a method.
    func call(_ method: String, _ parameters: JSONValue = [:], session: String? = nil) throws -> JSONValue {
        lastID += 1
        var message = JSONObject()
        message["id"] = .number(JSONNumber(lastID))
        message["method"] = .string(method)
        message["params"] = parameters
        if let session { message["sessionId"] = .string(session) }
        try write(JSONValue.object(message).bytes + [0])
        while true {
            let answer = try self.message(method)
            guard answer["id"]?.number?.int64 == lastID else { continue }
            if let problem = answer["error"]?["message"]?.string { throw Problem(description: "\(method): \(problem)") }
            return answer["result"] ?? [:]
        }
    }

    /// Forgets an event that has come.
    func forget(_ event: String) { events.remove(event) }

    /// Waits for an event, unless it has come since it was forgotten.
    func wait(for event: String) throws {
        while events.remove(event) == nil { _ = try message(event) }
    }

    /// The next message; an event is remembered by its name.
    private func message(_ purpose: String) throws -> JSONValue {
        let message = try JSONValue(parsing: try next(purpose))
        if let event = message["method"]?.string { events.insert(event) }
        return message
    }

    private func write(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe systemWrite(input, $0.baseAddress, $0.count)
            }
            guard count > 0 else { throw Problem(description: "Chromium has ended: \(Self.reason)") }
            sent += count
        }
    }

    /// The next message: they end with a zero byte.
    private func next(_ purpose: String) throws -> [UInt8] {
        var searched = 0
        while true {
            if let end = received[searched...].firstIndex(of: 0) {
                defer { received.removeSubrange(...end) }
                return Array(received[..<end])
            }
            searched = received.count
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&waiting, 1, Self.patience) > 0 else {
                throw Problem(description: "Chromium hasn't come to \(purpose) within \(Self.patience / 1000) seconds")
            }
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(output, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Problem(description: "Chromium has ended before it came to \(purpose)") }
            received += chunk[..<count]
        }
    }

    // Starting

    private static func path(of program: String?) throws -> String {
        if let program, program.contains("/") {
            guard unsafe access(program, X_OK) == 0 else {
                throw Problem(description: "\(program) can't be run: \(reason)")
            }
            return program
        }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        for name in program.map({ [$0] }) ?? programs {
            for folder in folders where unsafe access("\(folder)/\(name)", X_OK) == 0 { return "\(folder)/\(name)" }
        }
        throw Problem(
            description:
                "\(program ?? "Chromium") isn't installed: install Debian's package chromium, or name the program with --browser"
        )
    }

    /// A pipe whose descriptors no other program inherits, and that are not among the first.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        let isMade = systemPipe(&ends) == 0
        guard isMade else { throw Problem(description: "no pipe can be made: \(reason)") }
        let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
        for end in ends { close(end) }
        guard moved.allSatisfy({ $0 >= 0 }) else { throw Problem(description: "no pipe can be made: \(reason)") }
        return (moved[0], moved[1])
    }

    private static func spawn(_ arguments: [String], reading: Int32, writing: Int32) throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t? = nil
        #else
        var actions = unsafe posix_spawn_file_actions_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, reading, 3)
        unsafe posix_spawn_file_actions_adddup2(&actions, writing, 4)
        var words: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) }
        unsafe words.append(nil)
        defer { unsafe words.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, arguments[0], &actions, nil, words, environ)
        guard code == 0 else {
            throw Problem(description: "\(arguments[0]) can't be run: \(unsafe String(cString: strerror(code)))")
        }
        return process
    }

    private static var reason: String { unsafe String(cString: strerror(errno)) }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}

private func systemPipe(_ ends: inout [Int32]) -> Int32 { unsafe pipe(&ends) }
