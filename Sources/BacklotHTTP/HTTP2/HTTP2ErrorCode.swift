/// Why a stream or a connection ends (RFC 9113, section 7).
struct HTTP2ErrorCode: Equatable, Sendable {
    let rawValue: UInt32

    /// Nothing is wrong.
    static let noError = HTTP2ErrorCode(rawValue: 0x0)
    /// The peer breaks the protocol.
    static let protocolError = HTTP2ErrorCode(rawValue: 0x1)
    /// This side has failed.
    static let internalError = HTTP2ErrorCode(rawValue: 0x2)
    /// The peer sends more than a window allows, or opens one beyond its bounds.
    static let flowControlError = HTTP2ErrorCode(rawValue: 0x3)
    /// The peer goes on with a stream that it has ended.
    static let streamClosed = HTTP2ErrorCode(rawValue: 0x5)
    /// Nothing was done about the request: it may be sent again.
    static let refusedStream = HTTP2ErrorCode(rawValue: 0x7)
    /// The stream is not needed any more.
    static let cancel = HTTP2ErrorCode(rawValue: 0x8)
    /// The peer makes this side work for nothing.
    static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 0xb)

    /// Whether a reset of a stream with this code says that the peer has made a mistake.
    var blamesPeer: Bool { self != .noError && self != .internalError && self != .cancel }
}
