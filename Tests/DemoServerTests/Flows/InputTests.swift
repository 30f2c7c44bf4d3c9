import Backlot
import Testing

@testable import demo_server

struct InputTests {
    @Test(arguments: DemoMount.all)
    func `The search follows what is typed`(mount: DemoMount) async throws {
        let client = DemoClient(mount)
        #expect(try await client.page("/search").strings("text").count == 18)
        #expect(
            try await client.page("/search", ["search_term": "AP"]).strings("text") == [
                "Apple", "Apricot", "Grape", "Pineapple",
            ]
        )
        #expect(try await client.page("/search", ["search_term": "x"]).strings("text") == ["Nothing found."])
    }

    @Test(arguments: DemoMount.all)
    func `Pages show the variables that came`(mount: DemoMount) async throws {
        let page = try await DemoClient(mount).page("/variables", ["shared_text": "hello", "shared_box": true])
        #expect(page.strings("text").contains(#"The backend got: {"shared_text":"hello","shared_box":true}"#))
    }

    @Test(arguments: DemoMount.all)
    func `Two pages share a variable`(mount: DemoMount) async throws {
        let client = DemoClient(mount)
        let first = try await client.page("/variables").inputs.map(\.name)
        let second = try await client.page("/shared_variable").inputs.map(\.name)
        #expect(Set(first).intersection(second) == ["shared_text"])
    }

    @Test(arguments: DemoMount.all)
    func `Nested variables arrive as objects and arrays`(mount: DemoMount) async throws {
        let client = DemoClient(mount)
        var order: JSONObject = ["address": ["street": "High Street 1", "city": "Oslo"], "toppings": ["cheese"]]
        #expect(try await client.post("/nested_variables/order", order).status == 200)
        order["address"] = ["street": "", "city": ""]
        #expect(try await client.post("/nested_variables/order", order).text == "Please enter a city.")
        order["toppings"] = "cheese"
        let answer = try await client.post("/nested_variables/order", order)
        #expect(answer.status == 400)
        #expect(answer.text == "the variable 'toppings' is a string: expected an array")
    }

    @Test func `A validated field says what is wrong`() async throws {
        let client = DemoClient(.objects)
        let rest: JSONObject = ["validated_box": false, "validated_choice": "a"]
        var input = rest
        input["validated_code"] = "1"
        #expect(try await client.page("/validated", input).strings("error") == ["Wrong: the code is 1234."])
        input["validated_code"] = "1234"
        #expect(try await client.page("/validated", input).strings("error") == [])
    }

    @Test func `A checkbox button shows what the backend keeps`() async throws {
        let client = DemoClient(.objects)
        func isOn() async throws -> Bool {
            try await client.page("/checkbox_button").value["page"]?["widget"]?["widget"]?["widgets"]?[1]?[
                "initial_bool"
            ]?
            .bool ?? false
        }
        #expect(try await !isOn())
        for expected in [true, false] {
            #expect(try await client.post("/checkbox_button/toggle").status == 200)
            #expect(try await isOn() == expected)
        }
    }

    @Test(arguments: ["/modal", "/reset_var", "/stop_actions", "/checkbox_button", "/validated"])
    func `What the documented dialect can't say is not there`(path: String) async throws {
        #expect(try await DemoClient(.documented).send(.get, path).status == 404)
        #expect(try await DemoClient(.objects).send(.get, path).status == 200)
    }
}
