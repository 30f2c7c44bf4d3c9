internal import Synchronization

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

    /// The last signal that was noted; 0 for none.
    static let noted = Atomic<Int32>(0)

    /// Notes the next ones, and does nothing else with them. Dispatch loses some that come close together.
    static func note() {
        for number in all { _ = signal(number) { StopSignals.noted.store($0, ordering: .relaxed) } }
    }

    /// Lets the next one end the process, as it does where nobody handles it.
    static func restoreDefault() {
        for number in all { _ = signal(number, SIG_DFL) }
    }

    /// Ends the process as a signal does. To be called after ``restoreDefault()``.
    static func endProcess(_ number: Int32) {
        // Dispatch blocks signals that it handles.
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        kill(getpid(), number)
    }
}
