/// A descriptor that a loop watches: a listener or a connection. It lives on one loop and is called only there.
class Channel {
    let socket: Socket
    /// The channel's index in the tables of its loop, while it is open.
    var slot: Int32 = 0
    let loop: EventLoop
    /// The events that the loop watches the descriptor for.
    private(set) var interest: Readiness = []
    private(set) var isOpen = true

    init(socket: Socket, loop: EventLoop) {
        self.socket = socket
        self.loop = loop
    }

    /// Called when the descriptor is ready for one of the watched events, or has hung up.
    func ready(_ readiness: Readiness) {}

    /// Called when the time set with `setDeadline` has come.
    func deadlineReached() {}

    /// Called when the server stops: finish the work in progress, accept nothing new, then close.
    func drain() {}

    /// Called when the server stops for good, regardless of unfinished work.
    func abort() { closeSocket() }

    /// Starts the watch.
    final func open(_ interest: Readiness) {
        loop.preconditionIsCurrent()
        self.interest = interest
        loop.register(self, interest)
    }

    /// Changes the watched events; costs a system call only if they differ.
    final func watch(_ interest: Readiness) {
        guard isOpen, interest != self.interest else { return }
        self.interest = interest
        loop.change(self, interest)
    }

    /// Sets the channel's only deadline, in milliseconds of the loop's clock; nil removes it.
    final func setDeadline(_ time: Int64?) {
        guard isOpen else { return }
        loop.setDeadline(self, time)
    }

    /// Ends the watch and closes the descriptor.
    final func closeSocket() {
        loop.preconditionIsCurrent()
        guard isOpen else { return }
        isOpen = false
        loop.deregister(self)
        socket.close()
    }
}

/// The events that a channel waits for, or that the system reports.
struct Readiness: OptionSet, Sendable {
    let rawValue: UInt8

    /// There are bytes to read, or connections to accept.
    static let readable = Readiness(rawValue: 1)
    /// There is room to write.
    static let writable = Readiness(rawValue: 2)
    /// The connection is broken, or closed in both directions. The system always reports this.
    static let hungUp = Readiness(rawValue: 4)
    /// The peer has sent its last byte; there may be bytes to read before it.
    static let ended = Readiness(rawValue: 8)
}

/// A channel, by its slot in the loop, and the events that it is ready for.
struct ReadySlot {
    let slot: Int32
    let readiness: Readiness
}

/// Buffers of a loop that its connections borrow while bytes are in flight, so that an idle connection has no buffer.
final class BufferPool {
    /// The size of a read buffer: the maximum number of bytes that one `recv` can return.
    static let readSize = 64 * 1024
    /// The largest output that is kept, in bytes.
    private static let keptCapacity = 256 * 1024
    private static let keptCount = 8

    // Each is removed and put back as a whole: changes in place would be checked at run time.
    /// One is enough: its borrower returns it before another connection reads.
    private var readBuffer: [UInt8] = []
    private var output: Output?
    /// The outputs of connections with slow clients.
    private var moreOutputs: [Output] = []

    /// A buffer of `readSize` bytes to receive into.
    func takeReadBuffer() -> [UInt8] {
        let buffer = readBuffer
        readBuffer = []
        return buffer.isEmpty ? [UInt8](repeating: 0, count: Self.readSize) : buffer
    }

    func giveBack(readBuffer buffer: consuming [UInt8]) {
        readBuffer = buffer
    }

    /// An empty output.
    func takeOutput() -> Output {
        guard let output else { return moreOutputs.popLast() ?? Output() }
        self.output = nil
        return output
    }

    func giveBack(_ output: Output) {
        guard output.isEmpty, output.bytes.capacity <= Self.keptCapacity else { return }
        if self.output == nil {
            self.output = output
        } else if moreOutputs.count < Self.keptCount {
            moreOutputs.append(output)
        }
    }
}
