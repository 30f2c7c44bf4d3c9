import Applin
import Backlot

/// Another page with an input for a variable of Variables.
struct SharedVariablePage: DemoPage {
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
