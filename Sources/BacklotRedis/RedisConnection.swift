internal import Backlot
internal import CHiredis

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A connection to a Redis server, for one thread at a time.
///
/// hiredis connects, writes commands and reads replies. This class itself sends and receives their bytes, because hiredis would
/// raise SIGPIPE and can't limit the time of a whole exchange.
@safe final class RedisConnection: ServerConnection, @unchecked Sendable {
    typealias Failure = RedisError

    /// The result of some commands: the replies in order, and an error if replies are missing.
    struct Outcome {
        var replies: [RedisReply] = []
        var failure: RedisError?
    }

    private static let chunk = 64 * 1024

    private let context: UnsafeMutablePointer<redisContext>
    private let tls: TLSStream?

    /// Connects, logs in and chooses the database.
    ///
    /// - Parameters:
    ///   - connector: the settings of TLS, if the address requires it.
    ///   - timeout: the time limit for connecting. The same limit applies once more to the TLS handshake and login together.
    ///     Finding the host's address isn't limited.
    /// - Throws: `RedisError`.
    init(to address: RedisAddress, over connector: TLSConnector, timeout: Duration) throws(RedisError) {
        let (seconds, attoseconds) = timeout.components
        let limit = timeval(tv_sec: Int(seconds), tv_usec: suseconds_t(attoseconds / 1_000_000_000_000))
        guard let context = unsafe redisConnectWithTimeout(address.host, Int32(address.port), limit) else {
            throw .away("out of memory")
        }
        guard unsafe context.pointee.err == 0 else {
            defer { unsafe redisFree(context) }
            throw .away(unsafe Self.error(of: context))
        }
        unsafe self.context = context
        do throws(ClientConnectionError) {
            tls =
                address.isSecure
                ? try TLSStream(on: unsafe context.pointee.fd, host: address.host, over: connector) : nil
        } catch {
            unsafe redisFree(context)
            throw .away("\(error)")
        }
        unsafe redisEnableKeepAlive(context)
        #if canImport(Darwin)
        var on: Int32 = 1
        unsafe setsockopt(context.pointee.fd, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        let deadline = ContinuousClock.now + timeout
        try shakeHands(until: deadline)
        try greet(address, until: deadline)
    }

    deinit {
        tls?.shutDown()
        unsafe redisFree(context)
    }

    private func shakeHands(until deadline: ContinuousClock.Instant) throws(RedisError) {
        while let tls {
            let outcome = tls.handshake()
            switch outcome {
            case .failed(let reason): throw .away("it isn't secure: \(reason)")
            case .wantsRead, .wantsWrite:
                guard ContinuousClock.now < deadline else {
                    throw .away("the handshake of TLS was not done in time; for a server without TLS, write redis://")
                }
                _ = try? wait(until: deadline, toSend: outcome == .wantsWrite)
            case .bytes, .end: return
            }
        }
    }

    /// Whether the server seems to be available: it has neither closed the connection nor sent anything unrequested.
    var isAlive: Bool {
        // An unrequested reply would be read as the reply to the next command.
        let isRead = unsafe context.pointee.reader.pointee.pos == context.pointee.reader.pointee.len
        guard isRead, !(tls?.hasUnread ?? false) else { return false }
        var byte: UInt8 = 0
        let count = unsafe recv(context.pointee.fd, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
    }

    /// Sends commands together, and waits for their replies. After a failure, the connection can't be used again.
    func exchange(_ commands: [RedisCommand], until deadline: ContinuousClock.Instant) -> Outcome {
        var outcome = Outcome()
        do throws(RedisError) {
            var unsent = try Self.encode(commands)[...]
            // The process may have been paused beyond the deadline, with replies in the socket that came in time. It reads them in
            // pieces. Their number is limited because a server might never stop sending.
            var lateLooks = 32
            while outcome.replies.count < commands.count {
                if !unsent.isEmpty { try send(&unsent) }
                if let reply = try takeReply() {
                    outcome.replies.append(reply)
                } else if try canReceive(until: deadline, toSend: !unsent.isEmpty) {
                    try receive()
                    if ContinuousClock.now >= deadline { lateLooks -= 1 }
                    guard lateLooks > 0 else { throw .timeout }
                }
            }
        } catch {
            outcome.failure = error
        }
        return outcome
    }

    /// Sends one command, and returns its reply.
    ///
    /// - Throws: `RedisError`, also for a reply that is an error.
    func response(to command: RedisCommand, within time: Duration) throws(RedisError) -> RedisReply {
        let outcome = exchange([command], until: .now + time)
        guard let reply = outcome.replies.first else { throw outcome.failure ?? .timeout }
        if case .error(let text) = reply { throw .refused(text) }
        return reply
    }

    /// The next message that the server sends unrequested; nil if it doesn't arrive within `time`.
    func message(within time: Duration) throws(RedisError) -> RedisReply? {
        if let message = try takeReply() { return message }
        do throws(RedisError) {
            guard try canReceive(until: .now + time, toSend: false) else { return nil }
        } catch .timeout {
            return nil
        }
        try receive()
        return try takeReply()
    }

    private func greet(_ address: RedisAddress, until deadline: ContinuousClock.Instant) throws(RedisError) {
        var commands: [RedisCommand] = []
        if let password = address.password {
            commands.append(RedisCommand(["AUTH"] + [address.user, password].compactMap(\.self)))
        }
        // A server that still loads its data accepts SELECT, but refuses EXISTS.
        commands += [RedisCommand("SELECT", address.database), RedisCommand("EXISTS", "backlot:ready")]
        let outcome = exchange(commands, until: deadline)
        for reply in outcome.replies {
            if case .error(let text) = reply { throw .refused(text) }
        }
        if let failure = outcome.failure { throw failure }
    }

    // MARK: Bytes

    /// The commands' bytes on the wire.
    private static func encode(_ commands: [RedisCommand]) throws(RedisError) -> [UInt8] {
        var encoded: [UInt8] = []
        for command in commands {
            var text: UnsafeMutablePointer<CChar>?
            let length = unsafe command.bytes.withUnsafeBytes { bytes in
                var start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                var arguments: [UnsafePointer<CChar>?] = unsafe []
                for length in command.lengths {
                    unsafe arguments.append(start)
                    unsafe start = unsafe start.map { unsafe $0 + length }
                }
                return unsafe redisFormatCommandArgv(&text, Int32(command.lengths.count), &arguments, command.lengths)
            }
            guard length >= 0, let text = unsafe text else { throw .away("out of memory") }
            unsafe encoded += UnsafeRawBufferPointer(start: text, count: Int(length))
            unsafe redisFreeCommand(text)
        }
        return encoded
    }

    /// Sends as many bytes as the system accepts at once.
    private func send(_ unsent: inout ArraySlice<UInt8>) throws(RedisError) {
        if let tls {
            switch tls.send(unsent.span) {
            case .bytes(let count): unsent = unsent.dropFirst(count)
            case .wantsRead, .wantsWrite: break
            case .end: throw .closed("the server has closed it")
            case .failed(let reason): throw .closed(reason)
            }
            return
        }
        let descriptor = unsafe context.pointee.fd
        let count = unsafe unsent.withUnsafeBytes {
            unsafe sendBytes(descriptor, $0.baseAddress, $0.count)
        }
        if count >= 0 {
            unsent = unsent.dropFirst(count)
        } else if errno != EAGAIN, errno != EWOULDBLOCK, errno != EINTR {
            throw .closed(Self.text(of: errno))
        }
    }

    /// Passes the bytes that have arrived to hiredis.
    private func receive() throws(RedisError) {
        if let tls {
            var bytes = [UInt8](repeating: 0, count: Self.chunk)
            switch tls.receive(into: &bytes) {
            case .bytes(let count): return try feed(bytes[..<count])
            case .wantsRead, .wantsWrite: return
            case .end: throw .closed("the server has closed it")
            case .failed(let reason): throw .closed(reason)
            }
        }
        let descriptor = unsafe context.pointee.fd
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, filled in
            count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            filled = max(0, count)
        }
        guard count != 0 else { throw .closed("the server has closed it") }
        guard count > 0 else {
            if errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { return }
            throw .closed(Self.text(of: errno))
        }
        try feed(bytes[...])
    }

    private func feed(_ bytes: ArraySlice<UInt8>) throws(RedisError) {
        let result = unsafe bytes.withUnsafeBytes {
            unsafe redisReaderFeed(
                context.pointee.reader,
                $0.baseAddress?.assumingMemoryBound(to: CChar.self),
                $0.count
            )
        }
        guard result == REDIS_OK else { throw .away("out of memory") }
    }

    /// The next reply; nil if its bytes aren't complete.
    private func takeReply() throws(RedisError) -> RedisReply? {
        var reply: UnsafeMutableRawPointer?
        guard unsafe redisReaderGetReply(context.pointee.reader, &reply) == REDIS_OK else {
            throw .unexpected("no reply that could be read")
        }
        guard let reply = unsafe reply else { return nil }
        defer { unsafe freeReplyObject(reply) }
        return unsafe Self.value(of: reply.assumingMemoryBound(to: redisReply.self))
    }

    /// Like ``wait(until:toSend:)``, but doesn't wait if TLS has already read bytes.
    private func canReceive(until deadline: ContinuousClock.Instant, toSend: Bool) throws(RedisError) -> Bool {
        if tls?.hasUnread ?? false { return true }
        return try wait(until: deadline, toSend: toSend)
    }

    /// Waits until there are bytes to read, or room to send. After the deadline, it only looks whether there are bytes to read.
    ///
    /// - Returns: whether there are bytes to read.
    /// - Throws: `RedisError.timeout` after the deadline without bytes.
    private func wait(until deadline: ContinuousClock.Instant, toSend: Bool) throws(RedisError) -> Bool {
        let rest = max(0, ContinuousClock.now.duration(to: deadline) / .milliseconds(1))
        var events = Int16(POLLIN)
        if toSend, rest > 0 { events |= Int16(POLLOUT) }
        var descriptor = unsafe pollfd(fd: context.pointee.fd, events: events, revents: 0)
        let count = unsafe poll(&descriptor, 1, Int32(rest.rounded(.up)))
        guard count > 0 || rest > 0 else { throw .timeout }
        guard count > 0 else { return false }
        return descriptor.revents & ~Int16(POLLOUT) != 0
    }

    private static func value(of reply: UnsafeMutablePointer<redisReply>) -> RedisReply {
        let reply = unsafe reply.pointee
        switch unsafe reply.type {
        case REDIS_REPLY_STRING: return unsafe .bytes(bytes(of: reply))
        case REDIS_REPLY_STATUS: return unsafe .status(String(decoding: bytes(of: reply), as: UTF8.self))
        case REDIS_REPLY_ERROR: return unsafe .error(String(decoding: bytes(of: reply), as: UTF8.self))
        case REDIS_REPLY_INTEGER: return unsafe .integer(Int(reply.integer))
        case REDIS_REPLY_ARRAY:
            return .array(
                (0..<(unsafe reply.elements)).map { index in
                    unsafe reply.element[index].map { unsafe value(of: $0) } ?? .none
                }
            )
        default: return .none
        }
    }

    private static func bytes(of reply: redisReply) -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(start: reply.str, count: reply.len))
    }

    private static func error(of context: UnsafeMutablePointer<redisContext>) -> String {
        unsafe withUnsafeBytes(of: &context.pointee.errstr) {
            unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private static func text(of code: Int32) -> String {
        unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }
}

/// Calls the system's `send`, which the method `send` of the class hides.
private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
    let flags = Int32(MSG_DONTWAIT)
    #else
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    #endif
    return unsafe send(descriptor, bytes, count, flags)
}
