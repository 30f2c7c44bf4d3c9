import Applin
import Backlot
import Testing

@testable import demo_server

@Suite(.timeLimit(.minutes(5))) struct DemoCatalogueTests {
    private func catalogue(_ mount: DemoMount) -> DemoCatalogue {
        DemoCatalogue(mount: mount, stores: DemoStores())
    }

    /// The paths of the pages that anybody can open.
    private func openPaths(_ mount: DemoMount) -> [String] {
        catalogue(mount).pages.filter { $0.misbehaviour == nil && $0.samples.isEmpty && !$0.path.contains("{") }.map {
            $0.path
        }
    }

    // MARK: The documented exchange

    @Test func `The documented exchange is answered as documented`() async throws {
        let expected = """
            {"page": {"typ": "nav_page", "title": "New Account", "widget": {"typ": "scroll", "widget": {"typ": "form",
             "widgets": [
              {"typ": "textfield", "label": "Username", "var_name": "username"},
              {"typ": "nav_button", "text": "Terms", "actions": ["push:/terms"]},
              {"typ": "nav_button", "text": "Privacy", "actions": ["push:/privacy"]},
              {"typ": "checkbox", "text": "I agree", "var_name": "agree"},
              {"typ": "form_button", "text": "Create Account", "actions": ["rpc:/create_account", "replace_all:/"]}
             ]}}}}
            """
        let client = DemoClient(.documented)
        #expect(try await client.page("/new_account").value == JSONValue(parsing: expected))
        #expect(try await client.page("/new_account", [:]).value == JSONValue(parsing: expected))
        let response = try await client.post("/create_account", ["agree": true, "username": "user1"]).withStatus(200)
        #expect(response.body == [])
        #expect(response.headers[.contentType] == nil)
    }

    @Test func `For today's clients it is the same with objects for actions`() async throws {
        let page = try await DemoClient(.objects).page("/new_account")
        let expected = """
            {"page": {"typ": "nav_page", "title": "New Account", "widget": {"typ": "scroll", "widget": {"typ": "form",
             "widgets": [
              {"typ": "textfield", "label": "Username", "var_name": "username"},
              {"typ": "nav_button", "text": "Terms", "actions": [{"typ": "push", "page": "/terms"}]},
              {"typ": "nav_button", "text": "Privacy", "actions": [{"typ": "push", "page": "/privacy"}]},
              {"typ": "checkbox", "text": "I agree", "var_name": "agree"},
              {"typ": "form_button", "text": "Create Account", "actions": [
               {"typ": "rpc", "url": "/create_account"}, {"typ": "replace_all", "page": "/"}]}
             ]}}}}
            """
        #expect(try page.value == JSONValue(parsing: expected))
    }

    @Test(arguments: [
        (#"{"agree":false,"username":"user1"}"#, 422, "Please agree to the terms."),
        (#"{"agree":true,"username":" "}"#, 422, "Please enter a username."),
        (#"{"agree":true}"#, 400, "the variable 'username' is missing: expected a string"),
        (#"{"agree":true,"username":7}"#, 400, "the variable 'username' is a number: expected a string"),
        (#"{"agree":"yes","username":"user1"}"#, 400, "the variable 'agree' is a string: expected a boolean"),
        ("[]", 400, #"the body is not a JSON object: variables are sent as {"name": value}"#),
        (
            "", 400,
            "the body is not JSON: line 1, column 1 (byte 0): the document is empty; write a value, such as {} or null"
        ),
    ])
    func `An account that can't be created is refused with the reason`(
        body: String,
        status: Int,
        reason: String
    ) async throws {
        for mount in DemoMount.all {
            let response = try await DemoClient(mount).send(.post, "/create_account", body: Array(body.utf8))
            #expect(response.status == status)
            #expect(response.text == reason)
            #expect(response.headers[.contentType] == "text/plain; charset=utf-8")
        }
    }

    // MARK: The catalogue as a whole

    /// Routes that do what a backend should not do.
    private static let misbehaving = [
        "/status/{code}", "/redirect", "/broken/{name}", "/slow/{ms}", "/slow/{ms}/rpc", "/slow/{ms}/fail",
    ]

    /// Every page that pages lead to, from the home page on; and who leads where by what.
    private func crawl(_ client: DemoClient) async throws -> (pages: Set<String>, targets: [PageJSON.Action]) {
        let catalogue = catalogue(client.mount)
        // What misbehaves, and what nobody sees who is not logged in.
        let pages = catalogue.pages.filter { !$0.samples.isEmpty || $0.misbehaviour != nil }
        let closed = pages.map(\.path) + Self.misbehaving
        var found: Set<String> = ["/"]
        var waiting = ["/"]
        var targets: [PageJSON.Action] = []
        while let path = waiting.popLast() {
            guard !closed.contains(where: { Self.matches(path, $0) }) else { continue }
            let page = try await client.page(path)
            _ = try await client.page(path, Self.variables(of: page))
            #expect(page.isOfItsDialect, "\(path)")
            targets += page.actions
            for next in page.arguments("push") + page.arguments("replace_all") where found.insert(next).inserted {
                waiting.append(next)
            }
        }
        return (found, targets)
    }

    /// Whether a path is one of those that a route's path stands for.
    private static func matches(_ path: String, _ pattern: String) -> Bool {
        let names = path.split(separator: "/")
        let segments = pattern.split(separator: "/")
        return names.count == segments.count && zip(names, segments).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
    }

    /// What a client sends for a page whose inputs nobody has touched.
    private static func variables(of page: PageJSON) -> JSONObject {
        var object: JSONObject = [:]
        var nested: [String: JSONObject] = [:]
        var lists: [String: [JSONValue]] = [:]
        for (name, value) in page.inputs {
            if let hash = name.firstIndex(of: "#") {
                nested[String(name[..<hash]), default: [:]][String(name[name.index(after: hash)...])] = value
            } else if let percent = name.firstIndex(of: "%") {
                lists[String(name[..<percent]), default: []].append(
                    .string(String(name[name.index(after: percent)...]))
                )
            } else {
                object[name] = value
            }
        }
        for (name, value) in nested { object[name] = .object(value) }
        for (name, value) in lists { object[name] = .array(value) }
        return object
    }

    @Test(arguments: DemoMount.all)
    func `Every page that a page leads to is there, for GET and for POST`(mount: DemoMount) async throws {
        let (pages, _) = try await crawl(DemoClient(mount))
        #expect(pages.isSuperset(of: openPaths(mount)))
        #expect(pages.count > 60)
    }

    @Test(arguments: DemoMount.all)
    func `Every rpc answers POST, and every upload PUT`(mount: DemoMount) async throws {
        let router = Router.demo()
        let methods = ["rpc": HTTPRequest.Method.post, "choose_photo": .put, "take_photo": .put]
        let (_, targets) = try await crawl(DemoClient(mount))
        for target in targets {
            guard let method = methods[target.typ], let path = target.argument else { continue }
            // A photo's ratio stands behind a question mark, where actions are strings.
            let url = mount.url(String(path.prefix { $0 != "?" }))
            let isThere = router.routes.contains { $0.method == method && Self.matches(url, $0.path) }
            #expect(isThere, "\(target)")
        }
    }

    @Test func `A check of all pages finds no error`() async {
        let router = Router.demo()
        router.files(DemoFlow.publicFolder)
        let report = await router.check()
        #expect(!report.hasErrors, "\(report)")
        #expect(report.pages.count > 120)
        #expect(report.pages.contains { $0.path == "/objects/members" })
        #expect(report.unchecked.allSatisfy { $0.path.contains("{") || $0.reason.hasSuffix(".") })
    }

    @Test(arguments: DemoMount.all)
    func `What is declared to misbehave is there`(mount: DemoMount) {
        let router = Router.demo()
        let pages = catalogue(mount).pages.filter { $0.misbehaviour != nil }
        #expect(pages.allSatisfy { $0.misbehaviour?.hasSuffix(".") == true })
        for path in Self.misbehaving + pages.map(\.path) {
            #expect(router.routes.contains { $0.path == mount.url(path) }, "\(path)")
        }
    }

    @Test(arguments: DemoMount.all)
    func `Every page, widget and action that the dialect can say is shown`(mount: DemoMount) async throws {
        var typs: Set<String> = []
        var actions: Set<String> = []
        let client = DemoClient(mount)
        try await client.logIn()
        for path in openPaths(mount) + ["/members"] {
            let page = try await client.page(path)
            typs.formUnion(page.strings("typ"))
            actions.formUnion(page.actions.map(\.typ))
        }
        var expectedTyps: Set = [
            "nav_page", "plain_page", "back_button", "button", "checkbox", "column", "empty", "error_text", "form",
            "form_button", "form_section", "grouped_row_table", "image", "last_error_text", "nav_button", "scroll",
            "selector", "text", "textfield",
        ]
        var expectedActions: Set = [
            "choose_photo", "copy_to_clipboard", "launch_url", "logout", "on_user_error_poll", "poll", "pop", "push",
            "replace_all", "rpc", "take_photo",
        ]
        if mount == .objects {
            expectedTyps.insert("checkbox_button")
            // Here it is a flag of the rpc.
            expectedActions.remove("on_user_error_poll")
            expectedActions.formUnion(["modal", "reset_var", "stop_actions"])
        }
        #expect(typs.subtracting(mount == .objects ? expectedActions : []) == expectedTyps)
        #expect(actions == expectedActions)
    }

    @Test(arguments: DemoMount.all)
    func `The rules find nothing on any page that is meant to be right`(mount: DemoMount) async throws {
        let router = Router.demo()
        let routes = router.routes
        let app = RouteLookup { path in
            routes.filter { Self.matches(mount.url(path), $0.path) }.map(\.method)
        }
        let client = DemoClient(mount)
        try await client.logIn()
        for path in openPaths(mount) + ["/members"] {
            let response = try await client.send(.get, path)
            let findings = ApplinInspector(dialect: mount.dialect).findings(inBody: response.body, path: path, app: app)
            for finding in findings { Issue.record("\(finding)") }
        }
    }

    @Test func `A page says which clients it is for, and they load it`() async throws {
        let client = DemoClient(.objects)
        for page in catalogue(.objects).pages where openPaths(.objects).contains(page.path) {
            let body = try await client.send(.get, page.path).body
            let accepts = ReleasedClients.verdicts(onBody: body, baseURL: "http://127.0.0.1:8080/objects/").accepts
            #expect(accepts == ReleasedClients.releases.filter { $0 >= (accepts.first ?? "1") }, "\(page.path)")
            #expect(try #require(accepts.first, "\(page.path)") <= page.clients, "\(page.path)")
            // Clients before these load the page and leave out what it is about.
            guard !["/validated", "/notes"].contains(page.path) else { continue }
            #expect(max(accepts[0], "0.31") == page.clients, "\(page.path)")
        }
        let texts = try await client.page("/").strings("sub_text")
        #expect(texts.contains("The backend keeps the value (clients since 0.38)"))
    }

    @Test func `Every key of every widget is shown`() async throws {
        var keys: Set<String> = []
        let client = DemoClient(.objects)
        for path in openPaths(.objects) { keys.formUnion(try await client.page(path).keys) }
        let expected: Set = [
            "actions", "align", "allow", "aspect_ratio", "auto_capitalize", "badge_text", "buttons", "disposition",
            "ephemeral", "error", "initial_bool", "initial_string", "initial_string1", "initial_string2", "label",
            "max_chars", "max_lines", "message", "min_chars", "on_user_error_poll", "options", "options1", "options2",
            "page", "photo_url", "poll_delay_ms", "poll_seconds", "pull_to_refresh", "row_groups", "spacing", "start",
            "string_value", "sub_text", "text", "title", "typ", "url", "validated", "var_name", "var_name1",
            "var_name2", "widget", "widgets",
        ]
        #expect(expected.subtracting(keys) == [])
    }

    @Test(arguments: DemoMount.all)
    func `No page has two inputs for one variable`(mount: DemoMount) async throws {
        let client = DemoClient(mount)
        for path in openPaths(mount) {
            let names = try await client.page(path).strings(["var_name", "var_name1", "var_name2"])
            // Actions that reset a variable name it too.
            let inputs = try await client.page(path).inputs.map(\.name)
            #expect(Set(inputs).count == inputs.count, "\(path)")
            #expect(Set(inputs) == Set(names), "\(path)")
        }
    }

    @Test func `The home page has short sub-texts, and a button for each page only once`() {
        for mount in DemoMount.all {
            let sections = catalogue(mount).sections
            #expect(sections.map(\.title).first == "Start here")
            let pages = sections.flatMap(\.pages)
            #expect(Set(pages.map { $0.path }).count == pages.count)
            for page in pages { #expect((1...50).contains(page.subText.count), "\(page.path)") }
        }
    }

    @Test func `Pictures are asked for from the host's root, below the mount`() async throws {
        for mount in DemoMount.all {
            let client = DemoClient(mount)
            #expect(try await client.page("/status").strings("photo_url") == [])
            _ = try await client.send(.post, "/misbehaviour/show")
            let urls = try await client.page("/status").strings("photo_url")
            #expect(urls.contains("\(mount.path)status/404"))
        }
    }
}
