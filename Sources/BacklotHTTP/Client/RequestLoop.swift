package import HTTPTypes

#if os(Linux)
internal import CLinux
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The user of a request loop, which reports events to it, always on the loop's thread.
package protocol RequestLoopUser: AnyObject {
    /// The time set with `RequestLoop.wake(at:)` has come.
    func timeCame()
    /// A request has its response, or never will.
    func responded(_ token: Int, _ result: Result<PooledResponse, ClientConnectionError>)
}

/// Sends many requests to one server from one thread, over connections that are kept: requests need no tasks, continuations or hops between
/// threads. Requests beyond the number of connections wait in line.
///
/// Everything except `start`, `execute` and `stop` must be called on the loop's own thread.
package final class RequestLoop: @unchecked Sendable {
    private let loop: EventLoop
    private let destination: ClientDestination
    /// The host's addresses, in the order of the attempts. Tests choose them before `start`.
    var addresses: [SocketAddress]
    private let bounds: ClientBounds
    /// Limits the bytes of all incomplete responses together.
    private let gathering = BufferBudget(limit: 256 * 1024 * 1024)
    /// The maximum number of connections at a time; fewer once the system has no more descriptors.
    package private(set) var mostConnections: Int
    private var user: (any RequestLoopUser)?
    private var alarm: Alarm?
    /// The index of the address for new connections.
    private var address = 0
    /// Whether an address has accepted a connection, so that the others aren't tried.
    private var hasConnected = false
    private var running = 0
    private var waiting: [(exchange: PooledExchange, token: Int)] = []
    private var firstWaiting = 0
    /// Whether the system refused a descriptor.
    package private(set) var isOutOfDescriptors = false

    /// Creates a loop that isn't running yet.
    ///
    /// - Parameters:
    ///   - connector: the settings of TLS; nil for clear text.
    ///   - mostConnections: the maximum number of connections at a time.
    /// - Throws: `ClientConnectionError` for an unknown host or without descriptors.
    package init(
        name: String,
        host: String,
        port: UInt16,
        over connector: TLSConnector?,
        versions: HTTPVersions = .http1,
        bounds: ClientBounds,
        mostConnections: Int
    ) async throws(ClientConnectionError) {
        destination = ClientDestination(
            host: host,
            port: port,
            context: try connector?.context(offering: versions),
            versions: versions
        )
        addresses = try await destination.addresses(within: min(bounds.idle, bounds.total))
        self.bounds = bounds
        self.mostConnections = mostConnections
        do throws(SocketError) {
            loop = try EventLoop(name: name)
        } catch {
            throw .notConnected(error)
        }
    }

    /// Starts the thread, and calls `begin` on it.
    package func start(_ user: any RequestLoopUser & Sendable, _ begin: @escaping @Sendable () -> Void) {
        loop.start()
        loop.execute {
            self.user = user
            self.loop.clients.most = self.mostConnections
            self.alarm = try? Alarm(on: self.loop) { self.user?.timeCame() }
            begin()
        }
    }

    /// Runs `call` on the loop's thread.
    package func execute(_ call: @escaping @Sendable () -> Void) { loop.execute(call) }

    /// Closes all connections and ends the thread. Unfinished requests fail with `ClientConnectionError.cancelled`.
    package func stop() {
        loop.execute {
            self.mostConnections = 0
            for channel in self.loop.openChannels { channel.abort() }
            let rest = self.waiting[self.firstWaiting...]
            (self.waiting, self.firstWaiting) = ([], 0)
            for (_, token) in rest { self.user?.responded(token, .failure(.cancelled)) }
            self.loop.clients.close()
            self.alarm?.closeSocket()
            self.alarm = nil
            self.user = nil
            self.loop.stop()
        }
    }

    // MARK: On the loop

    /// Nanoseconds of a clock that never jumps.
    package static var now: Int64 { LoopClock.nanoseconds }

    /// Calls the user's `timeCame` at a time, in nanoseconds of `now`. It replaces the previous time; `.max` means never.
    package func wake(at time: Int64) { alarm?.set(time) }

    /// The number of running requests, and of those that wait for a connection.
    package var load: (running: Int, waiting: Int) { (running, waiting.count - firstWaiting) }

    /// Sends a request. The user's `responded` reports the result later.
    ///
    /// - Parameter token: identifies the request.
    package func send(_ request: OutgoingRequest, token: Int) {
        let exchange = PooledExchange(
            request,
            bounds: bounds,
            keepsConnection: true,
            gathering: gathering,
            loop: loop
        )
        guard running < mostConnections else { return waiting.append((exchange, token)) }
        running += 1
        begin(exchange, token)
    }

    // MARK: Exchanges

    private func begin(_ exchange: PooledExchange, _ token: Int) {
        let used = address
        let ended = { (outcome: PooledExchange.Outcome) in self.ended(exchange, token, outcome, at: used) }
        if exchange.began == 0,
            let kept = loop.clients.take(destination, isChecked: !exchange.request.isRepeatable)
        {
            return exchange.go(over: kept, ended)
        }
        do throws(SocketError) {
            exchange.go(over: try ClientConnection(to: addresses[used], destination, loop: loop), ended)
        } catch {
            if error.code == SystemErrors.tooManyOpenFiles || error.code == SystemErrors.tooManyOpenFilesInSystem {
                isOutOfDescriptors = true
                // The loop continues with the descriptors that it has.
                if running > 1 {
                    running -= 1
                    mostConnections = running
                    return waiting.append((exchange, token))
                }
            } else if hasOtherAddress(than: used, after: .notConnected(error)) {
                return begin(exchange, token)
            }
            // Later, because the user may send the next request when it gets this result.
            loop.later { self.finished(token, .failure(.notConnected(error))) }
        }
    }

    private func ended(_ exchange: PooledExchange, _ token: Int, _ outcome: PooledExchange.Outcome, at used: Int) {
        switch outcome {
        case .success(let response?):
            hasConnected = true
            let body = response.wholeBody ?? []
            finished(token, .success(PooledResponse(status: response.status, fields: response.fields, body: body)))
        case .failure(let fault):
            guard !exchange.hasResponse, hasOtherAddress(than: used, after: fault) else {
                return finished(token, .failure(fault))
            }
            begin(exchange, token)
        case .success(nil): begin(exchange, token)
        }
    }

    /// Whether to try another address of the host: the one that the loop uses meanwhile, or the next one.
    ///
    /// - Parameter used: the index of the address that failed.
    private func hasOtherAddress(than used: Int, after fault: ClientConnectionError) -> Bool {
        guard fault.isAboutAddress, used < address || !hasConnected && used + 1 < addresses.count else { return false }
        address = max(address, used + 1)
        return true
    }

    private func finished(_ token: Int, _ result: Result<PooledResponse, ClientConnectionError>) {
        running -= 1
        startWaiting()
        user?.responded(token, result)
    }

    private func startWaiting() {
        while running < mostConnections, firstWaiting < waiting.count {
            let (exchange, token) = waiting[firstWaiting]
            firstWaiting += 1
            running += 1
            begin(exchange, token)
        }
        // Not for each request, since it moves the others.
        if firstWaiting == waiting.count || firstWaiting >= 4096 {
            waiting.removeFirst(firstWaiting)
            firstWaiting = 0
        }
    }
}

