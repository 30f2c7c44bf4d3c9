#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Identifies a thread.
struct ThreadIdentity: Equatable, Sendable {
    /// A number unique to the thread, and never 0.
    let value: UInt

    /// The caller's thread.
    static var current: ThreadIdentity {
        #if canImport(Darwin)
        ThreadIdentity(value: unsafe UInt(bitPattern: pthread_self()))
        #else
        ThreadIdentity(value: UInt(pthread_self()))
        #endif
    }
}

/// The event loop of a thread.
enum ThreadLoop {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    /// The loop of the calling thread; nil without one.
    static var current: EventLoop? {
        // The loop sets it, and removes it before it ends.
        unsafe pthread_getspecific(key).map { unsafe Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Stores the loop of the calling thread.
    static func set(_ loop: EventLoop?) {
        unsafe pthread_setspecific(key, loop.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    }
}

/// SIGPIPE, which by default ends a program when it sends to a peer that has gone.
enum BrokenPipes {
    /// Blocks the signal for the calling thread.
    ///
    /// Other calls have a flag that prevents the signal; `sendfile` on Linux doesn't. Other threads, and the program's own
    /// handling of the signal, don't change.
    static func ignoreOnThisThread() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

/// Tasks other than those that respond to requests.
package enum LoopTask {
    /// Starts a task. On an event loop, it runs there at once until it suspends; elsewhere it starts like any task.
    package static func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task.immediate(executorPreference: ThreadLoop.current) { await operation() }
    }
}
