internal import Backlot

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Standard output, for results.
public enum StandardOutput {
    /// Whether a person sees it on a terminal.
    public static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes a line, immediately even into a pipe.
    static func print(_ line: String) {
        Swift.print(line)
        fflush(nil)
    }
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
