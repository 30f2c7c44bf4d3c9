#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The signals that stop a server: SIGINT, which a terminal sends for Ctrl-C, and SIGTERM.
enum StopSignals {
    static let all = [SIGINT, SIGTERM]

    /// Lets the next one end the process, as it does where nobody handles it.
    static func restoreDefault() {
        for number in all { _ = signal(number, SIG_DFL) }
    }
}
