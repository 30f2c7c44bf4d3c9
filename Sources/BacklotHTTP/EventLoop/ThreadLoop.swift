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

    /// The event loop that runs on the calling thread; nil on other threads.
    static var current: EventLoop? {
        // Unretained, because the loop sets itself here, and removes itself before it ends.
        unsafe pthread_getspecific(key).map { unsafe Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Sets the event loop of the calling thread.
    static func set(_ loop: EventLoop?) {
        unsafe pthread_setspecific(key, loop.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    }
}

/// Handles SIGPIPE. By default, this signal ends a program that sends to a closed connection.
enum BrokenPipes {
    /// Blocks the signal for the calling thread.
    ///
    /// Only `sendfile` on Linux needs this: other calls have a flag that prevents the signal. Other threads and the program's
    /// signal handler aren't affected.
    static func ignoreOnThisThread() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

/// Starts tasks that don't respond to requests.
package enum LoopTask {
    /// Starts a task. On an event loop, it runs there at once until it suspends; elsewhere it starts like any task.
    package static func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task.immediate(executorPreference: ThreadLoop.current) { await operation() }
    }
}
