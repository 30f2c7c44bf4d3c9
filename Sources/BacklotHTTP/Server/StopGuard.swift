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

/// Sees to it that the process ends after SIGINT or SIGTERM, whatever hangs: on a queue of its own, since the threads that run
/// tasks may all be blocked.
final class StopGuard: @unchecked Sendable {
    /// Signals that come together are often one: a process and its group get one each, several that watch it send one each.
    /// A server that is done before isn't hurt by the second.
    private static let burst = DispatchTimeInterval.milliseconds(500)

    /// All below belongs to it.
    private let queue = DispatchQueue(label: "backlot.stop")
    private let logger: Logger
    private var sources: [any DispatchSourceSignal] = []
    private var timeouts = ServerConfiguration.Timeouts()
    private var hasReceived = false
    private var isBurstOver = false
    private let isStopping = Atomic(false)
    /// Counts the clocks that were started: only the last one ends the process.
    private var clock = 0

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Watches the signals from now on. To be called once somebody else stops the server at one.
    func begin(_ timeouts: ServerConfiguration.Timeouts) {
        queue.async { [self] in
            self.timeouts = timeouts
            StopSignals.noted.store(0, ordering: .relaxed)
            sources = StopSignals.all.map { number in
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { [weak self] in self?.received(number, times: source.data) }
                source.activate()
                return source
            }
        }
    }

    /// Gives the next server as much time as the one before had, from now on.
    func restart(_ timeouts: ServerConfiguration.Timeouts) {
        queue.async { self.startClock(timeouts) }
    }

    /// Lets the process go on.
    func end() {
        queue.async { [self] in
            clock += 1
            for source in sources { source.cancel() }
            sources = []
        }
    }

    /// The server begins to stop: the next signal is the second.
    func stopping() {
        guard !isStopping.exchange(true, ordering: .relaxed) else { return }
        StopSignals.note()
        queue.async { self.startClock(self.timeouts) }
        queue.asyncAfter(deadline: .now() + Self.burst) { [self] in
            isBurstOver = true
            // From here on nothing needs to run to end the process.
            StopSignals.restoreDefault()
            let noted = StopSignals.noted.load(ordering: .relaxed)
            if noted != 0 { StopSignals.endProcess(noted) }
        }
    }

    private func received(_ number: Int32, times: UInt) {
        if hasReceived || times > 1 { StopSignals.noted.store(number, ordering: .relaxed) }
        hasReceived = true
        stopping()
        if isBurstOver { StopSignals.endProcess(number) }
    }

    private func startClock(_ timeouts: ServerConfiguration.Timeouts) {
        clock += 1
        // Longer than a server takes whose own tasks still run.
        let bound = timeouts.drainDelay + timeouts.drain + 3 * HungLoops.patience
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(bound))) { [self, clock] in
            if clock == self.clock { endProcess() }
        }
    }

    private func endProcess() {
        // Whoever reads the log may hang too.
        DispatchQueue(label: "backlot.end").asyncAfter(deadline: .now() + .seconds(1)) { _exit(1) }
        logger.error("the server could not stop, since something hangs: the process ends now")
        _exit(1)
    }
}
