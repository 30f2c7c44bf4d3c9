internal import HTTPTypes
internal import Synchronization

/// Decides when the bytes of an answer go out, on a connection that is to be slow.
///
/// A response carries it from a middleware to the server, which asks it last: the bytes that are paced are those that other
/// middlewares have made of the body, such as compressed ones.
package protocol AnswerPace: AnyObject, Sendable {
    /// The most bytes of a body that go out at once.
    var pieceSize: Int { get }

    /// Waits until the head of the answer may go.
    ///
    /// - Parameter count: how many bytes it has, as HTTP/1.1 writes it, without the fields that the server adds.
    /// - Throws: `CancellationError` when the client has gone.
    func head(of count: Int) async throws

    /// Waits until the next `count` bytes of the body may go.
    ///
    /// - Throws: `CancellationError` when the client has gone.
    func piece(of count: Int) async throws

    /// The answer has ended.
    ///
    /// - Parameter isComplete: whether all of it was sent.
    func ended(isComplete: Bool)
}

extension Response {
    /// The response, once its head may go, with a body that goes out at a pace.
    ///
    /// Bodies are not gathered: of a stream, one piece waits, and with it the function that writes it.
    func paced(by pace: any AnswerPace) async -> Response {
        var response = self
        response.pace = nil
        do {
            try await pace.head(of: headSize)
        } catch {
            // The client has gone, and with it the connection that this response is for.
            pace.ended(isComplete: false)
            return response
        }
        response.body = body.paced(by: pace)
        return response
    }

    /// The size of the head: `HTTP/1.1 200 OK`, the fields and the empty line.
    private var headSize: Int {
        headers.reduce(19) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
    }
}

extension ResponseBody {
    fileprivate func paced(by pace: any AnswerPace) -> ResponseBody {
        switch self {
        case .empty:
            pace.ended(isComplete: true)
            return self
        case .fault:
            pace.ended(isComplete: false)
            return self
        case .bytes(let bytes): return Self.paced(by: pace, length: bytes.count) { try await $0.write(bytes) }
        case .file(let slice):
            return Self.paced(by: pace, length: slice.count) { try await slice.write(to: $0) }
        case .stream(let length, let produce): return Self.paced(by: pace, length: length, produce)
        }
    }

    private static func paced(
        by pace: any AnswerPace,
        length: Int?,
        _ produce: @escaping @Sendable (BodyWriter) async throws -> Void
    ) -> ResponseBody {
        let end = PaceEnd(pace)
        return .stream(length: length) { writer in
            do {
                try await produce(BodyWriter(PacingSink(writer: writer, pace: pace)))
            } catch {
                end.come(isComplete: false)
                throw error
            }
            end.come(isComplete: true)
        }
    }
}

/// Tells a pace once that its answer has ended: also where nobody asks for the body, as after HEAD.
private final class PaceEnd: Sendable {
    private let pace: any AnswerPace
    private let hasCome = Atomic(false)

    init(_ pace: any AnswerPace) {
        self.pace = pace
    }

    deinit { come(isComplete: true) }

    func come(isComplete: Bool) {
        guard !hasCome.exchange(true, ordering: .relaxed) else { return }
        pace.ended(isComplete: isComplete)
    }
}

/// Hands on the pieces of a body, each when it may go.
private struct PacingSink: BodySink {
    let writer: BodyWriter
    let pace: any AnswerPace

    func write(_ bytes: [UInt8]) async throws {
        let size = max(1, pace.pieceSize)
        guard bytes.count > size else { return try await write(piece: bytes) }
        for start in stride(from: 0, to: bytes.count, by: size) {
            try await write(piece: Array(bytes[start..<min(start + size, bytes.count)]))
        }
    }

    private func write(piece: [UInt8]) async throws {
        if !piece.isEmpty { try await pace.piece(of: piece.count) }
        try await writer.write(piece)
    }
}
