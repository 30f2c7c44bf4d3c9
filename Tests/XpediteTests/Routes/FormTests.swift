import Backlot
import Testing

@testable import Xpedite

/// The server checks a form from a client, and sends it back with the typed values and with messages.
@Suite(.timeLimit(.minutes(5))) struct FormTests {
    private struct Entry: Decodable {
        var name: String
        var pin: String?
        var age: Int?
        var dob: Day?
        var active: Bool?
        var country: String?
    }

    private func makeApp(configuration: XpediteConfiguration = XpediteConfiguration()) throws -> TestApp {
        try TestApp(configuration: configuration) { app in
            app.connect { _ in page { label("x") } }
            app.method("edit") { _ in
                page("Edit") {
                    label("above")
                    scrollview {
                        form(id: "f") {
                            textbox(name: "name").title("Name")
                            password(name: "pin").title("PIN")
                            textbox(name: "age")
                            date(name: "dob").title("Born")
                            checkbox(name: "active").title("Active")
                            select(name: "country", options: ["AU": "Australia", "NZ": "New Zealand"]).title("Country")
                            radio(name: "plan", options: ["A": "a"]).title("Plan")
                        }
                        .save("save")
                    }
                }
            }
            app.method("save", Entry.self, form: "f") { entry, _ in
                guard entry.name != "taken" else { throw FormErrors(["name": "is taken", "": "Look again."]) }
                return page { label("saved \(entry.name)") }
            }
        }
    }

    private func save(_ values: JSONObject, in app: TestApp) async throws -> JSONValue {
        let token = JSONValue.string(try await app.connect())
        _ = try await app.send(["method": "edit", "token": token])
        return try await app.send(["method": "save", "token": token, "formdata": ["f": .object(values)]])
    }

    private func fields(_ response: JSONValue, at index: Int = 1) -> [JSONValue] {
        response["components"]?[index]?["components"]?[0]?["components"]?.array ?? []
    }

    @Test func `A form without mistakes is saved`() async throws {
        let response = try await save(
            ["name": "Ann", "age": "7", "dob": "1990-06-15", "active": "1", "country": "AU", "plan": "A"],
            in: makeApp()
        )
        #expect(response.label == "saved Ann")
    }

    @Test(
        arguments: [
            ("dob", "15.6.1990", "Born: pick a date"), ("dob", "1990-02-30", "Born: pick a date"),
            ("active", "yes", "Active: switch it on or off"), ("active", 2, "Active: switch it on or off"),
            ("country", "XX", "Country: choose one of the options"),
            ("country", 1, "Country: choose one of the options"),
            ("plan", "B", "Plan: choose one of the options"), ("name", 5, "Name: write a text"),
            ("age", "old", "must be a whole number"),
        ] as [(String, JSONValue, String)]
    )
    func `A value that the form can't have comes back with a message`(
        name: String,
        value: JSONValue,
        title: String
    ) async throws {
        var values: JSONObject = ["name": "Ann", "pin": "1234"]
        values[name] = value
        let response = try await save(values, in: makeApp())
        #expect(response["rc"] == 0)
        #expect(response["title"] == "Edit")
        let field = try #require(fields(response, at: 1).first { $0["name"]?.string == name })
        #expect(field["title"]?.string == title)
        if name != "name" { #expect(fields(response, at: 1)[0]["value"] == "Ann") }
        #expect(XpediteRules.findings(in: response, name: "p").isEmpty)
    }

    @Test func `What the app says stands at the fields, and the rest above`() async throws {
        let response = try await save(["name": "taken", "pin": "1234", "country": "NZ"], in: makeApp())
        #expect(response.label == "Look again.")
        let fields = fields(response, at: 2)
        #expect(fields[0]["title"] == "Name: is taken")
        #expect(fields[0]["value"] == "taken")
        #expect(fields[1]["value"] == nil)
        #expect(fields[5]["value"] == "NZ")
        #expect(fields[5]["title"] == "Country")
    }

    @Test func `What is missing is named at its field`() async throws {
        let response = try await save(["pin": "1"], in: makeApp())
        #expect(fields(response)[0]["title"] == "Name: is missing")
    }

    @Test func `Messages don't pile up`() async throws {
        let app = try makeApp()
        let token = JSONValue.string(try await app.connect())
        _ = try await app.send(["method": "edit", "token": token])
        for _ in 0..<3 {
            let response = try await app.send(["method": "save", "token": token, "formdata": ["f": ["name": 5]]])
            #expect(fields(response)[0]["title"] == "Name: write a text")
            #expect(fields(response).count == 7)
        }
        let saved = try await app.send(["method": "save", "token": token, "formdata": ["f": ["name": "Ann"]]])
        #expect(saved.label == "saved Ann")
    }

    @Test func `Messages in sections, passwords and another code are a matter of readings`() async throws {
        var configuration = XpediteConfiguration()
        configuration.readings.messagePlace = .section
        configuration.readings.returnsPasswords = true
        configuration.readings.codes.returnedForm = 9
        let response = try await save(["name": "taken", "pin": "1234"], in: makeApp(configuration: configuration))
        #expect(response["rc"] == 9)
        let fields = fields(response, at: 2)
        #expect(fields[0] == ["type": "section", "title": "Name is taken"])
        #expect(fields[1]["title"] == "Name")
        #expect(fields[2]["value"] == "1234")
    }

    /// An app with a form that can be saved, left and looked up from.
    private func makeBooking() throws -> (app: TestApp, saved: Locked<Int>) {
        let saved = Locked(0)
        let app = try TestApp { app in
            app.connect { _ in page("Home") { slideFrom(.left, id: "menu") { menuEntry("Home", "home") } } }
            app.method("edit") { _ in
                page("Edit") {
                    slideFrom(.left, id: "menu") { menuEntry("Home", "home") }.shade(40.5)
                    form(id: "f") {
                        textbox(name: "name").title("Name")
                        textbox(name: "age").title("Age")
                        date(name: "dob").title("Born")
                        checkbox(name: "active")
                    }
                    .save("save").cancel("home")
                }
                .id("edit").disposition(.permanent)
            }
            app.method("save", Entry.self, form: "f") { entry, _ in
                entry.name == "taken" ? ["name": "is taken", "dob": "is a Sunday", "": "Look again."] : [:]
            } handler: { entry, _ in
                saved.withLock { $0 += 1 }
                return page { label("saved \(entry.name) \(entry.active ?? false)") }
            }
            app.method("home", Entry.self, form: "f") { entry, _ in
                guard entry.name != "taken" else { throw FormErrors(["name": "is taken"]) }
                return page { label("home \(entry.name) \(entry.age ?? -1)") }
            }
            app.method("suggest", Entry.self, form: "f") { entry, _ in
                guard entry.name != "taken" else { throw FormErrors(["name": "is taken"]) }
                return page { label("suggest \(entry.dob.map { "\($0)" } ?? "no day")") }
            }
        }
        return (app, saved)
    }

    private func edit(_ app: TestApp) async throws -> JSONValue {
        let token = JSONValue.string(try await app.connect())
        _ = try await app.send(["method": "edit", "token": token])
        return token
    }

    private func post(
        _ method: String,
        _ values: JSONObject,
        _ token: JSONValue,
        _ app: TestApp
    ) async throws -> JSONValue {
        try await app.send(["method": .string(method), "token": token, "formdata": ["f": .object(values)]])
    }

    @Test func `All that is wrong is told at once, and nothing is saved`() async throws {
        let (app, saved) = try makeBooking()
        let token = try await edit(app)
        let response = try await post("save", ["name": "taken", "age": "old", "dob": "today"], token, app)
        #expect(response["rc"] == 0)
        #expect(response.label == "Look again.")
        let fields = response["components"]?[2]?["components"]?.array ?? []
        #expect(
            fields.prefix(3).map { $0["title"]?.string } == [
                "Name: is taken", "Age: must be a whole number", "Born: pick a date",
            ]
        )
        #expect(saved.withLock { $0 } == 0)
        // The app's own check needs a valid name. Without it, only fields have messages.
        let missing = try await post("save", ["age": "old", "name": 5, "dob": "x"], token, app)
        let titles = missing["components"]?[1]?["components"]?.array?.map { $0["title"]?.string ?? "" }
        #expect(titles?.prefix(1) == ["Name: write a text"])
        #expect(titles?[2] == "Born: pick a date")
        #expect(try await post("save", ["name": "Ann", "age": "7"], token, app).label == "saved Ann false")
        #expect(saved.withLock { $0 } == 1)
    }

    @Test(
        arguments: [
            ("1", "saved Ann true"), (1, "saved Ann true"), (true, "saved Ann true"), ("0", "saved Ann false"),
            (0, "saved Ann false"), (false, "saved Ann false"), ("", "saved Ann false"),
        ] as [(JSONValue, String)]
    )
    func `A checkbox, however it is sent`(value: JSONValue, label: String) async throws {
        let (app, _) = try makeBooking()
        let token = try await edit(app)
        #expect(try await post("save", ["name": "Ann", "active": value], token, app).label == label)
        let returned = try await post("save", ["name": "taken", "active": value], token, app)
        let field = returned["components"]?[2]?["components"]?[3]
        #expect(field?["value"] == (label.hasSuffix("true") ? "1" : "0"))
        #expect(XpediteRules.findings(in: returned, name: "p").isEmpty)
    }

    @Test func `What cancels a form ignores what is wrong in it`() async throws {
        let (app, saved) = try makeBooking()
        let token = try await edit(app)
        #expect(
            try await post("home", ["name": "Ann", "age": "old", "dob": "today", "active": "maybe"], token, app).label
                == "home Ann -1"
        )
        // An app that refuses all the same says so, and doesn't bring the form back.
        for values in [["name": "taken"], ["age": 1]] as [JSONObject] {
            let response = try await post("home", values, token, app)
            #expect(response["rc"] == 1)
            #expect(response["title"] == nil)
        }
        #expect(saved.withLock { $0 } == 0)
    }

    @Test func `Another method gets the form's values, and only what it refuses brings the form back`() async throws {
        let (app, _) = try makeBooking()
        let token = try await edit(app)
        #expect(
            try await post("suggest", ["name": "Ann", "dob": "2000-01-01"], token, app).label == "suggest 2000-01-01"
        )
        #expect(try await post("suggest", ["name": "Ann", "dob": "never"], token, app).label == "suggest no day")
        let response = try await post("suggest", ["name": "taken", "dob": "never"], token, app)
        #expect(response["title"] == "Edit")
    }

    @Test func `A returned form has kept navigations by their ids, and is nothing to keep`() async throws {
        let (app, _) = try makeBooking()
        let token = try await edit(app)
        let response = try await post("save", ["name": "Ann", "dob": "x"], token, app)
        #expect(response["components"]?[0] == ["type": "navigation", "id": "menu"])
        for key in ["disposition", "version"] { #expect(response[key] == nil) }
        // With the general text above it, too.
        let other = try await post("save", ["name": "taken"], token, app)
        #expect(other["components"]?[1] == ["type": "navigation", "id": "menu"])
    }

    @Test func `A returned form of an older version has the navigation whole, and the new version`() async throws {
        let store = MemorySessionStore()
        func make(_ version: Int) throws -> TestApp {
            try TestApp(version: version, sessions: store) { app in
                app.connect { _ in
                    page("Edit") {
                        slideFrom(.left, id: "menu") { menuEntry("Home", "save") }
                        form(id: "f") { date(name: "dob") }.save("save")
                    }
                }
                app.method("save") { _ in page { label("saved") } }
            }
        }
        let token = JSONValue.string(try await make(1).connect())
        let new = try make(2)
        let first = try await post("save", ["dob": "x"], token, new)
        #expect(first["version"] == 2)
        #expect(first["components"]?[0]?["implementation"] != nil)
        let second = try await post("save", ["dob": "x"], token, new)
        #expect(second["version"] == nil)
        #expect(second["components"]?[0] == ["type": "navigation", "id": "menu"])
    }

    @Test func `A form that isn't known is answered with a text`() async throws {
        let app = try makeApp()
        let token = JSONValue.string(try await app.connect())
        let response = try await app.send([
            "method": "save", "token": token, "formdata": ["f": ["name": 5.5, "age": "x"]],
        ])
        #expect(response["rc"] == 1)
        #expect(response.label == "The value 'age' must be a whole number.")
    }

    @Test func `A form that is too large to be kept is not checked`() async throws {
        var configuration = XpediteConfiguration()
        configuration.formLimit = 10
        let app = try makeApp(configuration: configuration)
        let response = try await save(["name": "Ann", "plan": "B"], in: app)
        #expect(response.label == "saved Ann")
    }

    @Test func `A form that comes back unknown in part is no trap`() async throws {
        let app = try makeApp()
        let token = JSONValue.string(try await app.connect())
        _ = try await app.send(["method": "edit", "token": token])
        for data: JSONValue in [5, [], ["f": 5], ["f": []], ["f": ["nope": 1, "name": "a"]], ["g": ["name": "a"]]] {
            let response = try await app.send(["method": "save", "token": token, "formdata": data])
            #expect(response["token"] == token)
        }
    }

    @Test(arguments: [
        ("1990-06-15", true), ("2000-02-29", true), ("1900-02-29", false), ("1990-13-01", false), ("1990-00-01", false),
        ("1990-04-31", false), ("1990-06-00", false), ("90-06-15", false), ("1990-6-15", false), ("1990-06-15 ", false),
        ("+990-06-15", false), ("1990/06/15", false), ("", false), ("1990-06-15-01", false), ("١٩٩٠-٠٦-١٥", false),
    ])
    func `A day is one of the calendar's`(text: String, isDay: Bool) {
        #expect(Day(text)?.description == (isDay ? text : nil))
    }
}
