import Backlot
import BacklotTesting
import Testing

@testable import demo_server

@Suite(.timeLimit(.minutes(5))) struct InputTests {
    @Test(arguments: DemoFlow.all)
    func `The search follows what is typed`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch(at: "/search")
            #expect(app.texts.count == 19)
            try await app.enter("AP", into: "Fruit")
            try await app.wait(.seconds(0.3))
            #expect(app.texts == ["Fruit", "Apple", "Apricot", "Grape", "Pineapple"])
            try await app.enter("x", into: "Fruit")
            try await app.wait(.seconds(0.3))
            #expect(app.texts == ["Fruit", "Nothing found."])
        }
    }

    @Test(arguments: DemoFlow.all)
    func `Pages show the variables that came, and share them`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch(at: "/variables")
            #expect(app.value(of: "Also on the next page") == "set once, while unset")
            try await app.enter("hello", into: "Also on the next page")
            try await app.check("A boolean")
            try await app.tap("Send the variables")
            #expect(app.texts.last == #"The backend got: {"shared_text":"hello","shared_box":true}"#)
            try await app.tap("The next page")
            #expect(app.value(of: "The same variable") == "hello")
        }
    }

    @Test(arguments: DemoFlow.all)
    func `Nested variables arrive as objects and arrays`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch(at: "/nested_variables")
            try await app.tap("Order, by rpc")
            #expect(app.errorText == "Please enter a city.")
            try await app.back()
            try await app.enter("High Street 1", into: "Street")
            try await app.enter("Oslo", into: "City")
            try await app.tap("Order, by rpc")
            #expect(app.errorText == nil)
            let nested: JSONObject = [
                "address": ["street": "High Street 1", "city": "Oslo"], "toppings": ["cheese", "olives"],
            ]
            let flat: JSONObject = [
                "address#street": "High Street 1", "address#city": "Oslo", "toppings%cheese": false,
                "toppings%olives": false,
            ]
            let expected = flow.mount == .objects ? nested : flat
            #expect(app.lastRequest?.variables == expected)
        }
    }

    @Test func `A nested variable of another type is the client's mistake`() async throws {
        let order: JSONObject = ["address": ["street": "", "city": "Oslo"], "toppings": "cheese"]
        let response = try await DemoClient(.objects).post("/nested_variables/order", order).withStatus(400)
        #expect(response.text == "the variable 'toppings' is a string: expected an array")
    }

    @Test(arguments: DemoFlow.objects)
    func `A validated field is judged as soon as its page is opened`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch()
            try await app.tap("Validated")
            #expect(app.requests.suffix(2).map(\.description) == ["GET /validated 200", "POST /validated 200"])
            #expect(app.errors == ["Wrong: the code is 1234."])
            try await app.enter("1234", into: "Code")
            try await app.pullToRefresh()
            #expect(app.errors == [])
        }
    }

    @Test(arguments: DemoFlow.objects)
    func `A checkbox button shows what the backend keeps`(flow: DemoFlow) async throws {
        try await flow.run { app in
            try await app.launch(at: "/checkbox_button")
            let other = app.otherDevice()
            try await app.check("The light is on")
            #expect(app.isChecked("The light is on"))
            try await other.launch(at: "/checkbox_button")
            try await other.uncheck("The light is on")
            try await app.pullToRefresh()
            #expect(!app.isChecked("The light is on"))
            try await app.tap("Goes back, because its rpc is refused")
            #expect(app.errorKind == .user)
        }
    }

    @Test(arguments: DemoFlow.objects)
    func `Variables that are reset are sent with their initial values, and the text field keeps its text`(
        flow: DemoFlow
    ) async throws {
        try await flow.run { app in
            try await app.launch(at: "/reset_var")
            try await app.enter("changed", into: "Text")
            try await app.uncheck("Box")
            try await app.choose("one", from: "Choice")
            try await app.tap("Reset the text")
            #expect(app.value(of: "Text") == "changed")
            #expect(app.sentValue(of: "Text") == "initial text")
            #expect(!app.isChecked("Box"))
            try await app.tap("Reset all")
            #expect(app.isChecked("Box"))
            #expect(app.value(of: "Choice") == "two")
            #expect(app.variables.isEmpty)
        }
    }

    @Test(arguments: ["/modal", "/reset_var", "/stop_actions", "/checkbox_button", "/validated"])
    func `What the documented dialect can't say is not there`(path: String) async throws {
        #expect(try await DemoClient(.documented).send(.get, path).status == 404)
        #expect(try await DemoClient(.objects).send(.get, path).status == 200)
    }
}
