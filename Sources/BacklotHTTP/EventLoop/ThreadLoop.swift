#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Which thread something runs on.
struct ThreadIdentity: Equatable, Sendable {
    /// A number that no other thread has, and that is not 0.
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

/// The event loop that has a thread.
enum ThreadLoop {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    /// The loop of the calling thread; nil where it has none.
    static var current: EventLoop? {
        // The loop sets it, and takes it back before it ends.
        unsafe pthread_getspecific(key).map { unsafe Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Notes the loop of the calling thread.
    static func set(_ loop: EventLoop?) {
        unsafe pthread_setspecific(key, loop.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    }
}

/// SIGPIPE, which by default ends a program that sends to a peer that has gone.
enum BrokenPipes {
    /// Keeps the signal from the calling thread.
    ///
    /// Other calls have a flag against it; Linux' `sendfile` doesn't. Other threads, and the program's own handling of
    /// the signal, don't change.
    static func ignoreOnThisThread() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

/// Tasks beside the one that answers a request.
package enum LoopTask {
    /// Starts a task on the caller's event loop, where it runs at once until it suspends; elsewhere as any task.
    package static func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task.immediate(executorPreference: ThreadLoop.current) { await operation() }
    }
}
