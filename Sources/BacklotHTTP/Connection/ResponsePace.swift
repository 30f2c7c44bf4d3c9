internal import HTTPTypes

/// Decides when the bytes of a response are sent, on a connection that should be slow.
///
/// A response carries it from a middleware to the server, which applies it last. So it paces the bytes that other middlewares
/// have made of the body, such as compressed ones.
package protocol ResponsePace: AnyObject, Sendable {
    /// The maximum number of bytes of a body that are sent at once.
    var pieceSize: Int { get }

    /// Waits until the head of the response may be sent.
    ///
    /// - Parameter count: the number of bytes of the head in HTTP/1.1, without the fields that the server adds.
    /// - Throws: `CancellationError` when the client has gone.
    func head(of count: Int) async throws

    /// Waits until the next `count` bytes of the body may be sent.
    ///
    /// - Throws: `CancellationError` when the client has gone.
    func piece(of count: Int) async throws

    /// The response has ended.
    ///
    /// - Parameter isComplete: whether the whole response was sent.
    func ended(isComplete: Bool)
}

extension Response {
    /// Waits for the head's turn, and returns the response with a paced body.
    ///
    /// Bodies aren't collected: of a stream, one piece waits at a time, and so does the function that writes it.
    func paced(by pace: any ResponsePace) async -> Response {
        var response = self
        response.pace = nil
        do {
            try await pace.head(of: headSize)
        } catch {
            // The client has gone, and so has the connection for this response.
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
    fileprivate func paced(by pace: any ResponsePace) -> ResponseBody {
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
        by pace: any ResponsePace,
        length: Int?,
        _ produce: @escaping @Sendable (BodyWriter) async throws -> Void
    ) -> ResponseBody {
        // A body that isn't requested, as after HEAD, counts as complete.
        let isOver = Locked(false)
        let end = { @Sendable (isComplete: Bool) in
            let isFirst = isOver.withLock { isOver in
                defer { isOver = true }
                return !isOver
            }
            if isFirst { pace.ended(isComplete: isComplete) }
        }
        let unread = Ticket { end(true) }
        return .stream(length: length) { writer in
            defer { withExtendedLifetime(unread) {} }
            do {
                try await produce(BodyWriter { try await Self.write($0, to: writer, at: pace) })
            } catch {
                end(false)
                throw error
            }
            end(true)
        }
    }

    /// Passes bytes on, each piece when it may be sent.
    private static func write(_ bytes: [UInt8], to writer: BodyWriter, at pace: any ResponsePace) async throws {
        let size = max(1, pace.pieceSize)
        for start in stride(from: 0, to: max(1, bytes.count), by: size) {
            let piece = bytes.count <= size ? bytes : Array(bytes[start..<min(start + size, bytes.count)])
            if !piece.isEmpty { try await pace.piece(of: piece.count) }
            try await writer.write(piece)
        }
    }
}
