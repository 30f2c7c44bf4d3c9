/// Why a Redis server didn't do what it was asked.
public enum RedisError: Error, Equatable, CustomStringConvertible {
    /// There is no connection to it.
    case away(String)
    /// It took too long. Whether it did what it was asked isn't known.
    case timeout
    /// The connection ended. Whether it did what it was asked isn't known.
    case closed(String)
    /// It refused.
    case refused(String)
    /// It answered something else than is written for the command.
    case unexpected(String)

    /// What happened.
    public var description: String {
        switch self {
        case .away(let reason): "there is no connection to Redis: \(reason)"
        case .timeout: "Redis took too long to answer"
        case .closed(let reason): "the connection to Redis ended: \(reason)"
        case .refused(let text): "Redis refused: \(text)"
        case .unexpected(let text): "Redis answered something unexpected: \(text)"
        }
    }
}
