import Logging

@testable import Backlot

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a `LogOutput` writes, through a pipe.
final class LoggedLines: Sendable {
    let output: LogOutput
    private let reading: Int32
    private let writing: Int32

    init(limit: Int = 1024 * 1024, isTerminal: Bool = false) {
        var ends: [Int32] = [0, 0]
        precondition(unsafe pipe(&ends) == 0)
        (reading, writing) = (ends[0], ends[1])
        output = LogOutput(descriptor: writing, limit: limit, isTerminal: isTerminal)
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// All that was written, once it is; at most what a pipe holds.
    var text: String {
        output.flush()
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(reading, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
