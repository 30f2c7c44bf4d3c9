public import Logging
public import ServiceLifecycle

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A server of HTTP/1.1 and HTTP/2, over TLS or in clear text: a handler and the address to listen on.
///
/// ```swift
/// let server = Server(router, host: "0.0.0.0", port: 8080)
/// try await server.run()  // until SIGINT or SIGTERM
/// ```
public struct Server: Sendable {
    /// The handler of all requests.
    public var handler: any Handler
    /// The address to listen on, such as `127.0.0.1`, `::1`, or `0.0.0.0` for every network interface.
    public var host: String
    /// The port to listen on; 0 for a free one.
    public var port: Int
    /// Limits and timeouts.
    public var configuration: ServerConfiguration
    /// The log for the server's events.
    public var logger: Logger
    /// Called once, when the server accepts connections, with the address that it got.
    public var onListening: @Sendable (SocketAddress) -> Void
    /// Called once, when the server accepts connections, before `onListening`, with the server and its statistics.
    public var onRunning: @Sendable (RunningServer) -> Void = { _ in }
    /// Called once, when the server begins to stop and still accepts connections: from now on, it is not ready for more.
    public var onStopping: @Sendable () -> Void = {}

    /// Creates a server that doesn't run yet.
    public init(
        _ handler: any Handler,
        host: String = "127.0.0.1",
        port: Int = 8080,
        configuration: ServerConfiguration = ServerConfiguration(),
        logger: Logger = Logger(label: "backlot"),
        onListening: @escaping @Sendable (SocketAddress) -> Void = { _ in }
    ) {
        self.handler = handler
        self.host = host
        self.port = port
        self.configuration = configuration
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves until the process gets SIGINT or SIGTERM, then finishes current requests and returns.
    ///
    /// A second signal ends the process at once, or half a second after the first, so that a person at a terminal need not wait
    /// for a client that keeps its connection. If a handler blocks its event loop, the server abandons that loop after
    /// `timeouts.drain`, and this method throws. If everything hangs, the process ends with status 1 some seconds after
    /// `timeouts.drain`.
    ///
    /// - Parameter others: servers that start before this one, in their order, and stop after it, such as one for
    ///   metrics.
    /// - Throws: `AddressError` or `SocketError` when a server can't listen on its address; an error that names the event loops
    ///   that hung when the server stopped.
    public func run(inside others: [Server] = []) async throws {
        let stopGuard = StopGuard(logger)
        defer { stopGuard.end() }
        var server = self
        let group = Locked<ServiceGroup?>(nil)
        server.onRunning = { running in
            stopGuard.begin(running.context.configuration.timeouts) {
                Task { await group.withLock { $0 }?.triggerGracefulShutdown() }
            }
            onRunning(running)
        }
        var configuration = ServiceGroupConfiguration(services: [.init(service: server.service)], logger: logger)
        configuration.maximumGracefulShutdownDuration = nil
        let services = ServiceGroup(configuration: configuration)
        group.withLock { $0 = services }
        // Not services of the group, which would start all of them at once.
        var running: [RunningServer] = []
        var failure: (any Error)?
        do {
            for other in others { running.append(try other.start()) }
            try await services.run()
        } catch {
            failure = error
        }
        for other in running.reversed() {
            stopGuard.restart(other.context.configuration.timeouts)
            do { try await other.stop() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Serves in the way of ``run(inside:)``. After an error, prints one line to standard error and ends the program with status
    /// 1. Use it as the last line of a program.
    public func runOrExit(inside others: [Server] = []) async {
        do {
            try await run(inside: others)
        } catch {
            let line = Array("Error: \(error)\n".utf8)
            _ = unsafe write(STDERR_FILENO, line, line.count)
            exit(1)
        }
    }

    /// The server as a service, to run it in a `ServiceGroup` beside others.
    public var service: ServerService { ServerService(server: self) }

    /// Starts serving, and returns once the server accepts connections.
    ///
    /// - Throws: `AddressError` or `SocketError` when the server can't listen on its address, `TLSError` when its certificates
    ///   can't be used, and the errors of the handler's `prepare`.
    public func start() throws -> RunningServer {
        configuration.validate()
        try handler.prepare()
        guard let port = UInt16(exactly: port) else { throw AddressError.port(port) }
        guard let address = SocketAddress(host: host, port: port) else { throw AddressError.host(host) }
        let running = try RunningServer(self, address)
        // This comes first: whoever reads the log's line may send a signal, which must stop the server in order.
        onRunning(running)
        logger.info("listening on \(configuration.tls == nil ? "http" : "https")://\(running.address)/")
        onListening(running.address)
        return running
    }
}

/// An address that no server can listen on.
public enum AddressError: Error, Equatable, CustomStringConvertible {
    /// The host is not an IP address.
    case host(String)
    /// The port is not one.
    case port(Int)

    /// The error, and the value to use instead.
    public var description: String {
        switch self {
        case .host(let host):
            "'\(host)' is not an IP address: write one such as 127.0.0.1, ::1 or 0.0.0.0, or localhost"
        case .port(let port): "\(port) is not a port: write a number from 0 to 65535, 0 for a free one"
        }
    }
}

/// A server in the form of a swift-service-lifecycle service: it runs until it is cancelled or shut down gracefully.
public struct ServerService: Service {
    let server: Server

    /// Serves until the service group shuts down, then finishes current requests.
    ///
    /// - Throws: `AddressError` or `SocketError` when the server can't listen on its address; an error that names the event loops
    ///   that hung when the server stopped.
    public func run() async throws {
        let running = try server.start()
        try? await gracefulShutdown()
        try await running.stop()
    }
}

extension ServiceGroup {
    /// A service group takes a server's `service`, which leaves signals to the group.
    @available(*, unavailable, message: "write ServiceGroup(services: [server.service], …)")
    public init(services: [Server], logger: Logger) {
        self.init(services: services.map(\.service), logger: logger)
    }
}

extension ServerService: CustomStringConvertible {
    /// The name of the service in the messages of its group.
    ///
    /// Without it, the group would describe the whole server by reflection, which takes a fifth of the start-up time.
    public var description: String { "HTTP server" }
}

/// Limits the number of tests that run a server at a time: each server takes threads, and Dispatch has only 255.
package actor ServerSlots {
    /// The slots of all tests in the process.
    package static let shared = ServerSlots(count: 12)
    /// Whether the task has a slot. A test with two servers takes only one, so that two such tests don't wait for each other.
    @TaskLocal private static var isTaken = false

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(count: Int) {
        free = count
    }

    /// Calls `body` once a slot is free; at once if the task already has one.
    package nonisolated func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        if Self.isTaken { return try await body() }
        await take()
        do {
            let result = try await Self.$isTaken.withValue(true, operation: body)
            await giveBack()
            return result
        } catch {
            await giveBack()
            throw error
        }
    }

    private func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

extension Server {
    /// Serves while `body` runs, and shuts down afterwards, even if it throws. For tests only. It waits for one of the slots
    /// (`ServerSlots`).
    ///
    /// - Throws: the errors of `body`, and the reason why the server can't start.
    package func serve<Result>(_ body: (SocketAddress) async throws -> Result) async throws -> Result {
        try await ServerSlots.shared.run {
            let running = try start()
            do {
                let result = try await body(running.address)
                await running.shutdown()
                return result
            } catch {
                await running.shutdown()
                throw error
            }
        }
    }
}
