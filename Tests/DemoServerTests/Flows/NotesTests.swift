import Applin
import Backlot
import Testing

@testable import demo_server

struct NotesTests {
    /// A client of somebody with an account.
    private func user(_ name: String, _ mount: DemoMount, _ server: any Handler) async throws -> DemoClient {
        let client = DemoClient(mount, server)
        let input: JSONObject = ["notes_new_name": .string(name), "notes_new_password": "secret"]
        let answer = try await client.post("/notes/new_account/submit", input)
        #expect(answer.status == 200, "\(answer.text)")
        return client
    }

    /// Writes a note as a client does, and returns the path of its page.
    private func write(_ text: String, _ client: DemoClient) async throws -> String {
        let page = try await client.page("/notes/new")
        let variable = try #require(page.inputs.first?.name)
        let answer = try await client.post(try #require(page.arguments("rpc").first), [variable: .string(text)])
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(try await client.page("/notes").arguments("push").first { $0 != "/notes/new" })
    }

    /// Saves a text in a note, as the page's back button does.
    private func save(_ text: String, _ page: PageJSON, _ client: DemoClient) async throws -> DemoClient.Answer {
        let variable = try #require(page.inputs.first?.name)
        let rpc = try #require(page.arguments("rpc").first { $0.contains("/save/") })
        return try await client.post(rpc, [variable: .string(text)])
    }

    @Test(arguments: DemoMount.all)
    func `From an account to a note, its change and its end`(mount: DemoMount) async throws {
        let client = DemoClient(mount)
        #expect(try await client.page("/notes").arguments("push") == ["/notes/new_account", "/notes/log_in"])

        // The account, wrong at first.
        var input: JSONObject = ["notes_new_name": "a", "notes_new_password": ""]
        #expect(try await client.post("/notes/new_account/submit", input).text == "Please correct the marked fields.")
        let marked = try await client.page("/notes/new_account", input)
        #expect(marked.input("notes_new_name", "error") == "Use 3 to 20 letters and digits.")
        #expect(marked.input("notes_new_password", "error") == "Enter a password: any will do.")
        input = ["notes_new_name": "ann", "notes_new_password": "secret"]
        #expect(try await client.post("/notes/new_account/submit", input).status == 200)

        // An empty list, and a note.
        #expect(try await client.page("/notes").strings("text").contains { $0.hasPrefix("You have no notes yet.") })
        let path = try await write("Milk\nand eggs", client)
        #expect(try await client.page("/notes").strings("text").contains("Milk"))

        // The change, by the back button.
        let page = try await client.page(path)
        #expect(page.inputs.first?.value == "Milk\nand eggs")
        #expect(page.value["page"]?["start"]?["typ"] == "back_button")
        #expect(try await save("Bread", page, client).status == 200)
        #expect(try await client.page(path).inputs.first?.value == "Bread")

        // The end.
        let remove: String
        switch mount.dialect {
        case .documented:
            let question = try #require(try await client.page(path).arguments("push").first)
            remove = try #require(try await client.page(question).arguments("rpc").first)
            #expect(try await client.page(question).arguments("replace_all") == ["/notes"])
        case .objects:
            #expect(try await client.page(path).actions.contains { $0.typ == "modal" })
            #expect(try await client.page(path).strings("text").contains("!Delete"))
            remove = try #require(try await client.page(path).arguments("rpc").first { $0.hasSuffix("/remove") })
        }
        #expect(try await client.post(remove).status == 200)
        let gone = try await client.send(.get, path)
        #expect(gone.status == 404)
        #expect(gone.text == "This note is not here: it may have been deleted.")
        #expect(try await client.post(remove).status == 404)
        #expect(try await save("Butter", page, client).status == 404)
        #expect(try await client.page("/notes").strings("text").contains { $0.hasPrefix("You have no notes yet.") })

        // And the way out.
        #expect(try await client.post("/log_out").status == 200)
        client.forgetSession()
        #expect(try await client.send(.get, "/notes/new").status == 403)
        input = ["notes_name": "ann", "notes_password": "another"]
        #expect(try await client.post("/notes/log_in/submit", input).status == 200)
        #expect(try await client.page("/notes").strings("title").contains("You are ann"))
    }

    @Test(arguments: DemoMount.all)
    func `Two users don't see each other's notes`(mount: DemoMount) async throws {
        let server = DemoClient.server()
        let ann = try await user("ann", mount, server)
        let bob = try await user("bob", mount, server)
        let path = try await write("Ann's secret", ann)
        #expect(try await !bob.page("/notes").strings("text").contains("Ann's secret"))
        let page = try await ann.page(path)
        let answers = [
            try await bob.send(.get, path), try await bob.post(path), try await save("Bob's", page, bob),
            try await bob.post("\(path)/remove"),
        ]
        for answer in answers {
            #expect(answer.status == 403)
            #expect(answer.text == "This note is somebody else's.")
        }
        let stranger = DemoClient(mount, server)
        #expect(try await stranger.send(.get, path).text == "Please log in to see your notes.")
        #expect(try await ann.page(path).inputs.first?.value == "Ann's secret")
    }

    @Test(arguments: DemoMount.all)
    func `Each version of each note has a variable of its own`(mount: DemoMount) async throws {
        let client = try await user("ann", mount, DemoClient.server())
        var names: Set<String> = []
        for text in ["one", "two"] {
            names.insert(try #require(try await client.page("/notes/new").inputs.first?.name))
            let path = try await write(text, client)
            let page = try await client.page(path)
            names.insert(try #require(page.inputs.first?.name))
            #expect(try await save("\(text) again", page, client).status == 200)
            names.insert(try #require(try await client.page(path).inputs.first?.name))
        }
        #expect(names.count == 6)
    }

    @Test(arguments: DemoMount.all)
    func `What another device has saved is not overwritten`(mount: DemoMount) async throws {
        let server = DemoClient.server()
        let phone = try await user("ann", mount, server)
        let path = try await write("first", phone)
        let page = try await phone.page(path)
        #expect(try await save("from the phone", page, phone).status == 200)
        // The tablet still shows the first version. To send the same text twice does no harm.
        #expect(try await save("from the phone", page, phone).status == 200)
        let answer = try await save("from the tablet", page, phone)
        #expect(answer.status == 422)
        #expect(answer.text.hasPrefix("This note was changed on another device meanwhile"))
        #expect(try await phone.page(path).inputs.first?.value == "from the phone")
    }

    @Test(arguments: [
        (" \n", 422, "An empty note can't be saved."),
        (String(repeating: "é", count: 2001), 422, "A note has at most 2000 characters; this one has 2001."),
    ])
    func `A text that is no note is refused`(text: String, status: Int, reason: String) async throws {
        let client = try await user("ann", .objects, DemoClient.server())
        let answer = try await save(text, try await client.page("/notes/new"), client)
        #expect(answer.status == status)
        #expect(answer.text == reason)
    }

    @Test(arguments: DemoMount.all)
    func `Other paths below notes are not found, and a draft is no note`(mount: DemoMount) async throws {
        let client = try await user("ann", mount, DemoClient.server())
        let save = try #require(try await client.page("/notes/new").arguments("rpc").first)
        let draft = try #require(save.split(separator: "/").dropFirst().first)
        for path in ["/notes/\(draft)", "/notes/nothing"] {
            #expect(try await client.send(.get, path).status == 404)
            #expect(try await client.post("\(path)/remove").status == 404)
        }
        #expect(try await client.post("/notes/\(draft)/save/x").status == 404)
    }

    @Test func `A user's notes are bounded`() async throws {
        let store = MemoryNoteStore()
        for number in 0..<MemoryNoteStore.maximumCount {
            try await store.save("\(number)", in: await store.draft(of: "ann").id, version: 0)
        }
        let draft = await store.draft(of: "ann")
        await #expect(throws: NoteError.tooMany(limit: MemoryNoteStore.maximumCount)) {
            try await store.save("one more", in: draft.id, version: 0)
        }
        #expect(await store.notes(of: "ann").count == MemoryNoteStore.maximumCount)
        try await store.save("Bob's first", in: await store.draft(of: "bob").id, version: 0)
        let oldest = try #require(await store.notes(of: "ann").last)
        await store.remove(oldest.id)
        try await store.save("one more", in: draft.id, version: 0)
        #expect(await store.notes(of: "ann").first?.text == "one more")
    }

    @Test func `Accounts are bounded, and a name is taken once`() async throws {
        let store = MemoryAccountStore()
        try await store.create("ann")
        await #expect(throws: AccountError.nameTaken) { try await store.create("ann") }
        for number in 1..<MemoryAccountStore.maximumCount { try await store.create("user\(number)") }
        await #expect(throws: AccountError.tooMany) { try await store.create("bob") }
    }

    @Test(arguments: DemoMount.all)
    func `A name that is taken or unknown is refused with a text`(mount: DemoMount) async throws {
        let server = DemoClient.server()
        _ = try await user("ann", mount, server)
        let client = DemoClient(mount, server)
        let taken: JSONObject = ["notes_new_name": "ann", "notes_new_password": "x"]
        #expect(try await client.post("/notes/new_account/submit", taken).status == 422)
        #expect(try await client.page("/notes/new_account", taken).strings("error") == ["This name is taken."])
        let unknown = try await client.post("/notes/log_in/submit", ["notes_name": "bob", "notes_password": "x"])
        #expect(unknown.status == 422)
        #expect(unknown.text == "There is no account of that name. Accounts last while the server runs.")
        let empty = try await client.post("/notes/log_in/submit", ["notes_name": "ann", "notes_password": ""])
        #expect(empty.text == "Please enter a password: any will do.")
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
