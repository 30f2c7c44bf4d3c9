internal import Logging
internal import Synchronization

/// Accepts connections and distributes them evenly among the loops.
final class Listener: Channel, @unchecked Sendable {
    /// The number of connections to accept before other work gets its turn.
    private static let acceptedAtOnce = 64
    /// The pause when the process has no descriptor left, or too many connections, in milliseconds.
    private static let pause: Int64 = 50

    private let server: ServerContext
    private let loops: [EventLoop]
    /// The loop to begin the next choice with.
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

    /// Accepts the connections in the system's queue, which closing would reset, and closes.
    override func drain() {
        isDraining = true
        socket.dropHandshakes()
        accept(upTo: .max)
        closeSocket()
    }

    private func accept(upTo most: Int) {
        for count in 0..<most {
            // Clients in the queue believe that they are connected: the last of them are accepted regardless of the limit.
            guard isDraining || server.hasRoomForConnection else {
                // After at least one connection, more may be waiting or not: if so, the system reports it again.
                if count == 0 { rest() }
                return
            }
            do {
                guard let (socket, address) = try socket.accept() else { return }
                deal(socket, address)
            } catch {
                // Without descriptors or memory, the client stays in the queue until there are some.
                server.note(.descriptors, 1, at: loop.clock.elapsed)
                return rest()
            }
        }
    }

    /// Waits until connections have closed, and closes the least costly ones at once.
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

    /// The loop with the fewest connections; equal loops take turns. Otherwise the clients that stay would gather on one loop
    /// when those of another leave.
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

    /// Refuses and closes a connection: a client with too many connections gets no further service.
    private func refuse(_ socket: Socket, _ address: SocketAddress) {
        server.note(.addressLimit, "there are too many connections from that address", from: address)
        // To say it over TLS would take a handshake.
        guard server.tls == nil else { return socket.close() }
        var response: [UInt8] = []
        ResponseEncoder(dateLine: loop.clock.dateLine).write(.tooManyFromAddress, into: &response)
        _ = socket.send(response.span)
        socket.close()
    }
}
