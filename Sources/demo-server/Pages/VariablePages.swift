import Applin
import Backlot

/// Variables belong to the app, not to a page.
struct VariablesPage: RefreshedPage {
    /// An input of this page and of the one that it leads to.
    static let shared = Variable<String>("shared_text")

    let path = "/variables"
    let title = "Variables"
    let subText = "What is sent; two pages share one"

    func page(_ received: Variables?) -> any Page {
        navPage(title) {
            scroll {
                form {
                    textfield(Self.shared).label("Also on the next page").initialString("set once, while unset")
                    checkbox("shared_box").text("A boolean")
                    navButton("The next page") { push("/shared_variable") }
                    ReceivedVariables.widgets(received)
                }
            }
        }
    }
}

/// Another page with an input for a variable of Variables.
struct SharedVariablePage: ReadyPage {
    let path = "/shared_variable"
    let title = "Shared Variable"

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    textfield(VariablesPage.shared).label("The same variable")
                        .initialString("not shown, since it is set already")
                }
            }
        }
    }
}

/// Variables whose names make an object (`name#key`) or an array (`name%item`) of them.
struct NestedVariablesPage: RefreshedPage {
    let path = "/nested_variables"
    let title = "Nested Variables"
    let subText = "Objects by name#key, arrays by name%item"

    /// The variables as the backend decodes them.
    private struct Order: Decodable {
        var address: [String: String]
        var toppings: [String]
    }

    func page(_ received: Variables?) -> any Page {
        navPage(title) {
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

/// Makes variables unset, so that initial values are sent again. A text field goes on showing its text for as long as the page is on
/// the stack.
struct ResetVarPage: ReadyPage {
    let path = "/reset_var"
    let title = "Reset Variables"
    let subText = "Initial values are sent again"
    let clients: ClientVersion = "0.36"
    let dialects = [Dialect.objects]

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    textfield("reset_text").label("Text").initialString("initial text")
                    checkbox("reset_box").text("Box").initialBool(true)
                    selector("reset_choice", options: ["one", "two"], initialString: "two").label("Choice")
                    formButton("Reset the text") { resetVar("reset_text") }
                    formButton("Reset all") {
                        resetVar("reset_text")
                        resetVar("reset_box")
                        resetVar("reset_choice")
                    }
                    text(
                        "The text field shows its text until this page is opened anew; what is sent is the initial text."
                    )
                }
            }
        }
    }
}

/// The end of a page that shows which variables the client has sent.
enum ReceivedVariables {
    /// A button that polls, and below it what came; nil for a page that was loaded without variables.
    static func widgets(_ variables: Variables?) -> [any Widget] {
        let shown = variables.map { JSONValue.object($0.object).description }
        return [
            formButton("Send the variables") { poll() },
            text(shown.map { "The backend got: \($0)" } ?? "The backend got no variables: the page was loaded by GET."),
        ]
    }
}
