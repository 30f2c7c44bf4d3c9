import Backlot
import BacklotTesting
import Synchronization
import Testing

@testable import demo_server

/// The Xpedite app as people use it, in process and over a socket. Each page is judged by the client when it comes.
@Suite(.timeLimit(.minutes(5))) struct CustomerAppTests {
    private func withApp(_ reach: ClientReach, _ body: (XpediteClient) async throws -> Void) async throws {
        let router = Router.demo()
        try await withXpediteClient(router, over: reach) { app in
            try await app.connect()
            try await body(app)
        }
    }

    private func logIn(_ app: XpediteClient) async throws {
        try await app.tap("Log in")
        try app.enter("ann", into: "User name")
        try app.enter("secret", into: "Password")
        try await app.tap("Log in")
    }

    @Test(arguments: ClientReach.allCases)
    func `List, scroll, pull and view`(reach: ClientReach) async throws {
        try await withApp(reach) { app in
            #expect(app.title == "Backlot Customers")
            #expect(app.version == 1)
            try await app.tap("Customers")
            #expect(app.rows.rows.count == 25)
            while app.rows.hasMore { try await app.loadMore() }
            #expect(app.rows.rows.count == 120)
            try await app.refresh()
            #expect(app.rows.rows.count == 25)
            try await app.tapRow(2)
            #expect(app.title == "Carol 3")
            #expect(app.labels.contains("customer3@example.com"))
            try await app.tap("All customers")
            #expect(app.title == "Customers")
        }
    }

    @Test(arguments: ClientReach.allCases)
    func `Log in, add, change and log out`(reach: ClientReach) async throws {
        try await withApp(reach) { app in
            try await app.tap("Customers")
            try await app.tap("Add")
            #expect(app.errorText == "Please log in first.")
            try await app.call("login")
            try app.enter("ann", into: "User name")
            try app.enter("wrong", into: "Password")
            try await app.tap("Log in")
            #expect(app.fields().contains { $0["title"] == "Password: is not right" })
            #expect(app.value(of: "user") == "ann")
            try app.enter("secret", into: "password")
            try await app.tap("Log in")
            #expect(app.labels == ["Welcome, ann"])

            try await app.call("addCustomer")
            try app.enter("Zoe", into: "Name")
            try app.enter("nowhere", into: "Email")
            try app.pick("1990-06-15", for: "Date of birth")
            try app.uncheck("Active customer")
            try app.choose("Australia", from: "Country")
            try app.choose("Large", from: "Plan")
            try await app.tap("Save")
            #expect(app.fields().contains { $0["title"] == "Email: must have an @" })
            #expect(app.value(of: "Name") == "Zoe")
            #expect(app.value(of: "dob") == "1990-06-15")
            #expect(app.value(of: "Country") == "AU")
            #expect(app.value(of: "active") == "0")
            try app.enter("zoe@example.com", into: "email")
            try await app.tap("Save")
            #expect(app.title == "Zoe")
            #expect(app.labels.contains("Born on 1990-06-15"))
            #expect(app.labels.contains("Not active"))
            #expect(app.labels.contains("Country: Australia"))

            try await app.tap("pencil")
            #expect(app.title == "Change Customer")
            #expect(app.value(of: "Email") == "zoe@example.com")
            try app.enter("Zoe Z", into: "Name")
            try await app.tap("Save")
            #expect(app.title == "Zoe Z")

            try await app.tap("Log out")
            #expect(app.labels == ["Welcome"])
            try await app.call("addCustomer")
            #expect(app.errorText == "Please log in first.")
        }
    }

    @Test(arguments: ["Name", "Email", "Notes"])
    func `A customer's text has at most 2000 bytes`(field: String) async throws {
        try await withApp(.inProcess) { app in
            try await logIn(app)
            try await app.call("addCustomer")
            try app.enter("Zoe", into: "Name")
            try app.enter("zoe@example.com", into: "Email")
            let text = String(repeating: "x", count: 1989) + "@example.com"
            try app.enter(text, into: field)
            try await app.tap("Save")
            #expect(app.fields().contains { $0["title"]?.string == "\(field): must have at most 2000 bytes" })
            try app.enter(String(text.dropFirst()), into: field.lowercased())
            try await app.tap("Save")
            #expect(app.title == (field == "Name" ? String(text.dropFirst()) : "Zoe"))
        }
    }

    @Test(arguments: ClientReach.allCases)
    func `A field outside of forms searches`(reach: ClientReach) async throws {
        try await withApp(reach) { app in
            try await app.tap("Search")
            try app.enter("bob", into: "Part of a name")
            try await app.tap("magnifyingglass")
            #expect(app.value(of: "search") == "bob")
            try await app.tap("Bob 10")
            #expect(app.title == "Bob 10")
            try await app.call("search")
            try app.enter("nobody at all", into: "search")
            try await app.tap("magnifyingglass")
            #expect(app.labels == ["Nobody is called “nobody at all”."])
        }
    }

    @Test func `Menus and pictures come once, and kept pages outlast the server`() async throws {
        let router = Router.demo()
        let gate = Gate(try InProcessTransport(router.handler()))
        let app = try XpediteClient(url: "http://localhost/xpedite", transport: gate)
        try await app.connect()
        #expect(app.images == ["logo"])
        #expect(app.components("navigation").first?["implementation"] != nil)
        try await app.tap("About")
        #expect(app.components("navigation").first?["implementation"] == nil)
        #expect(app.menus.first?["components"]?.array?.count == 8)
        try await app.tap("Home")

        gate.isShut.store(true, ordering: .relaxed)
        try await app.tap("About")
        #expect(app.title == "About")
        #expect(app.isCached)
        await #expect(throws: XpediteClientError.self) { try await app.tap("Search") }
        gate.isShut.store(false, ordering: .relaxed)
        try await app.tap("Search")
        #expect(app.title == "Search")
        #expect(!app.isCached)
    }

    /// A way to a server that can be shut.
    private final class Gate: ClientTransport {
        let isShut = Atomic(false)
        private let transport: any ClientTransport

        init(_ transport: any ClientTransport) { self.transport = transport }

        func response(
            to request: ClientRequest,
            limits: ClientLimits
        ) async throws(ClientError) -> ClientResponse {
            if isShut.load(ordering: .relaxed) { throw .notConnected("the gate is shut") }
            return try await transport.response(to: request, limits: limits)
        }
    }

    @Test func `Every component is on some page`() async throws {
        try await withApp(.inProcess) { app in
            var types: Set<String> = []
            func note() {
                for component in app.components { component["type"]?.string.map { _ = types.insert($0) } }
                for field in app.fields() { field["type"]?.string.map { _ = types.insert($0) } }
            }
            note()
            try await logIn(app)
            for method in ["home", "customers", "addCustomer", "search", "login", "about"] {
                try await app.call(method)
                note()
            }
            try await app.call("viewCustomer", ["id": "1"])
            note()
            #expect(
                types == [
                    "label", "image", "button", "textbox", "password", "scrollview", "web", "table", "form",
                    "navigation", "section", "textview", "checkbox", "date", "select", "radio",
                ]
            )
        }
    }

    @Test func `The store refuses an address that another customer has`() async throws {
        let store = CustomerStore(count: 2)
        let entry = CustomerEntry(name: "Zoe", email: "zoe@example.com")
        let zoe = try #require(try await store.add(entry))
        let refusal = FormErrors(\CustomerEntry.email, "belongs to somebody else")
        await #expect(throws: refusal) { _ = try await store.add(entry) }
        await #expect(throws: refusal) { try await store.change(1, to: entry) }
        #expect(await store.count == 3)
        #expect(await store.customer(1)?.entry.email == "customer1@example.com")
        try await store.change(zoe.id, to: CustomerEntry(name: "Zoe Z", email: entry.email))
        #expect(await store.customer(zoe.id)?.entry.name == "Zoe Z")
    }

    @Test func `A customer that isn't there is no failure of HTTP`() async throws {
        try await withApp(.inProcess) { app in
            try await app.call("viewCustomer", ["id": "999"])
            #expect(app.errorText == "There is no customer 999.")
            try await app.call("viewCustomer", ["id": "x"])
            #expect(app.errorText == "The value 'id' must be a whole number.")
            try await app.call("viewCustomer")
            #expect(app.errorText == "The value 'id' is missing.")
        }
    }
}
