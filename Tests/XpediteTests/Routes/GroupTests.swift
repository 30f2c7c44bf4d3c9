import Backlot
import Testing

@testable import Xpedite

/// Groups with guards, and what frames and notices add to pages.
@Suite(.timeLimit(.minutes(5))) struct GroupTests {
    private struct Entry: Codable {
        var name: String
    }

    private struct RequireCoin: CallGuard {
        func check(_ call: Call) async throws {
            guard call.parameter("coin") != nil else { throw StatusError(.forbidden, "A coin, please.") }
        }
    }

    private struct Broken: Error {}

    private struct AlwaysBroken: CallGuard {
        func check(_ call: Call) throws { throw Broken() }
    }

    private let calls = Locked<[String]>([])

    private func makeApp() throws -> TestApp {
        let calls = calls
        @Sendable func response(_ call: Call) -> Page {
            calls.withLock { $0.append(call.method) }
            return page { label(call.method) }
        }
        return try TestApp { app in
            app.connect { _ in page { form(id: "f") { textbox(name: "name") }.save("save") } }
            app.method("open") { response($0) }
            app.method("logIn") { call in
                try call.session.logIn(user: "ann")
                return response(call)
            }
            app.group(RequireLogin("Please log in first.")) { members in
                members.method("member") { response($0) }
                members.method("save", Entry.self, form: "f") { _, _ in
                    calls.withLock { $0.append("check") }
                    return ["name": "is taken"]
                } handler: { _, call in
                    response(call)
                }
                members.table("rows") { _, _, _ in [Entry(name: "a")] }
                members.group(RequireCoin()) { $0.method("paid") { response($0) } }
            }
            app.group(AlwaysBroken()) { $0.method("broken") { response($0) } }
            app.group { $0.method("unguarded") { response($0) } }
        }
    }

    @Test
    func `A router that nobody uses is freed with its app and its sessions`() {
        weak var router: Router?
        do {
            let used = Router()
            used.xpedite("/x", version: 1) { app in
                app.connect { _ in page { label("first") } }
                app.method("open") { _ in page { label("open") } }
                app.group(RequireCoin()) { $0.method("paid") { _ in page { label("paid") } } }
            }
            _ = used.handler()
            router = used
            #expect(router != nil)
        }
        #expect(router == nil)
    }

    @Test(
        arguments: [
            ("open", [:], "open", "open"), ("unguarded", [:], "unguarded", "unguarded"),
            ("member", [:], "Please log in first.", "member"),
            ("paid", [:], "Please log in first.", "A coin, please."),
            ("paid", ["coin": 1], "Please log in first.", "paid"),
            ("broken", [:], "Something went wrong. Please try again.", "Something went wrong. Please try again."),
        ] as [(String, JSONObject, String, String)]
    )
    func `A call passes the guards of its group`(
        method: String,
        parameters: JSONObject,
        stranger: String,
        member: String
    ) async throws {
        let app = try makeApp()
        let token = JSONValue.string(try await app.connect())
        var packet: JSONObject = ["method": .string(method), "token": token, "parameters": .object(parameters)]
        let refusal = try await app.send(packet)
        #expect(refusal.label == stranger)
        #expect(calls.withLock { $0 } == (stranger == method ? [method] : []))
        #expect((refusal["rc"] == 0) == (stranger == method))
        packet["token"] = try await app.send(["method": "logIn", "token": token])["token"]
        #expect(try await app.send(packet).label == member)
    }

    @Test func `A guard comes before the form's check, and before rows`() async throws {
        let app = try makeApp()
        var token = JSONValue.string(try await app.connect())
        var form: JSONObject = ["method": "save", "token": token, "formdata": ["f": ["name": "x"]]]
        #expect(try await app.send(form).label == "Please log in first.")
        #expect(calls.withLock { $0 } == [])
        #expect(try await app.send(["method": "rows", "token": token])["rc"] == 1)
        token = try await app.send(["method": "logIn", "token": token])["token"] ?? .null
        form["token"] = token
        let fields = try await app.send(form)["components"]?[0]?["components"]
        #expect(fields?[0]?["title"] == "is taken")
        #expect(try await app.send(["method": "rows", "token": token])["data"] == [["name": "a"]])
    }

    @Test func `A group has no first page of its own, and names are the app's`() {
        let router = Router()
        router.xpedite("/xpedite", version: 1) { app in
            app.connect { _ in page {} }
            app.method("a") { _ in page {} }
            app.group(RequireLogin()) { members in
                members.connect { _ in page {} }
                members.method("a") { _ in page {} }
                members.frame { _ in label("a") }
                members.frame { _ in label("b") }
            }
        }
        let error = #expect(throws: StartupError.self) { try router.handler().prepare() }
        let problems = [
            "app.connect is called in a group", "the method 'a' is declared twice", "frame is called twice",
        ]
        #expect(error?.problems.count == problems.count)
        for (found, expected) in zip(error?.problems ?? [], problems) { #expect(found.contains(expected)) }
    }

    private func texts(_ response: JSONValue) -> [String] {
        (response["components"]?.array ?? []).map { $0["text"]?.string ?? $0["type"]?.string ?? "?" }
    }

    private func makeFramedApp() throws -> TestApp {
        try TestApp { app in
            app.method("plain") { _ in page { label("plain") } }
            app.connect { _ in page { label("first") } }
            app.frame { call in
                slideFrom(.left, id: "menu") { menuEntry("Home", "plain") }
                if let user = call.session.user { label("user \(user)") }
            } below: { _ in
                label("end")
            }
            app.method("logIn") { call in
                try call.session.logIn(user: "ann")
                return page { label("in") }.notice("Welcome.")
            }
            app.method("bare") { _ in page { label("bare") }.unframed() }
            app.method("refuses") { _ in throw UserError("No.") }
            app.method("dialog") { _ in page { label("dialog") }.rc(9) }
            app.method("busy") { call in page { label("busy \(call.method)") } }
            app.table("rows") { _, _, _ in [Entry(name: "a")] }
            app.group { group in
                group.frame { _ in label("inner") }
                group.method("inner") { _ in
                    page {
                        barButton(.right) { menuEntry("plain") }
                        label("own")
                    }
                    .id("p").disposition(.permanent)
                }
                group.method("saved") { _ in
                    page {
                        barButton(.right) { menuEntry("plain") }
                        label("own")
                    }
                    .notice("Saved.").id("p").disposition(.permanent)
                }
                group.method("noticed") { _ in page {}.notice(label("Look").color("#FF0000")).notice(nil as String?) }
            }
        }
    }

    @Test(arguments: [
        ("plain", ["navigation", "plain", "end"]),
        ("logIn", ["navigation", "user ann", "Welcome.", "in", "end"]),
        ("bare", ["bare"]), ("refuses", ["No."]), ("dialog", ["dialog"]),
        ("inner", ["navigation", "inner", "navigation", "own", "end"]),
        ("saved", ["navigation", "inner", "navigation", "Saved.", "own", "end"]),
        ("noticed", ["navigation", "inner", "Look", "end"]),
    ])
    func `Pages stand in the frames of their groups`(method: String, expected: [String]) async throws {
        let app = try makeFramedApp()
        let token = JSONValue.string(try await app.connect())
        #expect(texts(try await app.send(["method": .string(method), "token": token])) == expected)
    }

    @Test func `The first page has the frame, rows have none`() async throws {
        let app = try makeFramedApp()
        let first = try await app.send(["method": "setConnection"])
        #expect(texts(first) == ["navigation", "first", "end"])
        let rows = try await app.send(["method": "rows", "token": first["token"] ?? .null])
        #expect(rows["data"] == [["name": "a"]])
        #expect(rows["components"] == nil)
    }

    @Test func `A page with a notice isn't kept`() async throws {
        let app = try makeFramedApp()
        let token = JSONValue.string(try await app.connect())
        let kept = try await app.send(["method": "inner", "token": token])
        let saved = try await app.send(["method": "saved", "token": token])
        #expect(kept["disposition"] == "permanent")
        #expect(saved["disposition"] == nil)
        #expect(saved["id"] == "p")
        #expect(
            saved["components"]?[3] == [
                "type": "label", "text": "Saved.", "align": "centre", "color": "#1B5E20", "background": "#E8F5E9",
            ]
        )
    }
}
