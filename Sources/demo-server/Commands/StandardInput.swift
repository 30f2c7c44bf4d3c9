#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Standard input, as a whole.
enum StandardInput {
    /// The system refuses to read it.
    struct ReadFailure: Error {}

    /// Reads to its end.
    static func readToEnd() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            var failed = false
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                let result = unsafe read(STDIN_FILENO, buffer.baseAddress, buffer.count)
                failed = result < 0
                count = max(result, 0)
            }
            if failed { throw ReadFailure() }
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }
}
