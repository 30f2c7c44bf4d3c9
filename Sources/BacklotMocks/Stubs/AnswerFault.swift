/// How a connection misbehaves instead of carrying an answer, in WireMock's words.
public enum AnswerFault: String, Sendable, CaseIterable {
    /// The connection is reset at once.
    case connectionReset = "CONNECTION_RESET_BY_PEER"
    /// The connection is closed without an answer.
    case emptyResponse = "EMPTY_RESPONSE"
    /// An answer begins well, garbage follows, and the connection is closed.
    case malformedChunk = "MALFORMED_RESPONSE_CHUNK"
    /// Garbage comes instead of an answer, and the connection is closed.
    case randomDataThenClose = "RANDOM_DATA_THEN_CLOSE"
}
