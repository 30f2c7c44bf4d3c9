import Applin
import Backlot
import BacklotTesting

/// What is written down, until the flow ends.
actor Notes {
    private(set) var texts: [String: [String]] = [:]

    func of(_ user: String) -> [String] { texts[user] ?? [] }

    func begin(_ user: String) { texts[user] = [] }

    func add(_ text: String, of user: String) { texts[user, default: []].append(text) }
}

struct NewAccount: Decodable {
    var username: String
    var agree: Bool
}

struct NewNote: Decodable {
    var note: String
}

/// A small app with accounts and notes.
func notesRouter() -> Router {
    let router = Router()
    let notes = Notes()
    router.applin("/", sessions: MemorySessionStore()) { app in
        app.page("/") { request in
            let user = try await request.session.user
            let texts = await notes.of(user ?? "")
            return navPage("Notes") {
                scroll {
                    column {
                        formSection("You are \(user ?? "nobody")") {
                            navButton("New Account") { push("/new_account") }
                            navButton("New Note") { push("/new_note") }
                        }
                        formSection("Notes") {
                            for note in texts { text(note) }
                        }
                    }
                }
            }
        }
        app.page("/new_account") { _ in
            navPage("New Account") {
                scroll {
                    form {
                        textfield("Username", varName: "username")
                        navButton("Terms") { push("/terms") }
                        checkbox("I agree", varName: "agree")
                        formButton("Create Account") {
                            rpc("/create_account")
                            replaceAll("/")
                        }
                    }
                }
            }
        }
        app.page("/terms") { _ in navPage("Terms") { scroll { text("Be kind.") } } }
        app.page("/new_note") { _ in
            navPage("New Note") {
                scroll {
                    form {
                        textfield("Note", varName: "note")
                        formButton("Add") {
                            rpc("/add")
                            replaceAll("/")
                        }
                    }
                }
            }
        }
        app.rpc("/create_account", NewAccount.self) { input, request in
            guard input.agree else { throw UserError("Please agree first.") }
            await notes.begin(input.username)
            try await request.session.logIn(user: input.username)
        }
        app.rpc("/add", NewNote.self) { input, request in
            await notes.add(input.note, of: try await request.session.requireLogin())
        }
    }
    return router
}

/// Makes an account, is refused once, and writes three notes.
///
/// - Returns: how many steps it was.
func runFlow(_ app: ApplinClient) async throws -> Int {
    try await app.launch()  // 1
    try await app.tap("New Account")
    try await app.enter("ann", into: "Username")
    try await app.tap("Terms")
    try await app.back()  // 5
    try await app.tap("Create Account")
    guard app.errorText == "Please agree first." else { return 0 }
    try await app.back()
    try await app.check("I agree")
    try await app.tap("Create Account")
    for number in 1...3 {  // 10 to 18
        try await app.tap("New Note")
        try await app.enter("note \(number)", into: "Note")
        try await app.tap("Add")
    }
    try await app.pullToRefresh()
    try await app.relaunch()  // 20
    guard app.texts.suffix(3) == ["note 1", "note 2", "note 3"] else { return 0 }
    return 20
}
