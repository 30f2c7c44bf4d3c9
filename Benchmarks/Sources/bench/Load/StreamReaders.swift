import Foundation
import Synchronization

/// Clients that ask for a streamed answer again and again and take it as fast as it comes, each on its own thread, until
/// they are stopped.
final class StreamReaders: Sendable {
    private struct State {
        var isStopped = false
        var running = 0
        var bytes = 0
        var failure: (any Error)?
    }

    private let state = Mutex(State())

    /// Starts them all, and returns once they read.
    init(_ count: Int, of path: String, _ version: StreamReading.Version, on port: Int) {
        for _ in 0..<count {
            state.withLock { $0.running += 1 }
            Thread.detachNewThread { [self] in
                do {
                    while try Self.read(path, version, port, goesOn).isWhole {}
                } catch {
                    state.withLock { $0.failure = error }
                }
                state.withLock { $0.running -= 1 }
            }
        }
        let deadline = Deadline(after: 10)
        while state.withLock({ $0.bytes < count * 65_536 && $0.failure == nil }), !deadline.hasPassed { usleep(1000) }
    }

    private func goesOn(_ bytes: Int) -> Bool {
        state.withLock { state in
            state.bytes += bytes
            return !state.isStopped
        }
    }

    /// Reads one answer, or as much of it as `goesOn` wants.
    static func read(
        _ path: String,
        _ version: StreamReading.Version,
        _ port: Int,
        _ goesOn: (Int) -> Bool
    ) throws -> StreamReading {
        let connection = try LoopbackConnection(port: port)
        connection.sendWhatFits(StreamReading.request(path, version))
        var buffer = [UInt8](repeating: 0, count: 262_144)
        var response = StreamReading(version)
        while !response.isWhole {
            let count = try connection.receive(into: &buffer, within: 20)
            try response.add(buffer[..<count])
            guard goesOn(count) else { break }
        }
        return response
    }

    /// Stops them all.
    ///
    /// - Returns: how many bytes they have got.
    /// - Throws: what one of them failed with.
    func stop() throws -> Int {
        state.withLock { $0.isStopped = true }
        while state.withLock({ $0.running > 0 }) { usleep(1000) }
        let (bytes, failure) = state.withLock { ($0.bytes, $0.failure) }
        if let failure { throw failure }
        return bytes
    }
}
