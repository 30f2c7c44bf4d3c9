#if canImport(Darwin)
internal import Darwin

/// Waits for many descriptors at once, by kqueue, level-triggered.
@safe struct Poller {
    private let queue: Int32

    /// The system's list of ready descriptors. It is separate from the poller because other threads use the poller to wake it.
    @safe struct Events {
        fileprivate var list = unsafe [kevent](repeating: kevent(), count: 256)
    }

    init() throws(SocketError) {
        queue = kqueue()
        guard queue >= 0 else { throw SocketError(call: "kqueue", code: errno) }
        control(0, EVFILT_USER, EV_ADD | EV_CLEAR)
    }

    func close() {
        Darwin.close(queue)
    }

    /// Watches a descriptor. Its events are reported for `slot`.
    func add(_ descriptor: Int32, slot: Int32, _ interest: Readiness) {
        change(descriptor, slot: slot, interest)
    }

    func change(_ descriptor: Int32, slot: Int32, _ interest: Readiness) {
        let isReading = interest.contains(.readable)
        // With a low-water mark that no number of bytes reaches, the system reports only the end.
        control(
            descriptor,
            EVFILT_READ,
            isReading || interest.contains(.ended) ? EV_ADD : EV_DELETE,
            isReading ? 0 : UInt32(NOTE_LOWAT),
            lowWater: Int(Int32.max),
            slot: slot
        )
        control(descriptor, EVFILT_WRITE, interest.contains(.writable) ? EV_ADD : EV_DELETE, slot: slot)
    }

    func remove(_ descriptor: Int32) {
        change(descriptor, slot: 0, [])
    }

    /// Makes the current or next `wait` return. May be called on any thread.
    func wake() {
        control(0, EVFILT_USER, 0, UInt32(NOTE_TRIGGER))
    }

    /// Waits until a descriptor is ready, `wake` is called or the time is up. Appends the ready slots to `ready`, the first of
    /// them last.
    ///
    /// - Parameter timeout: milliseconds; negative waits forever.
    func wait(timeout: Int32, using events: inout Events, into ready: inout [ReadySlot]) {
        var limit = timespec(tv_sec: Int(timeout / 1000), tv_nsec: Int(timeout % 1000) * 1_000_000)
        let count =
            timeout < 0
            ? unsafe kevent(queue, nil, 0, &events.list, Int32(events.list.count), nil)
            : unsafe kevent(queue, nil, 0, &events.list, Int32(events.list.count), &limit)
        guard count > 0 else { return }
        for index in (0..<Int(count)).reversed() {
            let event = unsafe events.list[index]
            guard unsafe Int32(event.filter) != EVFILT_USER else { continue }
            let isReading = unsafe Int32(event.filter) == EVFILT_READ
            var readiness: Readiness = isReading ? .readable : .writable
            // The end of the writing side means that the peer has gone.
            if unsafe Int32(event.flags) & EV_EOF != 0 { readiness.insert(isReading ? .ended : .hungUp) }
            ready.append(
                ReadySlot(slot: Int32(truncatingIfNeeded: unsafe Int(bitPattern: event.udata)), readiness: readiness)
            )
        }
    }

    private func control(
        _ identifier: Int32,
        _ filter: Int32,
        _ flags: Int32,
        _ filterFlags: UInt32 = 0,
        lowWater: Int = 0,
        slot: Int32 = 0
    ) {
        var event = unsafe kevent(
            ident: UInt(identifier),
            filter: Int16(filter),
            flags: UInt16(flags),
            fflags: filterFlags,
            data: lowWater,
            udata: UnsafeMutableRawPointer(bitPattern: Int(slot))
        )
        _ = unsafe kevent(queue, &event, 1, nil, 0, nil)
    }
}
#endif
