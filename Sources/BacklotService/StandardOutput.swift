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

    /// Writes a line, at once even into a pipe.
    static func print(_ line: String) {
        Swift.print(line)
        fflush(nil)
    }
}

/// Standard error, for messages that are no result.
public enum StandardError {
    /// Whether a person sees it on a terminal.
    public static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a text and ends the line.
    public static func print(_ text: String) { write(text + "\n") }

    /// Writes a text without a line break after it. When the system refuses, the rest is lost.
    public static func write(_ text: String) {
        _ = Descriptor.write(Array(text.utf8), to: STDERR_FILENO)
    }
}
