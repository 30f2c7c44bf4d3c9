internal import Logging
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A server that accepts connections.
public final class RunningServer: Sendable {
    /// The address that the server listens on, with the port that the system chose where it was asked to.
    public let address: SocketAddress

    let loops: [EventLoop]
    private let listener: Listener
    let context: ServerContext
    private let onStopping: @Sendable () -> Void
    private let shutdownBegun = Atomic(false)

    init(_ server: Server, _ address: SocketAddress) throws {
        let socket = try Socket.listening(on: address, backlog: server.configuration.backlog)
        do {
            self.address = try socket.localAddress()
            let count = server.configuration.eventLoops ?? Self.processors
            loops = try (0..<count).map { try EventLoop(name: "backlot.loop.\($0)") }
        } catch {
            socket.close()
            throw error
        }
        onStopping = server.onStopping
        context = ServerContext(
            handler: server.handler,
            configuration: server.configuration,
            logger: server.logger,
            loops: loops,
            descriptors: DescriptorLimit.raise()
        )
        if context.mostConnections < server.configuration.limits.connections {
            server.logger.notice(
                """
                at most \(context.mostConnections) connections at a time, not \(server.configuration.limits.connections) \
                (limits.connections): the process may open \(context.descriptors) descriptors (ulimit -Hn)
                """
            )
        }
        let listener = Listener(socket: socket, loop: loops[0], loops: loops, server: context)
        self.listener = listener
        for loop in loops { loop.start() }
        loops[0].execute { listener.open(.readable) }
    }

    private static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Stops: accepts nothing new, finishes what is in flight for at most the drain timeout, and closes.
    ///
    /// Before that it goes on as before for the drain delay, so that whoever sends it requests can notice that it stops
    /// (`Server.onStopping`). A connection is told with `Connection: close` in its next answer; one that stays idle is
    /// closed after `drainIdle`. A second call returns at once.
    ///
    /// An event loop that a handler blocks is left behind some seconds after the drain timeout, with an error in the log.
    public func shutdown() async {
        try? await stop()
    }

    /// Does what ``shutdown()`` does.
    ///
    /// - Throws: `HungLoops` when some event loops were left behind.
    func stop() async throws(HungLoops) {
        guard !shutdownBegun.exchange(true, ordering: .relaxed) else { return }
        context.logger.info("stopping: finishing what is in flight")
        onStopping()
        let delay = context.configuration.timeouts.drainDelay
        if delay > 0 { try? await Task.sleep(for: .milliseconds(delay)) }
        let listening = Arrivals(of: 1)
        loops[0].execute { [listener] in
            listener.drain()
            listening.note(0)
        }
        // The others don't wait for long where this loop hangs.
        _ = await listening.missing(after: HungLoops.patience)
        let closed = Arrivals(of: loops.count)
        // All at once: while one loop finishes a slow answer, the others must not go on serving.
        for (index, loop) in loops.enumerated() {
            loop.execute { loop.drain { closed.note(index) } }
        }
        var hung = await closed.missing(after: context.configuration.timeouts.drain)
        if !hung.isEmpty {
            for loop in loops { loop.execute { loop.abortAll() } }
            hung = await closed.missing(after: HungLoops.patience)
        }
        for loop in loops { loop.stop() }
        guard hung.isEmpty else {
            let error = HungLoops(indices: hung, count: loops.count)
            context.logger.error("\(error)")
            throw error
        }
        context.logger.info("stopped")
    }
}

extension EventLoop {
    fileprivate func abortAll() {
        for channel in openChannels { channel.abort() }
    }
}
