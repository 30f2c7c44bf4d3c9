/// A mistake in how a program uses sessions. It is answered with 500, and the log says what it was.
public enum SessionError: Error, Equatable, CustomStringConvertible {
    /// The request passed no `SessionMiddleware` on its way to the handler.
    case noMiddleware
    /// Something tried to change a session after the request had been answered, which nobody would have saved.
    case finished
    /// Somebody without a name was to be logged in.
    case emptyUser
    /// A value can't be written as JSON, such as a number that is not finite.
    case notEncodable(name: String, why: String)
    /// A session has more bytes of values than `SessionConfiguration.maximumBytes`.
    case tooLarge(bytes: Int, limit: Int)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .noMiddleware:
            "there is no session here: put the route into a group with a SessionMiddleware"
        case .finished:
            "the session was changed after the request had been answered: change it before the handler returns"
        case .emptyUser:
            "logIn(user:) needs a name that isn't empty"
        case .notEncodable(let name, let why):
            "the session's value '\(name)' can't be written as JSON: \(why)"
        case .tooLarge(let bytes, let limit):
            "the session has \(bytes) bytes and may have \(limit): keep large things elsewhere, or raise maximumBytes"
        }
    }
}
