/// Why a client has dropped an answer, or got none.
public enum XpediteFailure: Error, Equatable, CustomStringConvertible {
    /// The answer has another token than the session, or none: the client aborts it.
    case otherToken(expected: String?, received: String?)
    /// The answer is no packet. The text says why.
    case noPacket(String)
    /// The server can't be reached, and no page was kept.
    case serverAway(String)

    /// What went wrong.
    public var description: String {
        switch self {
        case .otherToken(let expected, let received):
            "the answer has the token \(received ?? "nil") instead of \(expected ?? "nil")"
        case .noPacket(let why): "the answer is no packet: \(why)"
        case .serverAway(let why): "the server can't be reached, and this page was not kept: \(why)"
        }
    }
}
