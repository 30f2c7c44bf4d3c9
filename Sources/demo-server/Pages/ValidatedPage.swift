import Applin
import Backlot

/// Inputs that the backend checks before the user may go on: a push sends the variables at once.
struct ValidatedPage: DemoPage {
    let path = "/validated"
    let title = "Validated"
    let subText = "push sends the variables at once"
    // Clients of the other dialect ignore it.
    let dialects = [Dialect.objects]

    private static let code = Variable<String>("validated_code")

    func page(_ request: Request) async throws -> any Page {
        let error: String? =
            if request.method == .post, try await request.variables()[Self.code] != "1234" {
                "Wrong: the code is 1234."
            } else {
                nil
            }
        return navPage(title) {
            scroll {
                form {
                    textfield(Self.code).label("Code").allow(.numbers).maxChars(4).error(error).validated()
                    checkbox("validated_box").text("Remember it").validated()
                    selector("validated_choice", options: ["a", "b"], initialString: "a").label("Choice").validated()
                    navButton("Next") { push("/page2") }
                }
            }
        }
    }
}
