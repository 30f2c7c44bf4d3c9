#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Standard error, for messages that are no result.
public enum StandardError {
    /// Whether a person sees it on a terminal.
    public static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a text and ends the line.
    public static func print(_ text: String) { write(text + "\n") }

    /// Writes a text without a line break after it. When the system refuses, the rest is lost.
    public static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
