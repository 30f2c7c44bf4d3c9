/// A way to break a connection instead of answering: for trying what a client makes of it.
///
/// The raw values are the names that WireMock gave them, which people know.
///
/// Over HTTP/2 the stream ends with a reset (RST_STREAM, INTERNAL_ERROR), and the other streams of the connection go
/// on.
public enum ConnectionFault: String, Sendable, Equatable, CaseIterable {
    /// The connection ends with a reset, and nothing is sent.
    case connectionReset = "CONNECTION_RESET_BY_PEER"
    /// The connection closes in order, and nothing is sent.
    case emptyResponse = "EMPTY_RESPONSE"
    /// The head of a chunked answer, with the status and fields of the response, then bytes that are no chunk, and the
    /// connection closes. Over HTTP/2: the head, then the reset.
    case malformedChunk = "MALFORMED_RESPONSE_CHUNK"
    /// Random bytes that can't be the beginning of an answer, then the connection closes.
    case randomData = "RANDOM_DATA_THEN_CLOSE"

    /// Bytes in place of a chunk that no chunk size begins with.
    static let noChunk = "this is no chunk\r\n"

    /// How many random bytes are sent.
    static let randomByteCount = 64

    /// The bytes that are sent in place of a response.
    func bytes(of response: Response, _ dateLine: [UInt8]) -> [UInt8] {
        switch self {
        case .connectionReset, .emptyResponse: return []
        case .malformedChunk:
            var (head, bytes) = (response, [UInt8]())
            head.body = .stream { _ in }
            // Whatever the client speaks and has asked for: it is meant to find the fault.
            ResponseEncoder(dateLine: dateLine).write(head, into: &bytes)
            return bytes + Self.noChunk.utf8
        case .randomData: return Self.randomBytes()
        }
    }

    /// Random bytes of which the first is not ASCII, unlike that of any response.
    static func randomBytes() -> [UInt8] {
        var bytes = (0..<randomByteCount).map { _ in UInt8.random(in: .min ... .max) }
        bytes[0] |= 0x80
        return bytes
    }
}

extension Response {
    /// No answer: the connection breaks, in a way that clients should be able to bear.
    ///
    /// Status and fields are sent with `malformedChunk` only. Requests before it on the connection get their answers;
    /// those after it get none.
    public static func fault(_ fault: ConnectionFault) -> Response {
        Response(body: .fault(fault))
    }
}

/// The nearest that one stream of a connection can come to a broken connection.
extension HTTP2Stream {
    /// Resets the stream, after the head of the answer where the fault has one.
    func commit(_ fault: ConnectionFault, _ response: Response) {
        guard fault == .malformedChunk else {
            hasResponse = true
            return reset(.internalError)
        }
        submit(response, hasBody: true)
        // The library drops a head that waits when its stream is reset.
        loop.later { [self] in reset(.internalError) }
    }
}
