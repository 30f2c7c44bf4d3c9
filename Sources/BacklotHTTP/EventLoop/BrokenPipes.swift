#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

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
