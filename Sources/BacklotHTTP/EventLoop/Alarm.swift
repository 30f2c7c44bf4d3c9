#if os(Linux)
internal import CLinux
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Wakes a loop at a time, some microseconds late at most: a loop's own deadlines are milliseconds. It is a descriptor that
/// becomes readable.
final class Alarm: Channel, @unchecked Sendable {
    private let call: () -> Void
    /// When it rings, in nanoseconds of `LoopClock.nanoseconds`; `.max` for never.
    private var time = Int64.max

    /// - Parameter call: is called on the loop when the time has come.
    init(on loop: EventLoop, _ call: @escaping () -> Void) throws(SocketError) {
        self.call = call
        super.init(socket: try Self.timer(), loop: loop)
        open(.readable)
    }

    /// Sets when it rings, in nanoseconds of `LoopClock.nanoseconds`; a time that has passed is now. `.max` is never.
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

    /// Reads the number of times that it has rung.
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

    /// Takes the event out.
    private func quieten() {
        var event = unsafe kevent()
        var limit = timespec()
        _ = unsafe kevent(socket.descriptor, nil, 0, &event, 1, &limit)
    }
    #endif
}
