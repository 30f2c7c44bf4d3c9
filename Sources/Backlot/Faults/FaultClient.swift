internal import BacklotHTTP
internal import HTTPTypes

/// Whose requests a fault is for.
///
/// A session's cookie opens the session, so only its hash is kept and shown.
public enum FaultClient: Sendable, Hashable {
    /// A client with this session.
    case session(SessionHash)
    /// Clients without a session.
    case noSession
    /// Whoever comes next.
    case anyone

    /// The client whose cookie `session` has this value.
    public static func session(cookie: String) -> FaultClient { .session(SessionHash(hashing: cookie)) }
}

extension FaultClient: CustomStringConvertible {
    /// The client for people: never its cookie, but the beginning of its hash.
    public var description: String {
        switch self {
        case .session(let hash): "session \("\(hash)".prefix(12))"
        case .noSession: "no session"
        case .anyone: "anyone"
        }
    }
}

extension Request {
    /// Who sends it, as far as faults go.
    ///
    /// The first cookie of the name counts. Whether there is such a session is not asked: a mock may have its own.
    var faultClient: FaultClient {
        for header in headers[values: .cookie] {
            for value in CookieHeader.values(named: SessionCookie.name, in: header) where !value.isEmpty {
                return .session(cookie: String(value))
            }
        }
        return .noSession
    }
}
