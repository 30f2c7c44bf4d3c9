internal import Dispatch
public import Logging
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension TLSCertificates {
    /// Reads the files again whenever one has changed, and after a SIGHUP, until the task is cancelled. New connections then use
    /// the new contents. If there is an error, the log has the reason, and the former certificates stay in use.
    ///
    /// A SIGHUP that comes because the process has lost its terminal stops the server like a SIGTERM.
    ///
    /// - Parameters:
    ///   - interval: the time between checks. A check compares the files' metadata, which also finds links with another target.
    ///   - renewal: the time between calls of `renew` without a SIGHUP.
    ///   - renew: called after a SIGHUP, before the files are read, and once a day.
    ///   - check: called each time before the files are read. If it throws, they aren't read.
    public func watch(
        every interval: Duration = .seconds(1),
        logger: Logger,
        renewal: Duration = .seconds(86_400),
        renew: @escaping @Sendable () throws -> Void = {},
        check: @escaping @Sendable () throws -> Void = {}
    ) async {
        var hangUps = HangUps()
        var renewed = ContinuousClock.now
        let files = files
        // Changes between the first reading and now count too.
        var known = current.states
        var last = known
        while !Task.isCancelled {
            // The loop notices a cancelled task.
            try? await Task.sleep(for: interval)
            let isAsked = hangUps.take()
            if !isAsked, !Task.isCancelled, renewed.duration(to: .now) >= renewal {
                renewed = .now
                do {
                    // The watch notices the files that `renew` writes, and reads them.
                    try await Blocking.run { try renew() }
                } catch {
                    logger.error("\(error); the certificates in use stay")
                }
            }
            guard let states = try? await Blocking.run({ Self.states(of: files) }) else { return }
            defer { last = states }
            // Programs write one file after the other: wait until nothing has changed since the last check.
            guard !Task.isCancelled, isAsked || states != known && states == last else { continue }
            known = states
            do {
                try await Blocking.run { [self] in
                    if isAsked { try renew() }
                    try check()
                    try reload()
                }
                logger.notice("the certificates were read again, for new connections: \(files.joined(separator: ", "))")
                known = current.states
            } catch {
                logger.error("\(error); the former certificates stay in use")
            }
        }
    }

    /// The files that exist, and their states.
    static func states(of files: [String]) -> [FileIdentity?] {
        files.map { file in
            var status = stat()
            return unsafe stat(file, &status) == 0 ? FileIdentity(status) : nil
        }
    }
}

/// The SIGHUPs that this process gets, once it counts them. Each value of this type sees all of them.
package struct HangUps {
    nonisolated(unsafe) private static let handler: @convention(c) (Int32) -> Void = { _ in
        let former = errno
        HangUps.count.add(1, ordering: .relaxed)
        // A signal may come anywhere: a system call is all that it may do.
        unsafe write(HangUps.alarm, "!", 1)
        errno = former
    }
    private static let count = Atomic<Int>(0)
    /// The end of a pipe that wakes those who wait.
    private static let alarm: Int32 = {
        var ends: [Int32] = [-1, -1]
        _ = unsafe pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: ends[0])
        // The source lives as long as its handler, which has it.
        source.setEventHandler { wake(source.handle) }
        source.resume()
        return ends[1]
    }()
    private static let waiting = Locked<[ObjectIdentifier: CheckedContinuation<Void, Never>]>([:])

    private let hadTerminal = hasTerminal
    private var taken: Int

    /// Counts from now on: a SIGHUP no longer ends the process.
    package init() {
        taken = Self.count.load(ordering: .relaxed)
        // nohup ignores the signal, and that doesn't change.
        let former = unsafe signal(SIGHUP, Self.handler)
        if unsafe unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
            signal(SIGHUP, SIG_IGN)
        }
    }

    /// Whether a SIGHUP has come since the last call.
    package mutating func take() -> Bool {
        let count = Self.count.load(ordering: .relaxed)
        guard count > taken else { return false }
        taken = count
        // Once its terminal has closed, nobody could end the process from there.
        if hadTerminal, !Self.hasTerminal { kill(getpid(), SIGTERM) }
        return true
    }

    /// Returns when one has come since the last `take`, or the task is cancelled. Nothing runs until then.
    package func wait() async {
        let key = Key()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Self.waiting.withLock { $0[ObjectIdentifier(key)] = continuation }
                // Either may have happened before.
                if Self.count.load(ordering: .relaxed) > taken || Task.isCancelled { Self.resume(key) }
            }
        } onCancel: {
            Self.resume(key)
        }
    }

    private final class Key: Sendable {}

    /// Empties the pipe, and resumes all.
    private static func wake(_ descriptor: UInt) {
        var bytes: [UInt8] = [0, 0, 0, 0]
        while unsafe read(Int32(descriptor), &bytes, bytes.count) > 0 {}
        let all = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting
        }
        for continuation in all.values { continuation.resume() }
    }

    private static func resume(_ key: Key) {
        waiting.withLock { $0.removeValue(forKey: ObjectIdentifier(key)) }?.resume()
    }

    private static var hasTerminal: Bool {
        let descriptor = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }
}
