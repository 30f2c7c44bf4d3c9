/// A way to break a connection instead of responding, for testing how a client handles it.
///
/// The raw values are WireMock's names, which many people know.
///
/// Over HTTP/2, the stream ends with a reset (RST_STREAM, INTERNAL_ERROR), and the other streams of the connection continue.
public enum ConnectionFault: String, Sendable, Equatable, CaseIterable {
    /// The connection ends with a reset, without a response.
    case connectionReset = "CONNECTION_RESET_BY_PEER"
    /// The connection closes normally, without a response.
    case emptyResponse = "EMPTY_RESPONSE"
    /// The server sends the head of a chunked response with its status and fields, then bytes that aren't a chunk, and closes the
    /// connection. Over HTTP/2: the head, then the reset.
    case malformedChunk = "MALFORMED_RESPONSE_CHUNK"
    /// The server sends random bytes that can't begin a response, and closes the connection.
    case randomData = "RANDOM_DATA_THEN_CLOSE"

    /// Bytes sent in place of a chunk. Chunk sizes can't begin like this.
    static let noChunk = "this is no chunk\r\n"

    /// The number of random bytes.
    static let randomByteCount = 64

    /// The bytes sent in place of a response.
    func bytes(of response: Response, _ dateLine: [UInt8]) -> [UInt8] {
        switch self {
        case .connectionReset, .emptyResponse: return []
        case .malformedChunk:
            var (head, bytes) = (response, [UInt8]())
            head.body = .stream { _ in }
            // Independent of the client's version and request: the client is meant to find the fault.
            ResponseEncoder(dateLine: dateLine).write(head, into: &bytes)
            return bytes + Self.noChunk.utf8
        case .randomData: return Self.randomBytes()
        }
    }

    /// Random bytes. The first is not ASCII, so it can't begin a response.
    static func randomBytes() -> [UInt8] {
        var bytes = (0..<randomByteCount).map { _ in UInt8.random(in: .min ... .max) }
        bytes[0] |= 0x80
        return bytes
    }
}

/// Thrown by the function that writes a streamed body: breaks the connection in this way.
package struct BrokenStream: Error {
    let fault: ConnectionFault

    package init(_ fault: ConnectionFault) { self.fault = fault }
}

extension Response {
    /// Breaks the connection instead of responding, in a way that clients should be able to handle.
    ///
    /// The status and the fields are sent with `malformedChunk` only. Earlier requests on the connection still get their
    /// responses; later ones don't.
    public static func fault(_ fault: ConnectionFault) -> Response {
        Response(body: .fault(fault))
    }
}

/// The closest equivalent of a broken connection for one stream.
extension HTTP2Stream {
    /// Resets the stream, after the response's head if the fault has one.
    func commit(_ fault: ConnectionFault, _ response: Response) {
        guard fault == .malformedChunk else {
            hasResponse = true
            return reset(.internalError)
        }
        submit(response, hasBody: true)
        // The library drops a waiting head when its stream is reset.
        loop.later { [self] in reset(.internalError) }
    }
}
