import Applin
import Backlot

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
