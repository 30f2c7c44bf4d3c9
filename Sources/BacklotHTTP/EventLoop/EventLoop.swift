internal import Dispatch
internal import Synchronization

/// A thread that waits for many sockets at once and runs what belongs to them.
///
/// One loop per core, each a long-running block on a Dispatch queue of its own. A channel belongs to one loop for life.
/// The loop is a `TaskExecutor`: a handler that is started with it as its preference also resumes on it, so that no
/// request pays a thread hop. Everything but `execute`, `enqueue` and `isCurrent` is for the loop's own thread.
final class EventLoop: TaskExecutor, @unchecked Sendable {
    private let queue: DispatchQueue
    private let inbox = Locked(Inbox())
    private let poller: Poller
    /// The loop's thread, as a number; 0 while it has none.
    private let thread = Atomic<UInt>(0)
    /// How many of a server's connections it has.
    let connections = Atomic<Int>(0)

    /// The requests of each network whose handlers have suspended, by their weights.
    let heldRequests = NetworkCounts()

    // Neither needs the checks that the language makes while a program runs: no step of them calls anything of the loop.
    @exclusivity(unchecked) private var time = LoopClock()
    @exclusivity(unchecked) private var deadlines = Deadlines()

    var clock: LoopClock {
        @inline(__always) _read { yield unsafe time }
    }
    /// How often the loop has gone round: what belongs to one round is known by its number.
    private(set) var round = 0
    /// Buffers that connections borrow while bytes are in flight.
    let buffers = BufferPool()
    /// How many bytes its connections have received, and sent, so far.
    var bytesReceived = 0
    var bytesSent = 0
    /// How many bytes of files the connection whose turn it is may still send. Here, since each has its turn alone:
    /// idle connections need no room for it.
    var fileRoom = 0
    /// When its connections were last looked through for what can be given up, in milliseconds of its clock.
    var lastShedding: Int64 = 0
    /// Its connections that have sent their last byte and wait for their clients to close, oldest first.
    ///
    /// Bytes that such a client still sends are read and dropped: to close without reading them would send a reset, and the
    /// client could lose the response (RFC 9112, section 9.6).
    var lingering: [Channel] = []
    /// Connections to other servers that can be used again.
    let clients = ClientPool()
    /// Producers that wait until others have had their turn.
    private var turns = Fairness()
    private var areTurnsDue = false
    /// The open channels, each in its slot: a dense table, unlike one by descriptors, which all loops share.
    private var channels: [Channel?] = []
    private var channelCount = 0
    private var freeSlots: [Int32] = []
    /// Slots whose channels have closed in this round: something may still be said of them.
    private var closedSlots: [Int32] = []
    private var work: [Inbox.Work] = []
    private var isStopping = false
    private var whenEmpty: (() -> Void)?

    init(name: String) throws(SocketError) {
        SystemAllocator.hasFewArenas
        poller = try Poller()
        queue = DispatchQueue(label: name)
    }

    deinit {
        poller.close()
    }

    // MARK: From any thread

    /// Whether the caller is on the loop's thread.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == ThreadIdentity.current.value }

    /// Stops the program when the caller is not on the loop's thread: state of the loop would be torn.
    func preconditionIsCurrent() {
        precondition(isCurrent, "state of an event loop was touched from another thread")
    }

    /// Runs `call` on the loop: at once when the caller is on it, else as soon as the loop comes to it.
    func execute(_ call: @escaping @Sendable () -> Void) {
        if isCurrent { call() } else { hand(.call(call)) }
    }

    /// Runs `call` in the next round of the loop, wherever the caller is.
    func executeLater(_ call: @escaping @Sendable () -> Void) {
        if isCurrent { later(call) } else { hand(.call(call)) }
    }

    /// Runs `call` in the next round of the loop, after the sockets that are ready by then. Called on the loop.
    func later(_ call: @escaping @Sendable () -> Void) {
        preconditionIsCurrent()
        work.append(.call(call))
    }

    /// Runs `call` in one of the next rounds, once others have had their turn. Called on the loop.
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

    /// Starts the loop's thread and returns when it runs.
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

    /// Lets the loop end. What it is handed later still runs, one piece after the other, on a thread of its queue:
    /// handlers that were cut off have things to put back.
    func stop() {
        execute { self.isStopping = true }
    }

    private func run() {
        // Here, and not in the loop: each look at a variable of a class is checked at run time.
        var events = Poller.Events()
        var ready: [ReadySlot] = []
        var running: [Inbox.Work] = []
        while true {
            round += 1
            runWork(&running)
            // Now, and not before the next wait: nothing might ever end that.
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

    /// Runs what waits now; what that adds waits for the next round, so that sockets get their turn.
    ///
    /// - Parameter running: an empty array, whose memory is used again.
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

    /// Lets every channel finish what it was doing, and calls `whenEmpty` when all have closed.
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

/// Work that any thread hands to a loop, and the loop takes all at once.
struct Inbox {
    /// Something to run on the loop.
    enum Work {
        /// A piece of a task, from the concurrency runtime.
        case job(UnownedJob)
        /// A call from another part of the server.
        case call(@Sendable () -> Void)
    }

    private var work: [Work] = []
    /// Whether the loop has ended, and no longer takes the work by itself.
    var hasLoopEnded = false

    /// Adds work at the end.
    ///
    /// - Returns: whether the loop has to be woken: only the first piece since `takeAll` needs that.
    mutating func add(_ piece: Work) -> Bool {
        work.append(piece)
        return work.count == 1
    }

    /// Exchanges the waiting work for `empty`, whose memory is used again.
    mutating func takeAll(into empty: inout [Work]) {
        swap(&work, &empty)
    }
}
