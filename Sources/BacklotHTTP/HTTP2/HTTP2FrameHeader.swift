/// The header of a frame, as far as decisions need it (RFC 9113, sections 4.1 and 6).
struct HTTP2FrameHeader: Equatable {
    static let data: UInt8 = 0x0
    static let headers: UInt8 = 0x1
    static let resetStream: UInt8 = 0x3
    static let settings: UInt8 = 0x4
    static let ping: UInt8 = 0x6
    static let windowUpdate: UInt8 = 0x8
    static let continuation: UInt8 = 0x9

    /// The flag of DATA and HEADERS frames that are the last of their stream.
    static let endStream: UInt8 = 0x1
    /// The flag of SETTINGS and PING frames that answer others.
    static let acknowledgement: UInt8 = 0x1

    var type: UInt8
    var flags: UInt8
    /// The payload's length, in bytes.
    var length: Int

    /// Whether the frame is the last of its stream.
    var endsStream: Bool { type <= Self.headers && flags & Self.endStream != 0 }
    /// Whether the frame answers a PING.
    var answersPing: Bool { type == Self.ping && flags & Self.acknowledgement != 0 }

    /// What the frame is counted as; nil for those that are bounded by streams and windows.
    var budgetKind: FrameBudget.Kind? {
        switch type {
        case Self.data: length == 0 && !endsStream ? .emptyData : nil
        case Self.headers, Self.continuation: nil
        case Self.resetStream: .reset
        case Self.settings: .settings
        case Self.ping: .ping
        case Self.windowUpdate: .windowUpdate
        default: .advice
        }
    }
}
