/// What an answer has to do with the client's session.
public struct AnswerSession: Sendable {
    /// Whether somebody must be logged in: others get 403.
    public var requiresLogin = false
    /// What others read; nil for the usual text.
    public var text: String?
    /// The name of the user who is logged in by it; nil for nobody.
    var logIn: TextTemplate?
    /// Whether the session is ended by it.
    public var logOut = false

    /// Nothing.
    static let untouched = AnswerSession()

    var isNeeded: Bool { requiresLogin || logIn != nil || logOut }
}
