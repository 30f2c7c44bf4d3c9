import Backlot
import Testing

@testable import demo_server

struct DemoCatalogueTests {
    private static let handler = {
        let router = Router()
        DemoCatalogue.register(on: router)
        return router.handler()
    }()

    private func answer(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ body: String = ""
    ) async throws -> Response {
        let request = try Request(method, target, body: Array(body.utf8))
        return try await Self.handler.handle(request)
    }

    private func page(_ path: String, _ method: HTTPRequest.Method = .get) async throws -> JSONValue {
        let response = try await answer(method, path, method == .post ? "{}" : "")
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "application/vnd.applin_response")
        guard case .bytes(let bytes) = response.body else { throw StatusError(.ok, "no body") }
        return try JSONValue(parsing: bytes)
    }

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
        #expect(try await page("/new_account") == JSONValue(parsing: expected))
        #expect(try await page("/new_account", .post) == JSONValue(parsing: expected))
        let response = try await answer(.post, "/create_account", #"{"agree":true,"username":"user1"}"#)
        #expect(response.status == .ok)
        guard case .empty = response.body else { throw StatusError(.ok, "the body is not empty") }
    }

    @Test(arguments: [
        (#"{"agree":false,"username":"user1"}"#, 422, "Please agree to the terms."),
        (#"{"agree":true,"username":" "}"#, 422, "Please enter a username."),
        (#"{"agree":true}"#, 400, "the variable username is missing, or is not a string"),
        (#"{"agree":true,"username":7}"#, 400, "the variable username is missing, or is not a string"),
        (#"{"agree":"yes","username":"user1"}"#, 400, "the variable agree is missing, or is not a boolean"),
        ("[]", 400, "the variable username is missing, or is not a string"),
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
        let error = await #expect(throws: (any Error).self) { try await answer(.post, "/create_account", body) }
        let refusal = try #require(error as? any HTTPError)
        #expect(refusal.status.code == status)
        #expect(refusal.reason == reason)
    }

    @Test func `Every page that a page leads to is there, for GET and POST, and every rpc for POST`() async throws {
        var found: Set<String> = ["/"]
        var waiting = ["/"]
        var rpcs: Set<String> = []
        while let path = waiting.popLast() {
            let page = try await page(path)
            _ = try await self.page(path, .post)
            for action in actions(in: page) {
                let parts = action.split(separator: ":", maxSplits: 1).map(String.init)
                switch parts[0] {
                case "push", "replace_all": if found.insert(parts[1]).inserted { waiting.append(parts[1]) }
                case "rpc": rpcs.insert(parts[1])
                default: #expect(["launch_url", "on_user_error_poll", "poll", "pop"].contains(parts[0]))
                }
            }
        }
        #expect(found.count > 35)
        #expect(found.isSuperset(of: DemoCatalogue.sections.flatMap(\.pages).map { $0.path }))
        for rpc in rpcs where rpc != "/create_account" {
            let response = try await answer(.post, rpc, "{}")
            #expect(response.status == .ok, "\(rpc)")
        }
    }

    @Test func `Every widget, page and action of the documentation is shown`() async throws {
        var typs: Set<String> = []
        var actionNames: Set<String> = []
        for path in ["/"] + DemoCatalogue.sections.flatMap(\.pages).map({ $0.path }) {
            let page = try await page(path)
            collect("typ", in: page) { typs.formUnion($0.string.map { [$0] } ?? []) }
            for action in actions(in: page) { actionNames.insert(String(action.prefix { $0 != ":" })) }
        }
        #expect(
            typs == [
                "nav_page", "plain_page", "back_button", "button", "checkbox", "column", "empty", "error_text", "form",
                "form_button", "form_section", "grouped_row_table", "image", "last_error_text", "nav_button", "scroll",
                "text", "textfield",
            ]
        )
        #expect(
            actionNames == ["launch_url", "on_user_error_poll", "poll", "pop", "push", "replace_all", "rpc"]
        )
    }

    @Test func `No page has two inputs for one variable`() async throws {
        for path in DemoCatalogue.sections.flatMap(\.pages).map({ $0.path }) {
            var names: [String] = []
            collect("var_name", in: try await page(path)) { names += $0.string.map { [$0] } ?? [] }
            #expect(Set(names).count == names.count, "\(path)")
        }
    }

    @Test func `It says that it is healthy`() async throws {
        let response = try await answer(.get, "/healthz")
        #expect(response.headers[.contentType] == "text/plain; charset=utf-8")
        guard case .bytes(let bytes) = response.body else { throw StatusError(.ok, "no body") }
        #expect(String(decoding: bytes, as: UTF8.self) == "success")
    }

    // MARK: Looking through pages as plain JSON

    private func actions(in value: JSONValue) -> [String] {
        var actions: [String] = []
        collect("actions", in: value) { actions += $0.array?.compactMap(\.string) ?? [] }
        return actions
    }

    private func collect(_ key: String, in value: JSONValue, _ body: (JSONValue) -> Void) {
        if let found = value[key] { body(found) }
        for member in value.object?.members ?? [] { collect(key, in: member.value, body) }
        for element in value.array ?? [] { collect(key, in: element, body) }
    }
}
