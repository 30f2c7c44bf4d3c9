internal import Dispatch
internal import Synchronization

/// A thread that waits for many sockets at once and runs the work that belongs to them.
///
/// Each core has one loop: a long-running block on a separate Dispatch queue. A channel stays on one loop for life. The loop is a
/// `TaskExecutor`: a handler started with it as its preference also resumes on it, so that requests need no thread hops.
/// Everything except `execute`, `enqueue` and `isCurrent` is for the loop's own thread.
final class EventLoop: TaskExecutor, @unchecked Sendable {
    private let queue: DispatchQueue
    private let inbox = Locked(Inbox())
    private let poller: Poller
    /// The loop's thread, as a number; 0 before it has one.
    private let thread = Atomic<UInt>(0)
    /// The number of a server's connections on this loop.
    let connections = Atomic<Int>(0)

    /// The requests with suspended handlers, weighted and counted for each network.
    let heldRequests = NetworkCounts()

    // Neither needs Swift's exclusivity checks at run time: their methods never call back into the loop.
    @exclusivity(unchecked) private var time = LoopClock()
    @exclusivity(unchecked) private var deadlines = Deadlines()

    var clock: LoopClock {
        @inline(__always) _read { yield unsafe time }
    }
    /// The number of the loop's rounds so far: work of one round is recognized by it.
    private(set) var round = 0
    /// Buffers that connections borrow while bytes are in flight.
    let buffers = BufferPool()
    /// The number of bytes that its connections have received and sent so far.
    var bytesReceived = 0
    var bytesSent = 0
    /// The number of file bytes that the current connection may still send. It is here because connections take turns, and idle
    /// ones then need no memory for it.
    var fileRoom = 0
    /// The time when its connections were last searched for memory to free, in milliseconds of its clock.
    var lastShedding: Int64 = 0
    /// Its connections that have sent their last byte and wait for their clients to close, oldest first.
    ///
    /// The server reads and drops further bytes of such a client. Closing without reading them would send a reset, and the client
    /// could lose the response (RFC 9112, section 9.6).
    var lingering: [Channel] = []
    /// Connections to other servers that can be reused.
    let clients = ClientPool()
    /// Producers that wait until others have had their turn.
    private var turns = Fairness()
    private var areTurnsDue = false
    /// The open channels, each in its slot. The table is dense, unlike one indexed by descriptors, which all loops share.
    private var channels: [Channel?] = []
    private var channelCount = 0
    private var freeSlots: [Int32] = []
    /// The slots of channels that have closed in this round: more events may still be reported for them.
    private var closedSlots: [Int32] = []
    private var work: [Inbox.Work] = []
    private var isStopping = false
    private var whenEmpty: (() -> Void)?

    init(name: String) throws(SocketError) {
        SystemAllocator.isFrugal
        poller = try Poller()
        queue = DispatchQueue(label: name)
    }

    deinit {
        poller.close()
    }

    // MARK: From any thread

    /// Whether the caller is on the loop's thread.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == ThreadIdentity.current.value }

    /// Stops the program when the caller is not on the loop's thread: the loop's state could be corrupted.
    func preconditionIsCurrent() {
        precondition(isCurrent, "state of an event loop was touched from another thread")
    }

    /// Runs `call` on the loop: at once if the caller is on it, otherwise in one of its next rounds.
    func execute(_ call: @escaping @Sendable () -> Void) {
        if isCurrent { call() } else { hand(.call(call)) }
    }

    /// Runs `call` in the next round of the loop, even if the caller is on it.
    func executeLater(_ call: @escaping @Sendable () -> Void) {
        if isCurrent { later(call) } else { hand(.call(call)) }
    }

    /// Runs `call` in the next round of the loop, after the sockets that are ready by then. Must be called on the loop.
    func later(_ call: @escaping @Sendable () -> Void) {
        preconditionIsCurrent()
        work.append(.call(call))
    }

    /// Runs `call` in one of the next rounds, once others have had their turn. Must be called on the loop.
    func inTurn(_ call: @escaping () -> Void) {
        turns.append(call)
        giveTurnsLater()
    }

