internal import Dispatch
internal import Logging
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Stops a server at the first SIGINT or SIGTERM, and makes sure that the process then ends, even if handlers hang. It runs on a
/// separate queue, since the threads that run tasks may all be blocked.
final class StopGuard: @unchecked Sendable {
    /// Signals within this time count as one: a terminal signals both a process and its group, and several supervisors
    /// may each send one.
    private static let burst = DispatchTimeInterval.milliseconds(500)

    /// Guards all properties below.
    private let queue = DispatchQueue(label: "backlot.stop")
    private let logger: Logger
    private var source: (any DispatchSourceRead)?
    private var timeouts = ServerConfiguration.Timeouts()
    private var stop: (@Sendable () -> Void)?
    private var isBurstOver = false
    /// The number of the clock started last: only that one may end the process.
    private var clock = 0

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Starts watching the signals.
    ///
    /// - Parameter stop: called once, at the first signal.
    func begin(_ timeouts: ServerConfiguration.Timeouts, stop: @escaping @Sendable () -> Void) {
        queue.sync {
            self.timeouts = timeouts
            self.stop = stop
            let source = DispatchSource.makeReadSource(fileDescriptor: StopSignals.descriptor, queue: queue)
            source.setEventHandler { [weak self] in self?.received() }
            source.activate()
            self.source = source
            StopSignals.catchAll()
        }
    }

    /// Restarts the clock for the next server that stops.
    func restart(_ timeouts: ServerConfiguration.Timeouts) {
        queue.async { self.startClock(timeouts) }
    }

    /// Stops watching: the process may continue without a server.
    func end() {
        queue.async { [self] in
            clock += 1
            source?.cancel()
            source = nil
            // After a first signal, the end of the burst does this.
            if stop != nil { StopSignals.restoreDefault() }
            stop = nil
        }
    }

    private func received() {
        StopSignals.takeAll()
        if isBurstOver { StopSignals.endProcess() }
        guard let stop else { return }
        self.stop = nil
        startClock(timeouts)
        queue.asyncAfter(deadline: .now() + Self.burst) { [self] in
            isBurstOver = true
            // From now on, the process can end without running code here.
            StopSignals.restoreDefault()
            if StopSignals.count.load(ordering: .relaxed) > 1 { StopSignals.endProcess() }
        }
        stop()
    }

    private func startClock(_ timeouts: ServerConfiguration.Timeouts) {
        clock += 1
        // Longer than a server needs if its own tasks still run.
        let bound = (timeouts.drainDelay + timeouts.drain).milliseconds + 3 * HungLoops.patience
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(bound))) { [self, clock] in
            if clock == self.clock { endProcess() }
        }
    }

    private func endProcess() {
        // Writing the log may hang too. It has five seconds, because the hanging code may use all processors.
        DispatchQueue(label: "backlot.end").asyncAfter(deadline: .now() + .seconds(5)) { _exit(1) }
        logger.error("the server could not stop, since something hangs: the process ends now")
        _exit(1)
    }
}

/// The signals that stop a server: SIGTERM, and SIGINT, which a terminal sends for Ctrl-C. This type counts them, and writes a
/// byte into a pipe for each.
///
/// Dispatch has sources for signals, but they lose signals that follow each other closely.
package enum StopSignals {
    private static let all = [SIGINT, SIGTERM]

    static let count = Atomic<Int>(0)
    /// The last signal.
    static let last = Atomic<Int32>(0)

    /// The number of signals since `catchAll`.
    package static var received: Int { count.load(ordering: .relaxed) }

    /// Delivers one byte for each signal. It stays open as long as the process runs.
    private static let ends: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { fatalError("there is no pipe for signals: \(SystemErrors.text(errno))") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }()

    /// The descriptor that becomes readable when a signal has come.
    package static var descriptor: Int32 { ends.reading }

    /// Counts the signals from now on; they no longer end the process.
    package static func catchAll() {
        // Opened here, since a signal handler must not open it.
        _ = ends
        count.store(0, ordering: .relaxed)
        for number in all {
            _ = signal(number) { number in
                let error = errno
                StopSignals.last.store(number, ordering: .relaxed)
                StopSignals.count.add(1, ordering: .relaxed)
                var byte: UInt8 = 0
                _ = unsafe write(StopSignals.ends.writing, &byte, 1)
                errno = error
            }
        }
    }

    /// Empties the pipe.
    package static func takeAll() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while unsafe read(ends.reading, &bytes, bytes.count) > 0 {}
    }

    /// Restores the system's default: the next signal ends the process.
    package static func restoreDefault() {
        for number in all { _ = signal(number, SIG_DFL) }
    }

    /// Ends the process in the way the last signal does by default.
    package static func endProcess() {
        restoreDefault()
        let number = last.load(ordering: .relaxed)
        // Dispatch blocks signals on its threads.
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        kill(getpid(), number)
    }
}
