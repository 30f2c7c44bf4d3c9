/// A message of a WebSocket (RFC 6455, section 5.6).
public enum WebSocketMessage: Sendable, Equatable {
    /// A text, in UTF-8 on the wire.
    case text(String)
    /// Bytes.
    case binary([UInt8])

    /// The text; nil for bytes.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The message as it goes over the wire, without framing.
    public var bytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .binary(let bytes): bytes
        }
    }

    /// The number of bytes.
    var count: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }
}

/// The end of a WebSocket: a code and a reason (RFC 6455, section 7.4).
public struct WebSocketClose: Sendable, Equatable {
    /// The code of a close frame (RFC 6455, section 7.4.1). Programs have 3000 to 4999 for themselves.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The number.
        public let rawValue: UInt16

        /// A code by its number.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// 1000: the conversation is complete.
        public static let normal = Code(rawValue: 1000)
        /// 1001: the server stops, or the user has left the page.
        public static let goingAway = Code(rawValue: 1001)
        /// 1002: the other side has broken the protocol.
        public static let protocolError = Code(rawValue: 1002)
        /// 1003: messages of this kind aren't accepted.
        public static let unsupportedData = Code(rawValue: 1003)
        /// 1005, never sent: the close frame had no code.
        public static let noStatus = Code(rawValue: 1005)
        /// 1006, never sent: the connection ended without a close frame.
        public static let abnormal = Code(rawValue: 1006)
        /// 1007: a text that isn't UTF-8, or a message that can't be decompressed.
        public static let invalidPayload = Code(rawValue: 1007)
        /// 1008: the message breaks a rule of the program.
        public static let policyViolation = Code(rawValue: 1008)
        /// 1009: the message has too many bytes.
        public static let tooBig = Code(rawValue: 1009)
        /// 1011: the server has failed.
        public static let internalError = Code(rawValue: 1011)
        /// 1013: the server has too much to do; the client may try again later.
        public static let tryAgainLater = Code(rawValue: 1013)

        /// Whether a close frame may have it. Besides the registered codes and those for programs, none is defined.
        public var isSendable: Bool {
            switch rawValue {
            case 1000...1003, 1007...1014, 3000...4999: true
            default: false
            }
        }
    }

    /// The most bytes of a reason, in UTF-8.
    public static let reasonLimit = 123

    /// The reason for the end of a WebSocket.
    public let code: Code
    /// The reason in words; empty without any.
    public let reason: String

    /// A code with a reason, which is cut after 123 bytes.
    public init(_ code: Code, _ reason: String = "") {
        self.code = code
        var reason = reason
        while reason.utf8.count > Self.reasonLimit { reason.unicodeScalars.removeLast() }
        self.reason = reason
    }
}
