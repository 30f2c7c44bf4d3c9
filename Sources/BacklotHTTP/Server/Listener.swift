internal import Logging
internal import Synchronization

/// Accepts connections and deals them out to the loops, so that each has as many as the others.
final class Listener: Channel, @unchecked Sendable {
    /// How many connections are accepted before other work gets its turn.
    private static let acceptedAtOnce = 64
    /// How long to wait when the process has no descriptor left, or too many connections, in milliseconds.
    private static let pause: Int64 = 50

    private let server: ServerContext
    private let loops: [EventLoop]
    /// The loop whose turn it is.
    private var next = 0
    private var isDraining = false

    init(socket: Socket, loop: EventLoop, loops: [EventLoop], server: ServerContext) {
        self.server = server
        self.loops = loops
        super.init(socket: socket, loop: loop)
    }

    override func ready(_ readiness: Readiness) {
        accept(upTo: Self.acceptedAtOnce)
    }

    override func deadlineReached() {
        watch(.readable)
    }

    /// Takes what waits in the system's queue, which closing would reset, and closes.
    override func drain() {
        isDraining = true
        socket.dropHandshakes()
        accept(upTo: .max)
        closeSocket()
    }

    private func accept(upTo most: Int) {
        for count in 0..<most {
            // Those in the queue believe that they are connected: the last of them are taken whatever the limit is.
            guard isDraining || server.hasRoomForConnection else {
                // After some it isn't known whether another waits: if so, the system says it again.
                if count == 0 { rest() }
                return
            }
            do {
                guard let (socket, address) = try socket.accept() else { return }
                deal(socket, address)
            } catch {
                // No descriptors, or no memory: the queue keeps the client until there are some.
                server.note(.descriptors, 1, at: loop.clock.elapsed)
                return rest()
            }
        }
    }

    /// Waits until connections have been closed: those that cost least are, at once.
    private func rest() {
        watch([])
        setDeadline(loop.clock.now + Self.pause)
        for other in loops {
            other.executeLater { [self] in
                guard server.evict(on: other) > 0 else { return }
                loop.executeLater { [self] in if isOpen { watch(.readable) } }
            }
        }
    }

    /// The loop with the fewest connections; among equals, each in turn. Clients that stay would otherwise gather on one loop, when
    /// those of another leave.
    private func chooseLoop() -> EventLoop {
        var (chosen, fewest) = (next, Int.max)
        for step in loops.indices {
            let index = (next + step) % loops.count
            let count = loops[index].connections.load(ordering: .relaxed)
            if count < fewest { (chosen, fewest) = (index, count) }
        }
        next = (chosen + 1) % loops.count
        return loops[chosen]
    }

    private func deal(_ socket: Socket, _ address: SocketAddress) {
        guard server.admit(connectionFrom: address) else { return refuse(socket, address) }
        server.connections.add(1, ordering: .relaxed)
        let loop = chooseLoop()
        loop.connections.add(1, ordering: .relaxed)
        let isCrowded = server.isCrowded
        loop.execute { [server] in
            if isCrowded { server.evict(on: loop) }
            Connection(socket: socket, remoteAddress: address, loop: loop, server: server).start()
        }
    }

    /// Says why, and closes: one that holds too many connections gets no more of anybody's time.
    private func refuse(_ socket: Socket, _ address: SocketAddress) {
        server.logger.debug("refused a connection: there are too many from \(address.host)")
        // To say it over TLS would take a handshake.
        guard server.tls == nil else { return socket.close() }
        var response: [UInt8] = []
        ResponseEncoder(dateLine: loop.clock.dateLine).write(.tooManyFromAddress, into: &response)
        _ = socket.send(response.span)
        socket.close()
    }
}
