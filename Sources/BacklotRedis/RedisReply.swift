/// What Redis answers to a command.
enum RedisReply: Equatable, Sendable {
    case bytes([UInt8])
    case status(String)
    case integer(Int)
    case array([RedisReply])
    case error(String)
    case none

    /// The bytes; nil for anything else.
    var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// The bytes as a text; nil for anything else.
    var text: String? { bytes.flatMap { String(validating: $0, as: UTF8.self) } }

    /// A number, however it is written; nil for anything else.
    var integer: Int? {
        if case .integer(let integer) = self { integer } else { text.flatMap { Int($0) } }
    }

    /// Whether the server can't work at all now, and perhaps another one can that has its name: it loads its data, or follows
    /// one that is away.
    var saysServerIsUnfit: Bool {
        guard case .error(let text) = self else { return false }
        return ["LOADING", "READONLY", "MASTERDOWN", "NOAUTH"].contains { text.hasPrefix($0) }
    }
}
