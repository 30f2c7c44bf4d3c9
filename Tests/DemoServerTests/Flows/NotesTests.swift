import Applin
import Backlot
import BacklotTesting
import Testing

@testable import demo_server

@Suite(.timeLimit(.minutes(5))) struct NotesTests {
    /// Makes an account, from the notes app's first page on.
    private func signUp(_ name: String, _ app: ApplinClient) async throws {
        try await app.tap("Create an account")
        try await app.enter(name, into: "Name")
        try await app.enter("secret", into: "Password")
        try await app.tap("Create Account")
        #expect(app.stack == ["/notes"], "\(app.errorText ?? "")")
    }

    /// Another device, on which ann has logged in.
    private func otherDevice(than app: ApplinClient) async throws -> ApplinClient {
        let other = app.otherDevice()
        try await other.launch(at: "/notes")
        try await other.tap("Log in")
        try await other.enter("ann", into: "Name")
        try await other.enter("secret", into: "Password")
        try await other.tap("Log In")
        return other
    }

    /// Writes a note, from the list on.
    private func write(_ text: String, _ app: ApplinClient) async throws {
        try await app.tap("New note")
        try await app.enter(text, into: "Text")
        try await app.tap("Add")
    }

    @Test(arguments: DemoFlow.all)
    func `From an account to a note, its change and its end`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch()
            try await app.tap("Notes")
            #expect(app.buttons == ["Create an account", "Log in", "All demos"])

            // The account, wrong at first: the page is polled, and marks the fields.
            try await app.tap("Create an account")
            try await app.enter("a", into: "Name")
            try await app.tap("Create Account")
            #expect(app.errorText == "Please correct the marked fields.")
            try await app.back()
            #expect(app.errors == ["Use 3 to 20 letters and digits.", "Enter a password: any will do."])
            try await app.enter("ann", into: "Name")
            try await app.enter("secret", into: "Password")
            try await app.tap("Create Account")
            #expect(app.stack == ["/notes"])

            // An empty list, and a note, which the list shows at once.
            #expect(app.texts.contains { $0.hasPrefix("You have no notes yet.") })
            try await app.tap("New note")
            try await app.enter("Milk\nand eggs", into: "Text")
            try await app.tap("Add")
            #expect(app.texts.contains("Milk"))

            // The change, by the back button.
            try await app.tap("Milk")
            #expect(app.value(of: "Text") == "Milk\nand eggs")
            try await app.enter("Bread", into: "Text")
            try await app.back()
            #expect(app.stack == ["/notes"])
            try await app.tap("Bread")
            #expect(app.value(of: "Text") == "Bread")

            // The end.
            let path = app.path
            try await app.tap("Delete…")
            if flow.mount == .objects {
                #expect(app.modal?.title == "Delete this note?")
                #expect(app.modal?.message == "Bread")
                try await app.tap("Cancel")
                try await app.tap("Delete…")
            }
            try await app.tap("Delete")
            #expect(app.stack == ["/notes"])
            #expect(app.texts.contains { $0.hasPrefix("You have no notes yet.") })
            let gone = try await DemoClient(flow.mount, app).send(.get, path).withStatus(422)
            #expect(gone.text.hasPrefix("This note is not here: it may have been deleted"))

            // And the way out, and in again.
            try await app.tap("Log out")
            #expect(app.buttons == ["Create an account", "Log in", "All demos"])
            try await app.tap("Log in")
            try await app.enter("ann", into: "Name")
            try await app.enter("another", into: "Password")
            try await app.tap("Log In")
            #expect(app.texts.contains("You are ann"))
        }
    }

    @Test(arguments: DemoFlow.all)
    func `Two users don't see each other's notes`(flow: DemoFlow) async throws {
        try await flow.run { ann in
            let (bob, stranger) = (ann.otherDevice(), ann.otherDevice())
            for (app, name) in [(ann, "ann"), (bob, "bob")] {
                try await app.launch(at: "/notes")
                try await signUp(name, app)
            }
            try await write("Ann's secret", ann)
            try await bob.pullToRefresh()
            #expect(!bob.texts.contains("Ann's secret"))
            try await ann.tap("Ann's secret")
            let path = ann.path
            // Who knows the path gets no further.
            let (read, written) = (try await DemoClient(flow.mount, bob).send(.get, path), DemoClient(flow.mount, bob))
            #expect(read.status == 403)
            #expect(read.text == "This note is somebody else's.")
            #expect(try await written.post("\(path)/save/1", ["note": "Bob's"]).status == 403)
            #expect(try await written.post("\(path)/remove").status == 403)
            try await stranger.launch(at: path)
            #expect(stranger.errorText == "Please log in to see your notes.")
            try await ann.pullToRefresh()
            #expect(ann.value(of: "Text") == "Ann's secret")
        }
    }

    @Test(arguments: DemoFlow.all)
    func `Each version of each note has a variable of its own`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch(at: "/notes")
            try await signUp("ann", app)
            for text in ["one", "two"] {
                try await app.tap("New note")
                try await app.enter(text, into: "Text")
                try await app.tap("Add")
                try await app.tap(text)
                // The field shows what the backend has, and not what was typed on another page.
                #expect(app.value(of: "Text") == .string(text))
                try await app.enter("\(text) again", into: "Text")
                try await app.back()
                try await app.tap("\(text) again")
                #expect(app.value(of: "Text") == .string("\(text) again"))
                try await app.back()
            }
            // The test has typed two versions of two notes. If actions can reset variables, the back button resets the second ones.
            let names = app.variables.keys.filter { $0.hasPrefix("note_") }
            #expect(names.count == (flow.mount == .objects ? 2 : 4))
        }
    }

    @Test(arguments: DemoFlow.all)
    func `What another device has saved is not overwritten`(flow: DemoFlow) async throws {
        try await flow.run { phone in
            try await phone.launch(at: "/notes")
            try await signUp("ann", phone)
            try await write("first", phone)
            let tablet = try await otherDevice(than: phone)
            for device in [phone, tablet] { try await device.tap("first") }
            try await phone.enter("from the phone", into: "Text")
            try await phone.back()
            try await tablet.enter("from the tablet", into: "Text")
            try await tablet.back()
            #expect(tablet.errorText?.hasPrefix("This note was changed on another device meanwhile") == true)
            try await tablet.back()
            // To send what is there already does no harm.
            try await tablet.enter("from the phone", into: "Text")
            try await tablet.back()
            #expect(tablet.stack == ["/notes"])
            try await tablet.tap("from the phone")
            #expect(tablet.value(of: "Text") == "from the phone")
        }
    }

    @Test(arguments: DemoFlow.all)
    func `Two devices that write a new note at once write two`(flow: DemoFlow) async throws {
        try await flow.run { phone in
            try await phone.launch(at: "/notes")
            try await signUp("ann", phone)
            let tablet = try await otherDevice(than: phone)
            for device in [phone, tablet] {
                try await device.tap("New note")
                try await device.enter(device === phone ? "from the phone" : "from the tablet", into: "Text")
            }
            try await phone.tap("Add")
            // A refreshed page sends the text that it shows.
            try await tablet.pullToRefresh()
            #expect(tablet.value(of: "Text") == "from the tablet")
            #expect(tablet.sentValue(of: "Text") == "from the tablet")
            try await tablet.tap("Add")
            #expect(tablet.stack == ["/notes"], "\(tablet.errorText ?? "")")
            #expect(tablet.texts.contains("from the phone"))
            #expect(tablet.texts.contains("from the tablet"))
            try await tablet.tap("New note")
            #expect(tablet.value(of: "Text") == "")
        }
    }

    @Test func `A text in a draft that another device has saved becomes a note once`() async throws {
        let store = NoteStore()
        let draft = await store.draft(of: "ann").id
        try await store.save("one", in: draft, version: 0)
        let next = await store.draft(of: "ann")
        for text in ["two", "two", "one"] { try await store.save(text, in: draft, version: 0) }
        #expect(await store.notes(of: "ann").map(\.text) == ["two", "one"])
        let second = try #require(await store.notes(of: "ann").first?.id)
        for id in [draft, second] { try await store.save("changed", in: id, version: 1) }
        for text in ["one", "two"] { try await store.save(text, in: draft, version: 0) }
        #expect(await store.notes(of: "ann").map(\.text) == ["changed", "changed"])
        #expect(await store.draft(of: "ann") == next)
    }

    /// Two devices on the same note, of which the second has just been told that the first saved another text.
    private func conflict(_ phone: ApplinClient, tabletTypes text: String?) async throws -> ApplinClient {
        try await phone.launch(at: "/notes")
        try await signUp("ann", phone)
        try await write("first", phone)
        let tablet = phone.otherDevice()
        try await tablet.launch(at: "/notes")
        try await tablet.tap("Log in")
        try await tablet.enter("ann", into: "Name")
        try await tablet.enter("secret", into: "Password")
        try await tablet.tap("Log In")
        for device in [phone, tablet] { try await device.tap("first") }
        try await phone.enter("from the phone", into: "Text")
        try await phone.back()
        if let text { try await tablet.enter(text, into: "Text") }
        try await tablet.pullToRefresh()
        #expect(tablet.texts.contains("This note was changed on another device meanwhile. It says there:"))
        #expect(tablet.texts.contains("from the phone"))
        return tablet
    }

    @Test(arguments: DemoFlow.all)
    func `Who has a note open that is deleted elsewhere is told, and gets out`(flow: DemoFlow) async throws {
        try await flow.run { phone in
            let tablet = try await conflict(phone, tabletTypes: "from the tablet")
            try await phone.tap("from the phone")
            try await phone.tap("Delete…")
            try await phone.tap("Delete")
            #expect(!phone.texts.contains("from the phone"))
            for step in ["save", "pull"] {
                if step == "save" { try await tablet.back() } else { try await tablet.pullToRefresh() }
                #expect(tablet.errorKind == .user, "\(step)")
                #expect(tablet.errorText?.hasPrefix("This note is not here") == true)
                try await tablet.back()
                #expect(tablet.value(of: "Text") == "from the tablet")
            }
            let name = flow.mount == .objects ? "Leave without saving" : "Leave, and keep the text for later"
            #expect(phone.lastErrorText == nil)
            #expect(tablet.lastErrorText?.contains(name) == true)
            try await tablet.tap(name)
            #expect(tablet.stack == ["/notes"])
            #expect(tablet.texts.contains { $0.hasPrefix("You have no notes yet.") })
        }
    }

    @Test(arguments: DemoFlow.all)
    func `An edit is not lost when the page is refreshed, and may be kept`(flow: DemoFlow) async throws {
        try await flow.run { phone in
            let tablet = try await conflict(phone, tabletTypes: "from the tablet")
            #expect(tablet.value(of: "Text") == "from the tablet")
            #expect(tablet.sentValue(of: "Text") == "from the tablet")
            try await tablet.back()
            #expect(tablet.errorText?.hasPrefix("This note was changed on another device meanwhile") == true)
            try await tablet.back()
            #expect(tablet.value(of: "Text") == "from the tablet")
            try await tablet.tap("Keep my text")
            #expect(tablet.stack == ["/notes"])
            try await tablet.tap("from the tablet")
            #expect(tablet.value(of: "Text") == "from the tablet")
        }
    }

    @Test(arguments: DemoFlow.all)
    func `A text that nobody has changed overwrites nothing`(flow: DemoFlow) async throws {
        try await flow.run { phone in
            let tablet = try await conflict(phone, tabletTypes: nil)
            #expect(tablet.value(of: "Text") == "first")
            #expect(!tablet.buttons.contains("Keep my text"))
            try await tablet.back()
            #expect(tablet.stack == ["/notes"])
            try await tablet.tap("from the phone")
            #expect(tablet.value(of: "Text") == "from the phone")
        }
    }

    @Test(arguments: [
        (" \n", "An empty note can't be saved."),
        (String(repeating: "é", count: 2001), "A note has at most 2000 characters; this one has 2001."),
        // One character, since each consonant continues the syllable.
        (
            String(repeating: "\u{1100}", count: 300_000),
            "A note has at most 2000 characters; this one has 900000 bytes, and 16000 fit."
        ),
    ])
    func `A text that is no note is refused`(text: String, reason: String) async throws {
        for flow in DemoFlow.objects {
            try await flow.run { app in
                try await app.launch(at: "/notes")
                try await signUp("ann", app)
                try await write(text, app)
                #expect(app.errorText == reason)
                #expect(app.stack == ["/notes", "/notes/new", "/applin_user_error"])
            }
        }
    }

    @Test(arguments: DemoMount.all)
    func `Other paths below notes are not found, and a draft is no note`(mount: DemoMount) async throws {
        let client = DemoClient(mount)
        let input: JSONObject = ["notes_new_name": "ann", "notes_new_password": "secret"]
        #expect(try await client.post("/notes/new_account/submit", input).status == 200)
        let save = try #require(try await client.page("/notes/new").arguments("rpc").first)
        let draft = try #require(save.split(separator: "/").dropFirst().first)
        for path in ["/notes/\(draft)", "/notes/nothing"] {
            #expect(try await client.send(.get, path).status == 422)
            #expect(try await client.post("\(path)/remove").status == 422)
        }
        #expect(try await client.post("/notes/\(draft)/save/x").status == 422)
    }

    @Test func `A user's notes are bounded`() async throws {
        let store = NoteStore()
        for number in 0..<NoteStore.maximumCount {
            try await store.save("\(number)", in: await store.draft(of: "ann").id, version: 0)
        }
        let draft = await store.draft(of: "ann")
        await #expect(throws: NoteError.tooMany(limit: NoteStore.maximumCount)) {
            try await store.save("one more", in: draft.id, version: 0)
        }
        #expect(await store.notes(of: "ann").count == NoteStore.maximumCount)
        try await store.save("Bob's first", in: await store.draft(of: "bob").id, version: 0)
        let oldest = try #require(await store.notes(of: "ann").last)
        await store.remove(oldest.id)
        try await store.save("one more", in: draft.id, version: 0)
        #expect(await store.notes(of: "ann").first?.text == "one more")
    }

    @Test func `Accounts are bounded, and a name is taken once`() async throws {
        let store = AccountStore()
        try await store.create("ann")
        await #expect(throws: AccountError.nameTaken) { try await store.create("ann") }
        for number in 1..<AccountStore.maximumCount { try await store.create("user\(number)") }
        await #expect(throws: AccountError.tooMany) { try await store.create("bob") }
    }

    @Test(arguments: DemoFlow.all)
    func `A name that is taken or unknown is refused with a text`(flow: DemoFlow) async throws {
        try await flow.run { first in
            try await first.launch(at: "/notes")
            try await signUp("ann", first)
            let app = first.otherDevice()
            try await app.launch(at: "/notes/new_account")
            try await app.enter("ann", into: "Name")
            try await app.enter("x", into: "Password")
            try await app.tap("Create Account")
            try await app.back()
            #expect(app.errors == ["This name is taken."])

            let other = first.otherDevice()
            try await other.launch(at: "/notes/log_in")
            try await other.enter("bob", into: "Name")
            try await other.enter("x", into: "Password")
            try await other.tap("Log In")
            #expect(other.errorText == "There is no account of that name. Accounts last while the server runs.")
            try await other.back()
            try await other.enter("ann", into: "Name")
            try await other.enter("", into: "Password")
            try await other.tap("Log In")
            #expect(other.errorText == "Please enter a password: any will do.")
        }
    }

    @Test(arguments: [
        ("\n  \nMilk\neggs", "Milk"),
        ("", "Untitled"),
        (String(repeating: "a", count: 41), String(repeating: "a", count: 39) + "…"),
    ])
    func `A note's title is its first line`(text: String, title: String) {
        #expect(Note(id: "1", owner: "ann", text: text).title == title)
    }
}
