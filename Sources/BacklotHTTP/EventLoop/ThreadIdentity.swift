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

/// SIGPIPE, which ends a program that sends to a peer that has gone, unless it is told not to.
enum BrokenPipes {
    /// Keeps the signal from the calling thread.
    ///
    /// Where a call can be told not to raise it, it is; Linux' `sendfile` can't. Other threads, and what the program has
    /// set for the signal, stay as they are.
    static func ignoreOnThisThread() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
