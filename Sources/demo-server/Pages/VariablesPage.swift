import Applin
import Backlot

/// Variables belong to the app, not to a page.
struct VariablesPage: DemoPage {
    /// An input of this page and of the one that it leads to.
    static let shared = Variable<String>("shared_text")

    let path = "/variables"
    let title = "Variables"
    let subText = "What is sent; two pages share one"

    func page(_ request: Request) async throws -> any Page {
        let received = request.method == .post ? try await request.variables() : nil
        return navPage(title) {
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
