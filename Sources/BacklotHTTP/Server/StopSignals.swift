internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The signals that stop a server: SIGTERM, and SIGINT, which a terminal sends for Ctrl-C. They are counted, and each
/// puts a byte into a pipe.
///
/// Dispatch has sources for signals, but they lose signals that come close together.
package enum StopSignals {
    private static let all = [SIGINT, SIGTERM]

    static let count = Atomic<Int>(0)
    /// The last signal.
    static let last = Atomic<Int32>(0)

    /// How many have come since `catchAll`.
    package static var received: Int { count.load(ordering: .relaxed) }

    /// Delivers one byte for each signal. It stays open as long as the process lives.
    private static let pipe: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard Self.open(&ends) else { fatalError("there is no pipe for signals: \(SystemErrors.text(errno))") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }()

    private static func open(_ ends: inout [Int32]) -> Bool {
        #if canImport(Glibc)
        unsafe Glibc.pipe(&ends) == 0
        #elseif canImport(Musl)
        unsafe Musl.pipe(&ends) == 0
        #else
        unsafe Darwin.pipe(&ends) == 0
        #endif
    }

    /// The descriptor that becomes readable when a signal has come.
    package static var descriptor: Int32 { pipe.reading }

    /// Counts the signals from now on; they no longer end the process.
    package static func catchAll() {
        // Opened here, since a signal handler must not open it.
        _ = pipe
        count.store(0, ordering: .relaxed)
        for number in all {
            _ = signal(number) { number in
                let error = errno
                StopSignals.last.store(number, ordering: .relaxed)
                StopSignals.count.add(1, ordering: .relaxed)
                var byte: UInt8 = 0
                _ = unsafe write(StopSignals.pipe.writing, &byte, 1)
                errno = error
            }
        }
    }

    /// Empties the pipe.
    package static func takeAll() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while unsafe read(pipe.reading, &bytes, bytes.count) > 0 {}
    }

    /// Restores the system's default: the next signal ends the process.
    package static func restoreDefault() {
        for number in all { _ = signal(number, SIG_DFL) }
    }

    /// Ends the process in the way the last signal does by default.
    package static func endProcess() {
        restoreDefault()
        let number = last.load(ordering: .relaxed)
        // Dispatch blocks signals on its threads.
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        kill(getpid(), number)
    }
}
