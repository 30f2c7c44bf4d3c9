/// RFC 9113, section 7.
enum ErrorCode: UInt32, Sendable {
    case none, protocolError, internalError, flowControl, settingsTimeout, streamClosed, frameSize, refusedStream,
        cancel
    case compression, connect, enhanceYourCalm, inadequateSecurity, http11Required
}
