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
