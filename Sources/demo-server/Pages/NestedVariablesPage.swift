import Applin
import Backlot

/// Variables whose names make an object (`name#key`) or an array (`name%item`) of them.
struct NestedVariablesPage: DemoPage {
    let path = "/nested_variables"
    let title = "Nested Variables"
    let subText = "Objects by name#key, arrays by name%item"

    /// What arrives.
    private struct Order: Decodable {
        var address: [String: String]
        var toppings: [String]
    }

    func page(_ request: Request) async throws -> any Page {
        let received = request.method == .post ? try await request.variables() : nil
        return navPage(title) {
            scroll {
                form {
                    textfield("address#street").label("Street").autoCapitalize(.names)
                    textfield("address#city").label("City").autoCapitalize(.names)
                    checkbox("toppings%cheese").text("Cheese")
                    checkbox("toppings%olives").text("Olives")
                    formButton("Order, by rpc") { rpc("/nested_variables/order") }
                    ReceivedVariables.widgets(received)
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        app.rpc("/nested_variables/order", Order.self) { order, _ in
            guard order.address["city"]?.isBlank == false else { throw UserError("Please enter a city.") }
        }
    }
}
