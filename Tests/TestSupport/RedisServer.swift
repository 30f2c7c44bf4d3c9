internal import Foundation

/// A redis-server of a test's own, on a free port of 127.0.0.1, which keeps nothing on the disk.
public final class RedisServer {
    /// Debian's redis-server is not there, or it didn't start.
    public struct StartFailure: Error {
        /// The server's output.
        public let output: String
    }

    /// Whether Debian's package redis-server is installed.
    public static var isInstalled: Bool { program != nil }

    /// Its port; the same after a restart.
    public let port: Int
    private let password: String?
    private let tls: [String]
    private var process: Process?

    /// Starts one, and returns when it takes connections.
    ///
    /// - Parameter tls: a file with the certificate and its key, and the authority's file; nil for clear text.
    /// - Throws: `StartFailure`.
    public init(password: String? = nil, tls: (identity: String, authority: String)? = nil) throws {
        port = try Int(FreePort.find())
        self.password = password
        self.tls =
            tls.map {
                [
                    "--tls-cert-file", $0.identity, "--tls-key-file", $0.identity, "--tls-ca-cert-file", $0.authority,
                    "--tls-auth-clients", "no", "--tls-port",
                ]
            } ?? []
        try start()
    }

    deinit { stop() }

    /// Starts it again.
    public func start() throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = Self.program.map { URL(filePath: $0) }
        process.arguments =
            (tls.isEmpty ? ["--port", "\(port)"] : tls + ["\(port)", "--port", "0"]) + [
                "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
            ]
            + (password.map { ["--requirepass", $0] } ?? [])
        process.standardOutput = output
        process.standardError = output
        guard process.executableURL != nil else { throw StartFailure(output: "redis-server is not installed") }
        try process.run()
        self.process = process
        try process.limited(seconds: 60) {
            var text = ""
            while !text.contains("Ready to accept connections") {
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { throw StartFailure(output: text) }
                text += String(decoding: more, as: UTF8.self)
            }
        }
    }

    /// Ends it at once, as a crash would, and waits until it has ended.
    public func stop() {
        guard let process else { return }
        self.process = nil
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Pauses it: connections stay open, without responses.
    public func hold() {
        if let process { kill(process.processIdentifier, SIGSTOP) }
    }

    /// Continues it.
    public func release() {
        if let process { kill(process.processIdentifier, SIGCONT) }
    }

    private static var program: String? {
        ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/redis-server" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
