internal import Backlot

#if canImport(Glibc)
@unsafe @preconcurrency import Glibc
#elseif canImport(Musl)
@unsafe @preconcurrency import Musl
#else
@unsafe @preconcurrency import Darwin
#endif

/// Standard output, for results.
public enum StandardOutput {
    /// Whether a person sees it on a terminal.
    public static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes a line for a person, immediately even into a pipe. If the system refuses, it is lost.
    static func print(_ line: String) {
        Swift.print(line)
        unsafe fflush(stdout)
        unsafe clearerr(stdout)
    }

    /// Keeps the program running if the reader of a pipe ends.
    static func outliveReaders() { _ = signal(SIGPIPE, SIG_IGN) }

    /// Writes what is still in the buffer.
    ///
    /// - Returns: whether all results were written; the lines for a person don't count.
    static func flush() -> Bool { unsafe fflush(stdout) == 0 && ferror(stdout) == 0 }
}

/// Standard error, for messages other than results.
public enum StandardError {
    /// Whether a person sees it on a terminal.
    public static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a text and ends the line.
    public static func print(_ text: String) { write(text + "\n") }

    /// Writes a text without a line break. If the system refuses, the rest is lost.
    public static func write(_ text: String) {
        _ = Descriptor.write(Array(text.utf8), to: STDERR_FILENO)
    }
}
