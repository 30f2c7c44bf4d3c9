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
    /// Reads the files again whenever one has changed, and after a SIGHUP, until the task is cancelled. New connections get
    /// what is in them then. When something is wrong, the log says what, and the former certificates stay in use.
    ///
    /// A SIGHUP that comes because the process's terminal is gone stops the server as a SIGTERM does.
    ///
    /// - Parameters:
    ///   - interval: how often to look: files are compared by what the system notes about them, which also finds
    ///     links that lead elsewhere.
    ///   - renewal: how often `renew` is called without a SIGHUP.
    ///   - renew: called after a SIGHUP, before the files are read, and once a day.
    ///   - check: called each time before the files are read: they aren't when it throws.
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
        // What changed since they were read counts too.
        var known = current.states
        var last = known
        while !Task.isCancelled {
            // A cancelled task is noticed by the loop.
            try? await Task.sleep(for: interval)
            let isAsked = hangUps.take()
            if !isAsked, !Task.isCancelled, renewed.duration(to: .now) >= renewal {
                renewed = .now
                do {
                    // The watch notices the files that it writes, and reads them.
                    try await Blocking.run { try renew() }
                } catch {
                    logger.error("\(error); the certificates in use stay")
                }
            }
            guard let states = try? await Blocking.run({ Self.states(of: files) }) else { return }
            defer { last = states }
            // Programs write one file after the other: nothing may have changed since the last look.
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

    /// Which files there are, and in which state.
    static func states(of files: [String]) -> [FileIdentity?] {
        files.map { file in
            var status = stat()
            return unsafe stat(file, &status) == 0 ? FileIdentity(status) : nil
        }
    }
}

/// The SIGHUPs that this process gets, once it counts them. Each value sees all of them.
package struct HangUps {
    nonisolated(unsafe) private static let handler: @convention(c) (Int32) -> Void = { _ in
        HangUps.count.add(1, ordering: .relaxed)
    }
    private static let count = Atomic<Int>(0)

    private let hadTerminal = hasTerminal
    private var taken: Int

    /// Counts from now on: a SIGHUP no longer ends the process.
    package init() {
        taken = Self.count.load(ordering: .relaxed)
        // nohup has it ignored, and that stays.
        let former = unsafe signal(SIGHUP, Self.handler)
        if unsafe unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
            signal(SIGHUP, SIG_IGN)
        }
    }

    /// Whether one has come since the last call.
    package mutating func take() -> Bool {
        let count = Self.count.load(ordering: .relaxed)
        guard count > taken else { return false }
        taken = count
        // Without its terminal, nobody could end the process there any more.
        if hadTerminal, !Self.hasTerminal { kill(getpid(), SIGTERM) }
        return true
    }

    private static var hasTerminal: Bool {
        let descriptor = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }
}
