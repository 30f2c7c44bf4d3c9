import Applin
import Backlot
import Foundation
import Testing

/// The checks of a form are written once, for its page and its rpc.
@Suite(.timeLimit(.minutes(5))) struct FormValidatorTests {
    private struct SignUp: Decodable, Sendable {
        enum Plan: String, Decodable, CaseIterable { case small, large }

        var name: String
        var age: Int?
        var start: Date?
        var plan: Plan?
    }

    private static let check = FormValidator(SignUp.self) { input, _ in
        var errors = FormErrors()
        if input.name.count < 3 { errors["name"] = "Use 3 characters or more." }
        // Before the name by the alphabet, after it in the form.
        if let age = input.age, age < 18 { errors[Variable<Int>("age")] = "You are too young." }
        return errors
    }

    private func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async throws -> Response {
        let router = Router()
        router.applin("/") { app in
            app.page("/", check: Self.check) { errors, _ in
                navPage("Sign Up") {
                    form {
                        textfield(varName: "name").error(errors["name"])
                        textfield(varName: "age").error(errors[Variable<Int>("age")])
                    }
                }
            }
            app.rpc("/submit", check: Self.check) { input, _ in
                guard input.name != "taken" else { throw FormErrors(["name": "It is taken."]) }
            }
        }
        let handler = router.handler()
        return try await handler(Request(method, path, body: Array(body.utf8)))
    }

    private func errors(_ response: Response) throws -> [String?] {
        let widgets = try JSONValue(parsing: response.bodyText)["page"]?["widget"]?["widgets"]?.array ?? []
        return widgets.map { $0["error"]?.string }
    }

    @Test(
        arguments: [
            (#"{"name":"Ann","age":"20"}"#, [nil, nil]),
            (#"{"name":"Ann","age":""}"#, [nil, nil]),
            (#"{"name":"A","age":"2"}"#, ["Use 3 characters or more.", "You are too young."]),
            (#"{"name":"A","age":"old"}"#, ["Use 3 characters or more.", "Must be a whole number."]),
            (#"{"name":"Ann","age":"old"}"#, [nil, "Must be a whole number."]),
        ] as [(String, [String?])]
    )
    func `The page shows it at the fields, and the rpc responds with 422`(
        body: String,
        messages: [String?]
    ) async throws {
        let page = try await send(.post, "/", body)
        #expect(page.status == .ok)
        #expect(try errors(page) == messages)
        let found = messages.compactMap(\.self)
        if found.isEmpty {
            #expect(try await send(.post, "/submit", body).status == .ok)
        } else {
            let error = await #expect(throws: FormErrors.self) { try await send(.post, "/submit", body) }
            #expect(error?.status == .unprocessableContent)
            #expect(error?.messages.values.sorted() == found.sorted())
            #expect(error?.reason == (["Please correct the marked fields."] + found).joined(separator: "\n"))
        }
    }

    @Test func `All fields are told in the form's order, without their names`() async throws {
        let body = #"{"plan":"huge","start":"soon","age":"old","name":"A"}"#
        let error = await #expect(throws: FormErrors.self) { try await send(.post, "/submit", body) }
        #expect(
            error?.reason == """
                Please correct the marked fields.
                Use 3 characters or more.
                Must be a whole number.
                Must be a date, such as 2026-12-31.
                Must be one of small, large.
                """
        )
    }

    @Test func `A check that fails over an example leaves the texts' own messages`() async throws {
        struct Failed: Error {}
        let check = FormValidator(SignUp.self) { input, _ in
            if input.age == 0 { throw Failed() }
            return FormErrors()
        }
        let wrong = try Request(.post, "/", body: Array(#"{"name":"Ann","age":"x"}"#.utf8))
        #expect(try await check.errors(in: wrong).messages == ["age": "Must be a whole number."])
        let zero = try Request(.post, "/", body: Array(#"{"name":"Ann","age":0}"#.utf8))
        await #expect(throws: Failed.self) { try await check.errors(in: zero) }
    }

    @Test func `A page without an input that its rpc needs is found by check`() async {
        let router = Router()
        router.applin("/") { app in
            app.page("/") { _ in
                navPage("Sign Up") {
                    form {
                        textfield(nil, varName: "nmae")
                        formButton("Go") { rpc("/submit") }
                        formButton("Plain") { rpc("/plain") }
                    }
                }
            }
            app.rpc("/submit", check: Self.check) { _, _ in }
            app.rpc("/plain", SignUp.self) { _, _ in }
        }
        let findings = await router.check().pages.flatMap(\.findings).filter { $0.rule == "missing-variable" }
        #expect(
            findings.map(\.message)
                == ["/submit", "/plain"].map {
                    "\"\($0)\" takes the variable \"name\", which no input of the page sets, so it responds with 400; did you mean 'nmae'?"
                }
        )
    }

    @Test func `Check says which sample a page needs`() async {
        let router = Router()
        router.applin("/") { app in
            app.page("/variable") { request in
                navPage(try await request.variables().value("q")) { text("a") }
            }
            app.page("/optional") { request in
                navPage(try await request.variables().value("q") ?? "All") { text("a") }
            }
            app.page("/query") { request in
                struct Search: Decodable { let q: String }
                return navPage(try request.query(as: Search.self).q) { text("a") }
            }
            app.page("/forbidden") { _ -> any Page in throw StatusError(.forbidden, "Please log in.") }
        }
        let pages = await router.check().pages
        #expect(
            pages.map { $0.findings.first { $0.rule == "no-page" }?.fix } == [
                "Read 'q' as an optional: clients load a page by GET, which sends no variables.",
                nil,
                #"Give it a sample with that parameter, such as samples: ["/query?q=…"]."#,
                #"Give it a sample that gets a page, such as samples: [CheckSample("/forbidden", user: "…")]."#,
            ]
        )
    }

    @Test func `A GET has nothing to find fault with`() async throws {
        #expect(try errors(await send(.get, "/")) == [nil, nil])
    }

    @Test func `What the rpc itself finds is answered alike`() async throws {
        let error = await #expect(throws: FormErrors.self) { try await send(.post, "/submit", #"{"name":"taken"}"#) }
        #expect(error?.reason == "Please correct the marked fields.\nIt is taken.")
    }

    @Test(
        arguments: [
            ("{}", ["Use 3 characters or more.", nil]),
            (#"{"age":"2"}"#, ["Use 3 characters or more.", "You are too young."]),
            (#"{"name":true,"age":"20"}"#, ["Use 3 characters or more.", nil]),
            (#"{"name":"A","age":true}"#, [nil, nil]),
        ] as [(String, [String?])]
    )
    func `A page takes what is missing or ill-typed for unset, and the rpc insists`(
        body: String,
        messages: [String?]
    ) async throws {
        #expect(try errors(await send(.post, "/", body)) == messages)
        let error = await #expect(throws: VariableError.self) { try await send(.post, "/submit", body) }
        #expect(error?.status == .badRequest)
    }

    private struct Order: Decodable, Sendable {
        var name: String
        var isGift: Bool
        var count: Int
    }

    @Test(arguments: [
        ("{}", "loaded"), (#"{"count":"2"}"#, "name , gift false, count 2"),
        (#"{"name":1,"isGift":"x","count":2}"#, "name , gift false, count 2"),
        (#"{"name":"a","isGift":true}"#, "loaded"), (#"{"name":"a","isGift":true,"count":[]}"#, "loaded"),
        (#"{"name":"a","isGift":true,"count":"3"}"#, "name a, gift true, count 3"),
    ])
    func `So does a page with an input, or that reads its variables itself`(body: String, shown: String) async throws {
        let (name, isGift) = (Variable<String>("name"), Variable<Bool>("isGift"))
        let router = Router()
        router.applin("/") { app in
            app.page("/input", Order.self) { input, _ in
                plainPage { text(input.map { "name \($0.name), gift \($0.isGift), count \($0.count)" } ?? "loaded") }
            }
            app.page("/variables") { request in
                let variables = try await request.variables()
                let start = try "name \(variables[name]), gift \(variables[isGift])"
                guard request.method == .post else { return plainPage { text("loaded") } }
                let count = try variables[Variable<Int>("count")]
                return plainPage { text("\(start), count \(count)") }
            }
            app.rpc("/rpc", Order.self) { _, _ in }
        }
        let handler = router.handler()
        for path in ["/input", "/variables"] {
            let response = try await handler(Request(.post, path, body: Array(body.utf8)))
            #expect(try JSONValue(parsing: response.bodyText)["page"]?["widget"]?["text"] == .string(shown), "\(path)")
        }
        guard shown != "name a, gift true, count 3" else { return }
        await #expect(throws: VariableError.self) {
            try await handler(Request(.post, "/rpc", body: Array(body.utf8)))
        }
    }

    @Test(arguments: ["/", "/submit"])
    func `A form beyond the limit is told, and a text that can't be converted without the variable's name`(
        path: String
    ) async throws {
        let router = Router()
        router.applin("/") { app in
            app.page("/", Order.self) { _, _ in plainPage { empty() } }
            app.rpc("/submit", Order.self) { _, _ in }
        }
        let handler = router.handler()
        var request = try Request(.post, path, body: Array(#"{"name":"\#(String(repeating: "x", count: 5000))"}"#.utf8))
        request.body.limit = 4096
        let large = request
        let tooLarge = await #expect(throws: UserError.self) { try await handler(large) }
        #expect(tooLarge?.reason == "This is too much to send at once. Please send 4 KB or less.")
        let wrong = try Request(.post, path, body: Array(#"{"name":"a","isGift":true,"count":"many"}"#.utf8))
        // A page shows such things at its fields, by a FormValidator.
        guard path == "/submit" else { return #expect(try await handler(wrong).status == .ok) }
        let error = await #expect(throws: UserError.self) { try await handler(wrong) }
        #expect(error?.reason == "Please correct the form: a value must be a whole number.")
    }
}