/// A whole response, with the bytes that came over the wire.
package struct PooledResponse: Sendable {
    /// The status.
    package let status: HTTPResponse.Status
    let fields: FieldList
    /// The body, compressed if the header fields say so.
    package let body: [UInt8]

    /// The number of bytes of the header fields.
    package var headBytes: Int { fields.linesCount + 17 }

    /// The value of a header field; several fields of one name are joined by commas. nil without such a field.
    ///
    /// - Parameter name: in lower case.
    package subscript(name: StaticString) -> String? { fields[name] }

    /// Whether the response has a header field with a name, which must be in lower case.
    package func has(_ name: StaticString) -> Bool { fields.contains(name) }

    /// The header fields.
    package var headers: HTTPFields { HTTPFields(fields) }
}

/// Wakes a loop at a time, some microseconds late at most: a loop's own deadlines are in milliseconds. It is a descriptor that becomes
/// readable.
final class Alarm: Channel, @unchecked Sendable {
    private let call: () -> Void
    /// The time of the alarm, in nanoseconds of `LoopClock.nanoseconds`; `.max` means never.
    private var time = Int64.max

    /// - Parameter call: called on the loop at that time.
    init(on loop: EventLoop, _ call: @escaping () -> Void) throws(SocketError) {
        self.call = call
        super.init(socket: try Self.timer(), loop: loop)
        open(.readable)
    }

    /// Sets the time of the alarm, in nanoseconds of `LoopClock.nanoseconds`. A past time means now, and `.max` never.
    func set(_ time: Int64) {
        guard time != self.time else { return }
        self.time = time
        arm(time)
    }

    override func ready(_ readiness: Readiness) {
        guard time <= LoopClock.nanoseconds else { return arm(time) }
        time = .max
        quieten()
        call()
    }

    override func abort() {}

    #if os(Linux)
    private static func timer() throws(SocketError) -> Socket {
        let descriptor = timer_open()
        guard descriptor >= 0 else { throw SocketError(call: "timerfd_create", code: errno) }
        return Socket(descriptor: descriptor)
    }

    private func arm(_ time: Int64) {
        let time = time == .max ? 0 : max(time, 1)
        timer_set(socket.descriptor, Int(time / 1_000_000_000), Int(time % 1_000_000_000))
    }

    /// Reads and so resets the number of rings.
    private func quieten() {
        var count: UInt64 = 0
        _ = unsafe read(socket.descriptor, &count, MemoryLayout<UInt64>.size)
    }
    #else
    /// A queue of events with one timer in it.
    private static func timer() throws(SocketError) -> Socket {
        let descriptor = kqueue()
        guard descriptor >= 0 else { throw SocketError(call: "kqueue", code: errno) }
        return Socket(descriptor: descriptor)
    }

    private func arm(_ time: Int64) {
        let wait = time == .max ? 0 : max(0, time - LoopClock.nanoseconds)
        var event = unsafe kevent(
            ident: 1,
            filter: Int16(EVFILT_TIMER),
            flags: UInt16(time == .max ? EV_DELETE : EV_ADD | EV_ONESHOT),
            fflags: UInt32(NOTE_NSECONDS),
            data: Int(wait),
            udata: nil
        )
        _ = unsafe kevent(socket.descriptor, &event, 1, nil, 0, nil)
    }

    /// Removes the event.
    private func quieten() {
        var event = unsafe kevent()
        var limit = timespec()
        _ = unsafe kevent(socket.descriptor, nil, 0, &event, 1, &limit)
    }
    #endif
}
