import Applin
import Backlot

/// The access to the editors' pages: an editor with a password, and scripts with a token.
struct EditorAccess: Sendable {
    /// The user name of editors.
    static let name = "editor"

    /// The password of editors; nil if nobody can log in.
    let password: String?
    /// Whether the password was made up for this run, and must be shown.
    let isMade: Bool
    private let token: SessionHash?
    /// The user of editors' sessions. Another password is another user, so that sessions end with their password.
    let user: String

    /// Access with an optional password and an optional token.
    init(password: String? = nil, isMade: Bool = false, token: String? = nil) {
        self.password = password
        self.isMade = isMade
        self.token = token.map { SessionHash(hashing: $0) }
        // It is too short to guess the password from, should anybody read the sessions.
        let mark = password.map { SessionHash(hashing: $0).description.prefix(4) }
        user = "\(Self.name)-\(mark.map(String.init) ?? String(UInt64.random(in: .min ... .max), radix: 36))"
    }

    /// Access according to the settings. Without a password, the server makes one up if it starts on a terminal.
    init(_ settings: DemoSettings, isServing: Bool, isTerminal: Bool = isatty(STDOUT_FILENO) == 1) {
        let made = settings.deskPassword == nil && isServing && isTerminal ? Self.newPassword : nil
        self.init(password: settings.deskPassword ?? made, isMade: made != nil, token: settings.deskToken)
    }

    /// 60 bits that are easy to type on a phone.
    private static var newPassword: String {
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        return String((0..<12).map { _ in letters[Int.random(in: letters.indices)] })
    }

    /// Whether scripts can publish at all.
    var takesScripts: Bool { token != nil }

    /// Whether a name and a password are right. Wrong ones all take equally long.
    func admits(name: String, password: String) -> Bool {
        guard let own = self.password else { return false }
        let isName = SessionHash(hashing: name) == SessionHash(hashing: Self.name)
        return (SessionHash(hashing: password) == SessionHash(hashing: own)) && isName
    }

    /// Whether a token is right. Wrong ones all take equally long.
    func admits(token: String) -> Bool { self.token.map { SessionHash(hashing: token) == $0 } ?? false }

    /// Instructions for editors, for the lines that the server prints when it starts.
    var note: String {
        let place =
            "the editors' pages at \(EditorsApp.mounts.map(\.path).joined(separator: " (clients since 0.31: ")))"
        guard let password else { return "\(place) are closed: set a --desk-password to open it" }
        return isMade
            ? "\(place): log in as \(Self.name) with the password \(password); each start makes a new one, unless you set a --desk-password"
            : "\(place): log in as \(Self.name) with the --desk-password"
    }

    // MARK: Logging in

    private static let nameInput = Variable<String>("desk_name")
    private static let passwordInput = Variable<String>("desk_password")

    /// The page for users who aren't logged in.
    var page: any Page {
        formPage("EditorsApp") {
            if password == nil {
                text("These pages are closed: their server was started without a --desk-password.")
            } else {
                text("For the editors of the Gazette. The server's first lines say how to log in.")
                textfield("Name", Self.nameInput).allow(.ascii).maxLines(1).initialValue(Self.name)
                textfield("Password", Self.passwordInput).maxLines(1)
                formButton("Log In", rpc("/log_in"), replaceAll("/"))
            }
        }
    }

    func logIn(_ request: Request) async throws {
        let variables = try await request.variables()
        guard try admits(name: variables[Self.nameInput], password: variables[Self.passwordInput]) else {
            throw UserError("Name or password is wrong.")
        }
        try await request.session.logIn(user: user)
    }
}
