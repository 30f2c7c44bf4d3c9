import Backlot
import Testing

@testable import demo_server

struct SignUpTests {
    private let good: JSONObject = [
        "sign_up_name": "Ann Smith", "sign_up_email": "ann@example.com", "sign_up_plan": "Family",
        "sign_up_agree": true,
    ]

    @Test(arguments: DemoMount.all)
    func `A new page finds no fault, and what is right passes`(mount: DemoMount) async throws {
        let client = DemoClient(mount)
        #expect(try await client.page("/sign_up").strings("error") == [])
        #expect(try await client.page("/sign_up", good).strings("error") == [])
        #expect(try await client.post("/sign_up/submit", good).status == 200)
    }

    @Test(arguments: DemoMount.all)
    func `The page is polled before the error is shown`(mount: DemoMount) async throws {
        let page = try await DemoClient(mount).page("/sign_up")
        let typs = page.actions.map(\.typ)
        #expect(
            typs == (mount == .documented ? ["rpc", "on_user_error_poll", "replace_all"] : ["rpc", "replace_all"])
        )
        #expect(page.keys.contains("on_user_error_poll") == (mount == .objects))
    }

    @Test(arguments: [
        ("sign_up_name", JSONValue.string("A"), "Use 3 characters or more."),
        ("sign_up_email", "ann", "Write an address such as me@example.com."),
        ("sign_up_email", "@example.com", "Write an address such as me@example.com."),
        ("sign_up_plan", "", "Choose one of the plans."),
    ])
    func `Each field that is wrong says so`(variable: String, value: JSONValue, error: String) async throws {
        for mount in DemoMount.all {
            let client = DemoClient(mount)
            var input = good
            input[variable] = value
            let answer = try await client.post("/sign_up/submit", input)
            #expect(answer.status == 422)
            #expect(answer.text == "Please correct the marked fields.")
            let page = try await client.page("/sign_up", input)
            #expect(page.input(variable, "error") == error)
            #expect(page.strings("error") == [error])
        }
    }

    @Test func `Not to agree is wrong too`() async throws {
        let client = DemoClient(.documented)
        var input = good
        input["sign_up_agree"] = false
        #expect(try await client.post("/sign_up/submit", input).status == 422)
        #expect(try await client.page("/sign_up", input).strings("text").contains("Please agree."))
    }

    @Test func `A variable that is missing is the client's mistake`() async throws {
        var input = good
        input["sign_up_plan"] = nil
        let answer = try await DemoClient(.documented).post("/sign_up/submit", input)
        #expect(answer.status == 400)
        #expect(answer.text == "the variable 'sign_up_plan' is missing: expected a string")
    }
}
