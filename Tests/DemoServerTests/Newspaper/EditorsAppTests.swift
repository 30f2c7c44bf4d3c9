import Applin
import Backlot
import BacklotTesting
import Floki
import FlokiSQLite
import Foundation
import TestSupport
import Testing

@testable import demo_server

/// The newsroom, as editors use it.
@Suite(.timeLimit(.minutes(5))) struct EditorsAppTests {
    /// 2026-11-23 10:00 UTC
    private static let now = 1_795_428_000
    private static let password = "open-sesame"

    private let newspaper = NewspaperApp(store: NewspaperStock.memoryStore())

    private func withNewsroom(
        password: String? = EditorsAppTests.password,
        at path: String = EditorsApp.path,
        over reach: ClientReach = .inProcess,
        _ body: (ApplinClient) async throws -> Void
    ) async throws {
        let router = Router()
        newspaper.register(on: router, record: nil)
        EditorsApp(app: newspaper, access: EditorAccess(password: password), clock: SessionClock { Self.now })
            .register(on: router, sessions: MemorySessionStore())
        try await withApplinClient(router, at: path, over: reach, body)
    }

    private func logIn(_ app: ApplinClient) async throws {
        try await app.launch()
        try await app.enter(Self.password, into: "Password")
        try await app.tap("Log In")
        #expect(app.texts.contains("Published"))
    }

    /// As ``withNewsroom(password:over:_:)``, for an editor who has logged in.
    private func withEditor(
        over reach: ClientReach = .inProcess,
        _ body: (ApplinClient) async throws -> Void
    ) async throws {
        try await withNewsroom(over: reach) { app in
            try await logIn(app)
            try await body(app)
        }
    }

    /// Types an English title, and taps a button, which leads back to the list.
    private func save(_ title: String, by button: String = "Publish", _ app: ApplinClient) async throws {
        try await app.enter(title, into: "English title")
        try await app.tap(button)
        #expect(app.stack == ["/"], "\(app.errorText ?? "")")
    }

    private func item(_ id: Int, _ language: String, draft: Bool = false) async throws -> Item? {
        try await newspaper.news.entry(id, language: language, draft: draft)
    }

    private func post(_ path: String, _ variables: JSONObject, _ app: ApplinClient) async throws -> DemoClient.Response
    {
        let body = JSONValue.object(variables).bytes
        return try await DemoClient(.documented, app).send(.post, fromRoot: EditorsApp.path + path, body: body)
    }

    // MARK: In and out

    @Test(arguments: ClientReach.allCases)
    func `An editor logs in, and out again`(reach: ClientReach) async throws {
        try await withNewsroom(over: reach) { app in
            try await app.launch()
            #expect(app.value(of: "Name") == "editor")
            try await app.enter("open-sesam", into: "Password")
            try await app.tap("Log In")
            #expect(app.errorText == "Name or password is wrong.")
            try await app.back()
            try await app.enter(Self.password, into: "Password")
            try await app.enter("edith", into: "Name")
            try await app.tap("Log In")
            #expect(app.errorText == "Name or password is wrong.")
            try await app.back()
            try await app.enter("editor", into: "Name")
            try await app.tap("Log In")
            #expect(app.buttons.prefix(4) == ["New story", "Breaking news", "Drafts", "The harbour, filmed"])
            try await app.tap("Log out")
            #expect(app.buttons == ["Log In"])
        }
    }

    @Test(arguments: EditorsApp.mounts)
    func `Clients of each dialect have the newsroom`(mount: DemoMount) async throws {
        try await withNewsroom(at: mount.path) { app in
            #expect(app.version == mount.dialect.versions.upperBound)
            try await logIn(app)
            try await app.tap("New story")
            try await save("A story of \(mount.dialect)", app)
            try await app.tap("A story of \(mount.dialect)")
            try await app.tap("Remove…")
            try await app.tap("Keep")
            #expect(app.findings.isEmpty)
        }
    }

    @Test func `Without a password, nobody gets in`() async throws {
        try await withNewsroom(password: nil) { app in
            try await app.launch()
            #expect(app.buttons.isEmpty)
            #expect(app.texts == ["These pages are closed: their server was started without a --desk-password."])
            for password in ["", "nil", "editor"] {
                let response = try await post(
                    "log_in",
                    ["desk_name": "editor", "desk_password": .string(password)],
                    app
                )
                #expect(response.status == 422)
            }
        }
    }

    @Test func `Strangers reach no page and no rpc but the log-in`() async throws {
        var stores = DemoStores()
        stores.newspaper = newspaper
        stores.desk = EditorAccess(password: Self.password)
        let router = Router.demo(stores)
        let client = DemoClient(.documented, stores: stores)
        let open: Set = ["", "log_in", "log_out", "items", "objects"]
        var count = 0
        for route in router.routes where route.path.hasPrefix(EditorsApp.path) {
            let mount = EditorsApp.mounts.last { route.path.hasPrefix($0.path) }?.path ?? EditorsApp.path
            let name = String(route.path.dropFirst(mount.count))
            if open.contains(name) { continue }
            let path =
                mount
                + name.replacing("{id}", with: "1").replacing("{revisions}", with: "1-1")
                .replacing("{others}", with: "1-1").replacing("{place}", with: "1-1").replacing("{token}", with: "a")
            let response = try await client.send(route.method, fromRoot: path, body: Array("{}".utf8)).withStatus(403)
            #expect(response.text == "Please log in to the newsroom.")
            count += 1
        }
        #expect(count > 40)
        #expect(try await item(1, "en")?.title == "New ferry reaches the harbour")
    }

    @Test func `Another password is another user, whose sessions are new`() {
        let access = EditorAccess(password: "password-1")
        #expect(access.user == EditorAccess(password: "password-1").user)
        #expect(access.user != EditorAccess(password: "password-2").user)
        #expect(EditorAccess().user != EditorAccess().user)
        #expect(access.admits(name: "editor", password: "password-1"))
        #expect(!access.admits(name: "Editor", password: "password-1"))
        #expect(!access.admits(name: "editor", password: "password-"))
        #expect(!EditorAccess().admits(name: "editor", password: ""))
    }

    @Test func `Guessing is slow`() async throws {
        try await withNewsroom { app in
            try await app.launch()
            var statuses: [Int] = []
            for _ in 0..<25 {
                statuses.append(try await post("log_in", ["desk_name": "editor", "desk_password": "x"], app).status)
            }
            #expect(statuses.first == 422 && statuses.last == 429)
        }
    }

    // MARK: Stories

    @Test(arguments: ClientReach.allCases)
    func `A story from its first draft to its end`(reach: ClientReach) async throws {
        try await withEditor(over: reach) { app in
            try await app.tap("New story")
            try await app.enter("Snow in the harbour", into: "English title")
            try await app.enter("It lies on the masts.\n\nNobody slips.", into: "English text")
            try await app.choose("Culture", from: "Section")
            try await app.enter("snow, harbour , snow", into: "Tags, with commas between them")
            try await app.tap("Save as a draft")
            #expect(app.stack == ["/"], "\(app.errorText ?? "")")
            #expect(try await item(11, "en") == nil)
            #expect(try await item(11, "en", draft: true)?.tags == ["snow", "harbour"])

            // The draft is in its list, and gets its Spanish texts there.
            try await app.tap("Drafts")
            try await app.tap("Snow in the harbour")
            #expect(app.texts.contains("English: a draft."))
            try await app.enter("Nieve en el puerto", into: "Spanish title")
            try await app.enter("2026-11-24 08:00", into: "Ends at, such as 2026-12-01 18:00 in UTC")
            try await app.tap("Publish")
            #expect(app.stack == ["/"], "\(app.errorText ?? "")")
            #expect(app.texts.contains("Snow in the harbour"))
            #expect(app.texts.contains("English and Spanish, until 2026-11-24 08:00 UTC"))
            let (english, spanish) = (try await item(11, "en"), try await item(11, "es"))
            #expect(english?.page?.hasPrefix("<p>It lies on the masts.</p>\n<p>Nobody slips.</p>") == true)
            #expect(english?.sectionIDs == [1] && spanish?.sectionIDs == [1])
            #expect(spanish?.title == "Nieve en el puerto" && spanish?.body == "")
            #expect(english?.revision == spanish?.revision)
            #expect(try await item(11, "en", draft: true) == nil)

            // The Spanish texts go again.
            try await app.tap("Snow in the harbour")
            try await app.enter("", into: "Spanish title")
            try await app.tap("Publish")
            #expect(try await item(11, "es") == nil)

            try await app.tap("Snow in the harbour")
            try await app.tap("Remove…")
            try await app.tap("Keep")
            try await app.tap("Remove…")
            try await app.tap("Remove")
            #expect(app.stack == ["/"])
            #expect(!app.texts.contains("Snow in the harbour"))
            #expect(try await item(11, "en") == nil)
        }
    }

    @Test func `A draft stands beside its story until it is published or discarded`() async throws {
        try await withEditor { app in
            try await app.tap("A library under the bridge")
            try await app.enter("A new title", into: "English title")
            try await app.tap("Save as a draft")
            #expect(try await item(7, "en")?.title == "A library under the bridge")
            try await app.tap("A library under the bridge")
            #expect(app.texts.contains("English: a draft beside the published story."))
            #expect(app.value(of: "English title") == "A new title")
            try await app.tap("Discard the draft")
            try await app.tap("A library under the bridge")
            #expect(app.value(of: "English title") == "A library under the bridge")
            #expect(!app.buttons.contains("Discard the draft"))
        }
    }

    @Test func `A scheduled story waits for its time`() async throws {
        try await withEditor { app in
            try await app.tap("New story")
            try await app.enter("Tomorrow", into: "English title")
            try await app.tap("Schedule")
            #expect(app.errorText?.hasSuffix("Write when to publish, such as 2026-12-01 18:00, in UTC.") == true)
            try await app.back()
            try await app.enter("2026-11-23 09:59", into: "Published at, such as 2026-12-01 18:00 in UTC")
            try await app.tap("Schedule")
            try await app.back()
            #expect(app.errors == ["This time has passed: it is 2026-11-23 10:00 UTC."])
            try await app.enter("2026-11-23 10:01", into: "Published at, such as 2026-12-01 18:00 in UTC")
            try await app.tap("Schedule")
            #expect(app.stack == ["/"], "\(app.errorText ?? "")")
            try await app.tap("Drafts")
            #expect(app.texts.contains("English, published at 2026-11-23 10:01 UTC"))
            #expect(try await newspaper.news.store.publishDrafts(dueAt: Self.now + 59) == Self.now + 60)
            #expect(try await item(11, "en") == nil)
            #expect(try await newspaper.news.store.publishDrafts(dueAt: Self.now + 60) == nil)
            #expect(try await item(11, "en")?.title == "Tomorrow")
        }
    }

    @Test func `What an editor doesn't see of a story stays as it is`() async throws {
        try await withEditor { app in
            let before = try await item(10, "en")
            try await app.tap("The harbour, filmed")
            try await app.enter("Filmed", into: "English title")
            try await app.tap("Publish")
            let after = try await item(10, "en")
            #expect(after?.title == "Filmed")
            #expect(after?.video == "harbour" && after?.controller != nil && after?.page == nil)
            #expect(after?.sortID == before?.sortID && after?.shareURL == before?.shareURL)
            // A story that nobody changes keeps its page, also one that the newsroom hasn't written.
            let page = try await item(9, "en")?.page
            try await app.tap("Who we are")
            try await app.tap("Publish")
            #expect(try await item(9, "en")?.page == page)
        }
    }

    @Test func `Breaking news has its tag, and is published at once`() async throws {
        try await withEditor { app in
            try await app.tap("Breaking news")
            #expect(app.buttons == ["Publish, and call the phones"])
            try await app.enter("Ferry sinks", into: "English title")
            try await app.enter("Se hunde el ferry", into: "Spanish title")
            try await app.tap("Publish, and call the phones")
            #expect(app.stack == ["/"], "\(app.errorText ?? "")")
            for language in NewspaperApp.languages { #expect(try await item(11, language)?.tags == ["breaking"]) }
            // The next one begins anew.
            try await app.tap("Breaking news")
            #expect(app.value(of: "English title") == "")
        }
    }

    @Test func `Long lists have pages`() async throws {
        let items = (100..<150).map { Floki.item($0, "Story \($0)").sections(1) }
        try await newspaper.news.save(items, language: "en")
        try await newspaper.news.save(items.filter { $0.id % 2 == 0 }, language: "es")
        try await withEditor { app in
            var titles: [String] = []
            while true {
                titles += app.texts.filter { $0.hasPrefix("Story ") }
                guard app.buttons.contains("More") else { break }
                try await app.tap("More")
            }
            #expect(titles == items.reversed().map(\.title))
            #expect(app.texts.contains("A library under the bridge"))
        }
    }

    // MARK: Two editors

    @Test(arguments: ClientReach.allCases)
    func `Who saves over another's change sees both versions, and chooses`(reach: ClientReach) async throws {
        try await withNewsroom(over: reach) { phone in
            let tablet = phone.otherDevice()
            for app in [phone, tablet] {
                try await logIn(app)
                try await app.tap("Old bridge closed for a week")
            }
            try await save("Old bridge closed for a month", phone)
            try await tablet.enter("Old bridge opens again", into: "English title")
            try await tablet.tap("Publish")
            #expect(tablet.errorText?.hasPrefix("Somebody else has changed this story meanwhile") == true)
            #expect(try await item(3, "en")?.title == "Old bridge closed for a month")
            try await tablet.back()
            #expect(tablet.texts.contains("English: Old bridge closed for a month"))
            #expect(tablet.value(of: "English title") == "Old bridge opens again")
            #expect(!tablet.buttons.contains("Publish"))

            // While the tablet's editor thinks, the phone saves once more: what was not seen is not lost either.
            try await phone.tap("Old bridge closed for a month")
            try await save("Old bridge closed for a year", phone)
            try await tablet.tap("Publish, with my version")
            #expect(tablet.errorText?.hasPrefix("Somebody else has changed this story meanwhile") == true)
            try await tablet.back()
            #expect(tablet.texts.contains("English: Old bridge closed for a year"))
            try await tablet.tap("Publish, with my version")
            #expect(tablet.stack == ["/"], "\(tablet.errorText ?? "")")
            #expect(try await item(3, "en")?.title == "Old bridge opens again")
            #expect(try await item(3, "es")?.title == "El puente viejo, cerrado una semana")

            // A story that is gone is back only if the editor wants it.
            try await tablet.tap("Old bridge opens again")
            try await newspaper.news.remove([3])
            try await tablet.tap("Publish")
            #expect(tablet.errorText?.hasPrefix("Somebody else has changed this story meanwhile") == true)
            #expect(try await item(3, "en") == nil)
            try await tablet.back()
            #expect(tablet.texts.contains("English: removed."))
            try await tablet.tap("Publish, with my version")
            #expect(tablet.stack == ["/"], "\(tablet.errorText ?? "")")
            #expect(try await item(3, "en")?.title == "Old bridge opens again")
        }
    }

    @Test func `The other version can stay`() async throws {
        try await withEditor { app in
            try await app.tap("Old bridge closed for a week")
            try await newspaper.news.update(3, language: "es") { item in
                item.title = "Otro título"
                item.tags = ["puente", "obras"]
                item.sectionIDs = [2]
                item.expirationDate = Date(timeIntervalSince1970: Double(Self.now + 3600))
            }
            try await app.enter("Mine", into: "English title")
            try await app.tap("Save as a draft")
            try await app.back()
            #expect(app.texts.contains("Spanish: Otro título"))
            #expect(app.texts.contains("Section: Sports. Tags: puente, obras. Ends: 2026-11-23 11:00 UTC."))
            #expect(!app.texts.contains { $0.hasPrefix("English: Old bridge") })
            try await app.tap("Leave it as it is there")
            #expect(app.stack == ["/"])
            #expect(try await item(3, "en")?.title == "Old bridge closed for a week")
            #expect(try await item(3, "en", draft: true) == nil)
        }
    }

    @Test func `Nobody removes or discards what another editor has changed meanwhile`() async throws {
        try await withNewsroom { phone in
            let tablet = phone.otherDevice()
            for app in [phone, tablet] {
                try await logIn(app)
                try await app.tap("Old bridge closed for a week")
            }
            try await save("Old bridge closed for a month", by: "Save as a draft", phone)
            try await tablet.tap("Remove…")
            try await tablet.tap("Remove")
            #expect(tablet.errorText?.hasPrefix("Somebody else has changed this story meanwhile") == true)
            #expect(try await item(3, "en") != nil)
            #expect(try await item(3, "en", draft: true)?.title == "Old bridge closed for a month")

            let desk = tablet.otherDevice()
            try await logIn(desk)
            try await desk.tap("Old bridge closed for a week")
            try await phone.tap("Old bridge closed for a week")
            try await save("Old bridge closed for a year", by: "Save as a draft", phone)
            try await desk.tap("Discard the draft")
            #expect(desk.errorText?.hasPrefix("Somebody else has changed this story meanwhile") == true)
            #expect(try await item(3, "en", draft: true)?.title == "Old bridge closed for a year")
        }
    }

    @Test func `Of two editors who remove a story and discard its draft at once, one is told`() async throws {
        try await withEditor { app in
            let (transport, jar) = (app.httpSession.transport, app.httpSession.cookies)
            for id in 60..<80 {
                var story = Floki.item(id, "Story", "Text").sections(1)
                try await newspaper.news.save([story], language: "en")
                story.publication = .draft
                try await newspaper.news.save([story], language: "en")
                let revision = try #require(try await item(id, "en", draft: true)?.revision)
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for step in ["discard/\(revision)-0", "remove/\(revision)-0/all"] {
                        let url = try HTTPURL("http://\(app.baseURL.authority)\(EditorsApp.path)stories/\(id)/\(step)")
                        var request = ClientRequest(.post, url, body: Array("{}".utf8))
                        request.headers[.cookie] = jar.header(for: url, now: 0)
                        group.addTask { [request] in
                            Int(try await transport.response(to: request, limits: ClientLimits()).status.code)
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses.count { $0 == 200 } == 1, "\(statuses)")
            }
        }
    }

    @Test func `An edit keeps what its inputs can't show`() async throws {
        let end = Date(timeIntervalSince1970: Double(Self.now + 3630))
        let english = Floki.item(60, "English", "Text").sections(3, 1).tags("city hall", "c++").expires(at: end)
        let spanish = Floki.item(60, "Spanish", "Texto").sections(2).tags("ayuntamiento")
        try await newspaper.news.save([english], language: "en")
        try await newspaper.news.save([spanish], language: "es")
        try await withEditor { app in
            try await app.tap("English")
            try await save("Changed", app)
            var (first, second) = (try await item(60, "en"), try await item(60, "es"))
            #expect(first?.title == "Changed" && first?.tags == ["city hall", "c++"] && first?.sectionIDs == [3, 1])
            #expect(first?.expirationDate == end && second?.expirationDate == nil)
            #expect(second?.tags == ["ayuntamiento"] && second?.sectionIDs == [2])

            try await app.tap("Changed")
            try await app.enter("c++, city hall, new words", into: "Tags, with commas between them")
            try await app.tap("Publish")
            #expect(app.stack == ["/"], "\(app.errorText ?? "")")
            (first, second) = (try await item(60, "en"), try await item(60, "es"))
            #expect(first?.tags == ["c++", "city hall", "new-words"] && second?.tags == first?.tags)
            #expect(first?.sectionIDs == [3, 1] && second?.sectionIDs == [2])
        }
    }

    // MARK: Requests that come twice

    private func newStory(_ title: String, token: String) -> JSONObject {
        var variables: JSONObject = [:]
        for language in ["en", "es"] {
            variables["story_new_\(token)_title_\(language)"] = .string(title)
            variables["story_new_\(token)_text_\(language)"] = ""
        }
        variables["story_new_\(token)_section"] = "Town"
        for name in ["tags", "expires", "publish"] { variables["story_new_\(token)_\(name)"] = "" }
        return variables
    }

    @Test(arguments: ["new/publish/a1", "new/draft/a1", "breaking/publish/a1"])
    func `A new story that is sent again is saved once`(path: String) async throws {
        try await withEditor { app in
            for _ in 0..<2 {
                try await post(path, newStory("Twice", token: "a1"), app).withStatus(200)
            }
            let isDraft = path == "new/draft/a1"
            #expect(try await item(11, "en", draft: isDraft)?.title == "Twice")
            #expect(newspaper.news.store.revision(of: "news") == 2)
            let changed = try await post(path, newStory("Twice, and changed", token: "a1"), app).withStatus(422)
            #expect(changed.text.hasPrefix("This story was saved already, as story 11"), "\(changed.text)")
            #expect(try await item(11, "es", draft: isDraft)?.title == "Twice")
            #expect(try await post(path.replacing("a1", with: "a2"), newStory("Twice", token: "a2"), app).status == 200)
            #expect(newspaper.news.store.revision(of: "news") == 3)
        }
    }

    @Test func `Requests that come at once save one story in a file of SQLite, too`() async throws {
        try await withTemporaryFolder { folder in
            let app = NewspaperApp(store: try SQLiteFeedStore("\(folder.path)/feeds.sqlite"))
            let newsroom = EditorsApp(app: app, access: EditorAccess(), clock: SessionClock { Self.now })
            var form = StoryForm(new: "a1")
            form.values[StoryForm.title("en")] = "Twice"
            let story = form
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask { try await StorySaving(editors: newsroom).save(story, .publish, token: "a1") }
                }
                try await group.waitForAll()
            }
            var titles: [String] = []
            for try await item in app.news.entries(language: "en") { titles.append(item.title) }
            #expect(titles == ["Twice"])
        }
    }

    @Test func `Where no id is left, the editor reads so`() async throws {
        _ = try await newspaper.news.store.allocateIDs(Int(Int32.max) - 10, in: "news")
        try await withEditor { app in
            let response = try await post("new/publish/a1", newStory("One more", token: "a1"), app).withStatus(422)
            #expect(response.text.hasPrefix("the feed 'news' has only 0 ids left"), "\(response.text)")
        }
    }

    // MARK: Wrong inputs

    @Test(arguments: [
        ("English title", "", "Write a title in one language at least."),
        ("Spanish text", "Sin título", "Write a title for this text."),
        ("English title", String(repeating: "x", count: 201), "Write at most 200 characters; these are 201."),
        ("English text", String(repeating: "ñ", count: 5001), "Write at most 5000 characters; these are 5001."),
        (
            "English title", String(repeating: "\u{1100}", count: 600),
            "Write at most 200 characters; these are 1800 bytes, and 1600 fit."
        ),
        (
            "English text", String(repeating: "\u{1100}", count: 20_000),
            "Write at most 5000 characters; these are 60000 bytes, and 40000 fit."
        ),
        ("Tags, with commas between them", "a/b", "Write words with commas between them"),
        ("Tags, with commas between them", (1...11).map { "t\($0)" }.joined(separator: ","), "Write at most 10 tags."),
        ("Ends at, such as 2026-12-01 18:00 in UTC", "tomorrow", "Write a time such as 2026-12-01 18:00, in UTC."),
        ("Ends at, such as 2026-12-01 18:00 in UTC", "2026-11-31 18:00", "Write a time such as 2026-12-01 18:00"),
        ("Ends at, such as 2026-12-01 18:00 in UTC", "2026-11-23 10:00", "This time has passed"),
        ("Ends at, such as 2026-12-01 18:00 in UTC", "2040-01-01 10:00", "Write a time before 2038."),
    ])
    func `A wrong input is marked, and nothing is saved`(field: String, text: String, message: String) async throws {
        try await withEditor { app in
            try await app.tap("New story")
            try await app.enter("A title", into: "English title")
            try await app.enter(text, into: field)
            try await app.tap("Publish")
            #expect(app.errorText?.hasPrefix("Please correct the marked fields.\n\(message)") == true)
            try await app.back()
            #expect(app.errors.count == 1 && app.errors.first?.hasPrefix(message) == true, "\(app.errors)")
            #expect(try await item(11, "en") == nil)
        }
    }

    @Test(arguments: [
        ("stories/0", 404), ("stories/99", 404), ("stories/x", 404), ("stories/99999999999999999999", 404),
        ("stories/99/remove/1-1", 404), ("stories/3/remove/1", 404), ("drafts/x", 404), ("published/1", 404),
        ("published/1-x", 404),
    ])
    func `An unknown page is not here`(path: String, status: Int) async throws {
        try await withEditor { app in
            let response = try await DemoClient(.documented, app).send(.get, fromRoot: EditorsApp.path + path)
            #expect(response.status == status, "\(response.text)")
        }
    }

    @Test(arguments: [
        ("stories/3/publish/1", 404), ("stories/3/publish/1-1-1", 404), ("stories/3/publish/a-b", 404),
        ("stories/3/publish/1-1", 400), ("stories/3/publish/1-1/over/1-1", 400), ("stories/99/publish/1-1", 400),
        ("new/publish/-", 404), ("new/publish/a", 400), ("breaking/draft/a", 404),
        ("new/publish/0", 404), ("stories/99/discard/1-1", 404), ("stories/3/discard/1", 404),
        ("stories/3/discard/1-2", 422), ("stories/3/remove/2-1/all", 422), ("stories/3/remove/x/all", 404),
    ])
    func `Requests that no client sends change nothing`(path: String, status: Int) async throws {
        try await withEditor { app in
            let response = try await post(path, [:], app)
            #expect(response.status == status, "\(response.text)")
            #expect(try await item(3, "en")?.revision == 1)
        }
    }

    @Test func `A page of another site can't make an editor's browser publish`() async throws {
        try await withEditor { app in
            try await DemoClient(.documented, app).send(
                .post,
                fromRoot: "\(EditorsApp.path)stories/3/remove/1-1/all",
                headers: [.origin: "https://evil.example", .contentType: "text/plain"],
                body: Array("{}".utf8)
            ).withStatus(403)
            #expect(try await item(3, "en") != nil)
        }
    }
}