    private func giveTurnsLater() {
        guard !areTurnsDue, !turns.isEmpty else { return }
        areTurnsDue = true
        later {
            self.areTurnsDue = false
            for call in self.turns.next() { call() }
            self.giveTurnsLater()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent { work.append(.job(job)) } else { hand(.job(job)) }
    }

    private func hand(_ piece: Inbox.Work) {
        let (isFirst, hasEnded) = inbox.withLock { ($0.add(piece), $0.hasLoopEnded) }
        guard isFirst else { return }
        if hasEnded { queue.async { self.runRest() } } else { poller.wake() }
    }

    // MARK: Life

    /// Starts the loop's thread, and returns when the thread runs.
    func start() {
        let started = DispatchSemaphore(value: 0)
        queue.async {
            self.thread.store(ThreadIdentity.current.value, ordering: .relaxed)
            ThreadLoop.set(self)
            BrokenPipes.ignoreOnThisThread()
            started.signal()
            self.run()
        }
        started.wait()
    }

    /// Ends the loop. Later work still runs, one piece after the other, on a thread of its queue: interrupted handlers have
    /// resources to return.
    func stop() {
        execute { self.isStopping = true }
    }

    private func run() {
        // Local variables: each access to a variable of a class is checked at run time.
        var events = Poller.Events()
        var ready: [ReadySlot] = []
        var running: [Inbox.Work] = []
        while true {
            round += 1
            runWork(&running)
            // Checked now, and not before the next wait, which might never end.
            if isStopping { break }
            unsafe time.endWork()
            let limit = unsafe work.isEmpty ? deadlines.sleep(at: clock.now) : 0
            poller.wait(timeout: limit, using: &events, into: &ready)
            unsafe time.endWait(of: limit)
            while let event = ready.popLast() { channels[Int(event.slot)]?.ready(event.readiness) }
            if unsafe deadlines.mayHaveExpired(at: clock.now) { endDeadlines() }
            if !closedSlots.isEmpty { reuseSlots() }
        }
        ThreadLoop.set(nil)
        inbox.withLock { $0.hasLoopEnded = true }
        runRest()
    }

    private func endDeadlines() {
        for slot in unsafe deadlines.takeExpired(at: clock.now) { channels[Int(slot)]?.deadlineReached() }
    }

    private func runRest() {
        thread.store(ThreadIdentity.current.value, ordering: .relaxed)
        var running: [Inbox.Work] = []
        repeat { runWork(&running) } while !work.isEmpty
        thread.store(0, ordering: .relaxed)
    }

    /// Runs the waiting work. Work that it adds waits for the next round, so that sockets get their turn.
    ///
    /// - Parameter running: an empty array. Its memory is reused.
    private func runWork(_ running: inout [Inbox.Work]) {
        swap(&work, &running)
        runAndEmpty(&running)
        inbox.withLock { $0.takeAll(into: &running) }
        runAndEmpty(&running)
    }

    private func runAndEmpty(_ running: inout [Inbox.Work]) {
        guard !running.isEmpty else { return }
        for piece in running {
            switch piece {
            case .job(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            case .call(let call): call()
            }
        }
        running.removeAll(keepingCapacity: true)
    }

    // MARK: Channels

    /// Lets every channel finish its work, and calls `whenEmpty` when all have closed.
    func drain(_ whenEmpty: @escaping () -> Void) {
        self.whenEmpty = whenEmpty
        clients.close()
        for channel in openChannels { channel.drain() }
        if channelCount == 0 { takeWhenEmpty()?() }
    }

    private func takeWhenEmpty() -> (() -> Void)? {
        defer { whenEmpty = nil }
        return whenEmpty
    }

    /// The channels that are open now.
    var openChannels: [Channel] { channels.compactMap { $0 } }

    func register(_ channel: Channel, _ interest: Readiness) {
        let slot = freeSlots.popLast() ?? Int32(channels.count)
        channel.slot = slot
        if Int(slot) == channels.count { channels.append(channel) } else { channels[Int(slot)] = channel }
        channelCount += 1
        poller.add(channel.socket.descriptor, slot: slot, interest)
    }

    private func reuseSlots() {
        freeSlots.append(contentsOf: closedSlots)
        closedSlots.removeAll(keepingCapacity: true)
    }

    func change(_ channel: Channel, _ interest: Readiness) {
        poller.change(channel.socket.descriptor, slot: channel.slot, interest)
    }

    func deregister(_ channel: Channel) {
        unsafe deadlines.set(channel.slot, nil)
        channels[Int(channel.slot)] = nil
        closedSlots.append(channel.slot)
        channelCount -= 1
        poller.remove(channel.socket.descriptor)
        if channelCount == 0 { takeWhenEmpty()?() }
    }

    func setDeadline(_ channel: Channel, _ time: Int64?) {
        unsafe deadlines.set(channel.slot, time)
    }
}

/// Work that any thread hands to a loop. The loop takes all of it at once.
struct Inbox {
    /// A piece of work to run on the loop.
    enum Work {
        /// A piece of a task, from the concurrency runtime.
        case job(UnownedJob)
        /// A call from another part of the server.
        case call(@Sendable () -> Void)
    }

    private var work: [Work] = []
    /// Whether the loop has ended, and no longer takes work itself.
    var hasLoopEnded = false

    /// Adds work at the end.
    ///
    /// - Returns: whether the loop must be woken: only the first piece since `takeAll` needs that.
    mutating func add(_ piece: Work) -> Bool {
        work.append(piece)
        return work.count == 1
    }

    /// Exchanges the waiting work for `empty`, reusing its memory.
    mutating func takeAll(into empty: inout [Work]) {
        swap(&work, &empty)
    }
}
