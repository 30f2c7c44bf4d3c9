#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Wakes a thread that waits for a limited time. A signal that comes before the thread waits isn't lost.
///
/// On Linux, the time limit of a `DispatchSemaphore` follows the wall clock: if the clock is set back by an hour, a wait of one
/// second takes an hour. This type uses a clock that never jumps.
@safe package final class ThreadSignal: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isGiven = false

    package init() {
        unsafe pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
        unsafe pthread_cond_init(condition, nil)
        #else
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Wakes the waiting thread, or the next one that waits.
    package func give() {
        unsafe pthread_mutex_lock(mutex)
        isGiven = true
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Blocks until the signal is given, and consumes it.
    ///
    /// - Returns: false when it wasn't given within `limit`.
    @discardableResult
    package func wait(atMost limit: Duration) -> Bool {
        let end = ContinuousClock.now + limit
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while !isGiven {
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero else { return false }
            wait(for: min(rest, .seconds(3600)))
        }
        isGiven = false
        return true
    }

    /// Waits once, with the mutex held; it may return early.
    private func wait(for rest: Duration) {
        let (seconds, attoseconds) = rest.components
        var time = timespec()
        #if canImport(Darwin)
        time.tv_sec = Int(seconds)
        time.tv_nsec = Int(attoseconds / 1_000_000_000)
        unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
        #else
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
        time.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
        unsafe pthread_cond_timedwait(condition, mutex, &time)
        #endif
    }
}
