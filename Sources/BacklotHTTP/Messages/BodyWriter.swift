/// Writes the body of a response piece by piece. Any task may use it, but only one at a time.
public struct BodyWriter: Sendable {
    private let sink: any BodySink

    init(_ sink: any BodySink) {
        self.sink = sink
    }

    /// - Parameter take: accepts some bytes, and returns when there is room for more.
    init(_ take: @escaping @Sendable ([UInt8]) async throws -> Void) {
        sink = FunctionSink(take: take)
    }

    /// Sends some bytes, and returns when there is room for more.
    ///
    /// Pieces that are written without a pause are sent together, once the function that writes them waits for something. A
    /// function that never waits is suspended here every 64 KB or 200 µs, so that other clients get their turn.
    ///
    /// - Throws: `StreamError` when the client has gone, when the body has ended, or when there are more bytes than the promised
    ///   length.
    public func write(_ bytes: [UInt8]) async throws {
        try await sink.write(bytes)
    }

    /// Sends a text in UTF-8, in the same way as bytes.
    public func write(_ text: String) async throws {
        try await sink.write(Array(text.utf8))
    }
}

/// The reason why a piece of a response could not be sent.
public enum StreamError: Error, Equatable {
    /// The client has closed the connection, or accepted no bytes for too long.
    case connectionClosed
    /// A piece was written after the function that writes the body had returned.
    case ended
    /// More or fewer bytes were written than the promised length.
    case lengthMismatch(promised: Int)
    /// Two tasks read one request's body, or write one response's body, at the same time.
    case usedTwice
}

/// The destination of a streamed body's pieces: a connection, or a sink that changes them before.
protocol BodySink: Sendable {
    /// Accepts some bytes, and returns when there is room for more.
    ///
    /// - Throws: `StreamError`, as `BodyWriter.write` does.
    func write(_ bytes: [UInt8]) async throws
}

private struct FunctionSink: BodySink {
    let take: @Sendable ([UInt8]) async throws -> Void

    func write(_ bytes: [UInt8]) async throws { try await take(bytes) }
}
