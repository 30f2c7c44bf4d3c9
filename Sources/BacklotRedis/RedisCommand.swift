/// A command for Redis: its name and its arguments, each with any bytes.
struct RedisCommand: Equatable, Sendable {
    /// The bytes of the arguments, one after the other.
    private(set) var bytes: [UInt8] = []
    /// The lengths of the arguments.
    private(set) var lengths: [Int] = []

    init(_ arguments: any RedisArgument...) { self.init(arguments) }

    init(_ arguments: [any RedisArgument]) {
        for argument in arguments {
            let argument = argument.redisBytes
            bytes += argument
            lengths.append(argument.count)
        }
    }
}

/// A part of a command: a text, a number, or bytes.
protocol RedisArgument {
    /// The bytes that Redis gets.
    var redisBytes: [UInt8] { get }
}

extension String: RedisArgument {
    var redisBytes: [UInt8] { Array(utf8) }
}

extension Int: RedisArgument {
    var redisBytes: [UInt8] { Array(String(self).utf8) }
}

extension [UInt8]: RedisArgument {
    var redisBytes: [UInt8] { self }
}

/// Redis' reply to a command.
enum RedisReply: Equatable, Sendable {
    case bytes([UInt8])
    case status(String)
    case integer(Int)
    case array([RedisReply])
    case error(String)
    case none

    /// The bytes; nil for other replies.
    var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// The bytes as text; nil for other replies.
    var text: String? { bytes.flatMap { String(validating: $0, as: UTF8.self) } }

    /// A number in any notation; nil for other replies.
    var integer: Int? {
        if case .integer(let integer) = self { integer } else { text.flatMap { Int($0) } }
    }

    /// Whether the server can't work now, although another server of the same name perhaps can: it is loading its data, or
    /// replicates a server that is away.
    var saysServerIsUnfit: Bool {
        guard case .error(let text) = self else { return false }
        return ["LOADING", "READONLY", "MASTERDOWN", "NOAUTH"].contains { text.hasPrefix($0) }
    }
}
