import Backlot
import BacklotTesting
import Testing

@testable import demo_server

@Suite(.timeLimit(.minutes(5))) struct SignUpTests {
    private let good: JSONObject = [
        "sign_up_name": "Ann Smith", "sign_up_email": "ann@example.com", "sign_up_plan": "Family",
        "sign_up_agree": true,
    ]

    private func fillIn(_ app: ApplinClient) async throws {
        try await app.enter("Ann Smith", into: "Name")
        try await app.enter("ann@example.com", into: "E-mail")
        try await app.choose("Family", from: "Plan")
        try await app.check("I agree")
    }

    @Test(arguments: DemoFlow.all)
    func `A new page finds no fault, and what is right passes`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch()
            try await app.tap("Sign Up")
            #expect(app.errors == [])
            try await fillIn(app)
            try await app.pullToRefresh()
            #expect(app.errors == [])
            try await app.tap("Sign Up")
            #expect(app.stack == ["/"])
            #expect(app.requests.dropLast().last?.variables == good)
        }
    }

    @Test(arguments: DemoFlow.all)
    func `The page is polled before the error is shown, and marks every fault`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch()
            try await app.tap("Sign Up")
            try await app.tap("Sign Up")
            #expect(
                app.errorText == """
                    Please correct the marked fields.
                    Use 3 characters or more.
                    Write an address such as me@example.com.
                    Please agree.
                    """
            )
            #expect(app.requests.suffix(2).map(\.description) == ["POST /sign_up/submit 422", "POST /sign_up 200"])
            try await app.back()
            #expect(
                app.errors == [
                    "Use 3 characters or more.", "Write an address such as me@example.com.", "Please agree.",
                ]
            )
            try await fillIn(app)
            try await app.tap("Sign Up")
            #expect(app.stack == ["/"])
        }
    }

    @Test(arguments: [
        ("Name", "A", "Use 3 characters or more."),
        ("E-mail", "ann", "Write an address such as me@example.com."),
        ("E-mail", "@example.com", "Write an address such as me@example.com."),
    ])
    func `Each field that is wrong says so`(field: String, text: String, error: String) async throws {
        for flow in DemoFlow.all {
            try await flow.run { app in
                try await app.launch(at: "/sign_up")
                try await fillIn(app)
                try await app.enter(text, into: field)
                try await app.tap("Sign Up")
                try await app.back()
                #expect(app.errors == [error])
            }
        }
    }

    @Test func `A plan that nobody can choose is wrong too`() async throws {
        var input = good
        input["sign_up_plan"] = ""
        let client = DemoClient(.documented)
        #expect(try await client.post("/sign_up/submit", input).status == 422)
        #expect(try await client.page("/sign_up", input).strings("error") == ["Choose one of the plans."])
    }

    @Test func `A variable that is missing is the client's mistake`() async throws {
        var input = good
        input["sign_up_plan"] = nil
        let response = try await DemoClient(.documented).post("/sign_up/submit", input).withStatus(400)
        #expect(response.text == "the variable 'sign_up_plan' is missing: expected a string")
    }
}
