/// Writes the body of an answer piece by piece; from any task, one at a time.
public struct BodyWriter: Sendable {
    private let sink: any BodySink

    init(_ sink: any BodySink) {
        self.sink = sink
    }

    /// - Parameter take: takes some bytes, and returns when there is room for more.
    init(_ take: @escaping @Sendable ([UInt8]) async throws -> Void) {
        sink = FunctionSink(take: take)
    }

    /// Sends some bytes, and returns when there is room for more.
    ///
    /// Pieces that are written without a pause are sent together, as soon as the function that writes them waits for
    /// something. A function that never waits is suspended here every 64 KB or 200 µs, so that other clients get their
    /// turn.
    ///
    /// - Throws: `StreamError` when the client has gone, when the body has ended, or when there are more bytes than the
    ///   length that was promised.
    public func write(_ bytes: [UInt8]) async throws {
        try await sink.write(bytes)
    }

    /// Sends a text in UTF-8; otherwise as `write(_:)` for bytes.
    public func write(_ text: String) async throws {
        try await sink.write(Array(text.utf8))
    }
}

/// Why a piece of an answer could not be sent.
public enum StreamError: Error, Equatable {
    /// The client has closed the connection, or took nothing for too long.
    case connectionClosed
    /// A piece was written after the function that writes the body had returned.
    case ended
    /// More or fewer bytes were written than the length that was promised.
    case lengthMismatch(promised: Int)
    /// Two tasks read one request's body, or write one answer's, at the same time.
    case usedTwice
}

/// Where the pieces of a streamed body go: a connection, or something that changes them on their way there.
protocol BodySink: Sendable {
    /// Takes some bytes, and returns when there is room for more.
    ///
    /// - Throws: `StreamError`, as `BodyWriter.write` does.
    func write(_ bytes: [UInt8]) async throws
}

private struct FunctionSink: BodySink {
    let take: @Sendable ([UInt8]) async throws -> Void

    func write(_ bytes: [UInt8]) async throws { try await take(bytes) }
}
