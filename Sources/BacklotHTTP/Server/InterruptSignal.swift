#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// SIGINT: what a terminal sends for Ctrl-C.
enum InterruptSignal {
    /// Lets the next one end the process, as it does where nobody handles it.
    static func restoreDefault() {
        _ = signal(SIGINT, SIG_DFL)
    }
}
