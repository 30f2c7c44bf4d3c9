import Applin
import Backlot
import Testing

/// What is wrong with a form is written once, for its page and its rpc.
@Suite(.timeLimit(.minutes(5))) struct FormCheckTests {
    private struct SignUp: Decodable, Sendable {
        var name: String
        var age: Int?
    }

    private static let check = FormCheck(SignUp.self) { input, _ in
        var errors = FormErrors()
        if input.name.count < 3 { errors["name"] = "Use 3 characters or more." }
        if let age = input.age, age < 18 { errors[Variable<Int>("age")] = "You are too young." }
        return errors
    }

    private func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async throws -> Response {
        let router = Router()
        router.applin("/") { app in
            app.page("/", check: Self.check) { errors, _ in
                navPage("Sign Up") {
                    form {
                        textfield("name").error(errors["name"])
                        textfield("age").error(errors[Variable<Int>("age")])
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
            (#"{"name":"A","age":"old"}"#, [nil, "Must be a whole number."]),
        ] as [(String, [String?])]
    )
    func `The page shows it at the fields, and the rpc answers 422`(body: String, messages: [String?]) async throws {
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
            #expect(error?.reason.hasPrefix("Please correct the marked fields.\n") == true)
        }
    }

    @Test func `A GET has nothing to find fault with`() async throws {
        #expect(try errors(await send(.get, "/")) == [nil, nil])
    }

    @Test func `What the rpc itself finds is answered alike`() async throws {
        let error = await #expect(throws: FormErrors.self) { try await send(.post, "/submit", #"{"name":"taken"}"#) }
        #expect(error?.reason == "Please correct the marked fields.\nIt is taken.")
    }

    @Test func `A page that doesn't fit the type is the app's mistake`() async throws {
        let error = await #expect(throws: VariableError.self) { try await send(.post, "/", #"{"name":true}"#) }
        #expect(error?.status == .badRequest)
    }
}
