#if os(Linux)
internal import CLinux
internal import Glibc

/// Waits for many descriptors at once, by epoll, level-triggered.
@safe struct Poller {
    private let epoll: Int32
    private let wakeUp: Int32
    private static let noSlot: Int32 = -1

    /// The system's list of ready descriptors. It is separate from the poller because other threads use the poller to wake it.
    @safe struct Events {
        fileprivate var list = unsafe [epoll_event](repeating: epoll_event(), count: 256)
    }

    init() throws(SocketError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw SocketError(call: "epoll_create1", code: errno) }
        wakeUp = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard wakeUp >= 0 else {
            let code = errno
            Glibc.close(epoll)
            throw SocketError(call: "eventfd", code: code)
        }
        // Edge-triggered: each wake-up is reported once, and the counter never has to be read.
        control(EPOLL_CTL_ADD, wakeUp, slot: Self.noSlot, EPOLLIN.rawValue | EPOLLET.rawValue)
    }

    func close() {
        Glibc.close(wakeUp)
        Glibc.close(epoll)
    }

    /// Watches a descriptor. Its events are reported for `slot`.
    func add(_ descriptor: Int32, slot: Int32, _ interest: Readiness) {
        control(EPOLL_CTL_ADD, descriptor, slot: slot, Self.mask(interest))
    }

    func change(_ descriptor: Int32, slot: Int32, _ interest: Readiness) {
        control(EPOLL_CTL_MOD, descriptor, slot: slot, Self.mask(interest))
    }

    func remove(_ descriptor: Int32) {
        control(EPOLL_CTL_DEL, descriptor, slot: Self.noSlot, 0)
    }

    /// Makes the current or next `wait` return. May be called on any thread.
    func wake() {
        eventfd_write(wakeUp, 1)
    }

    /// Waits until a descriptor is ready, `wake` is called or the time is up. Appends the ready slots to `ready`, the first of
    /// them last.
    ///
    /// - Parameter timeout: milliseconds; negative waits forever.
    func wait(timeout: Int32, using events: inout Events, into ready: inout [ReadySlot]) {
        let count = unsafe epoll_wait(epoll, &events.list, Int32(events.list.count), timeout)
        guard count > 0 else { return }
        for index in (0..<Int(count)).reversed() {
            let event = unsafe events.list[index]
            let slot = unsafe event.data.fd
            guard slot != Self.noSlot else { continue }
            ready.append(ReadySlot(slot: slot, readiness: unsafe Self.readiness(event.events)))
        }
    }

    private func control(_ operation: Int32, _ descriptor: Int32, slot: Int32, _ mask: UInt32) {
        var event = unsafe epoll_event(events: mask, data: epoll_data_t(fd: slot))
        unsafe epoll_ctl(epoll, operation, descriptor, &event)
    }

    private static func mask(_ interest: Readiness) -> UInt32 {
        (interest.contains(.readable) ? EPOLLIN.rawValue | EPOLLRDHUP.rawValue : 0)
            | (interest.contains(.writable) ? EPOLLOUT.rawValue : 0)
            | (interest.contains(.ended) ? EPOLLRDHUP.rawValue : 0)
    }

    private static func readiness(_ mask: UInt32) -> Readiness {
        var readiness: Readiness = []
        if mask & EPOLLIN.rawValue != 0 { readiness.insert(.readable) }
        if mask & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
        if mask & EPOLLRDHUP.rawValue != 0 { readiness.insert(.ended) }
        if mask & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { readiness.insert(.hungUp) }
        return readiness
    }
}
#endif
