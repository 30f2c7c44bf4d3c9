import Applin
import Backlot

/// Answers that no backend should give, for trying how a client takes them.
struct BrokenAnswersPage: SessionPage {
    let path = "/broken"
    let title = "Broken Answers"
    let subText = "Bodies that are no pages, and worse"
    let misbehavingTargets = ["/broken/{name}": "It answers with what clients can't read."]

    private struct Answer {
        let name: String
        let title: String
        var contentType = "application/vnd.applin_response"
        let body: String
    }

    private static let answers = [
        Answer(name: "empty", title: "An empty body", body: ""),
        Answer(name: "not_json", title: "No JSON", body: "<html><body>It works!</body></html>"),
        Answer(name: "cut_off", title: "Half of the JSON", body: #"{"page":{"typ":"nav_page","title":"Half","wid"#),
        Answer(name: "no_page", title: "JSON without a page", body: "{}"),
        Answer(
            name: "unknown_page",
            title: "A page of an unknown kind",
            body: #"{"page":{"typ":"split_page","title":"Split","widget":{"typ":"empty"}}}"#
        ),
        Answer(
            name: "unknown_widget",
            title: "A widget of an unknown kind",
            body: #"{"page":{"typ":"nav_page","title":"Unknown","widget":{"typ":"carousel"}}}"#
        ),
        Answer(
            name: "unknown_action",
            title: "Actions of an unknown kind",
            body: #"{"page":{"typ":"nav_page","title":"Unknown","widget":{"typ":"button","text":"Dance","actions":["#
                + #""dance",{"typ":"dance"}]}}}"#
        ),
        Answer(
            name: "wrong_type",
            title: "A text that is a number",
            body: #"{"page":{"typ":"nav_page","title":"Wrong","widget":{"typ":"text","text":7}}}"#
        ),
        Answer(
            name: "same_variable",
            title: "Two inputs for one variable",
            body: #"{"page":{"typ":"nav_page","title":"Twice","widget":{"typ":"form","widgets":["#
                + #"{"typ":"textfield","var_name":"twice"},{"typ":"textfield","var_name":"twice"}]}}}"#
        ),
        Answer(
            name: "wrong_content_type",
            title: "A page that says it is HTML",
            contentType: "text/html; charset=utf-8",
            body: #"{"page":{"typ":"nav_page","title":"A page","widget":{"typ":"text","text":"A page"}}}"#
        ),
    ]

    func page(_ request: Request, _ session: Session) throws -> any Page {
        let isShown = Misbehaviour.isShown(session)
        return navPage(title) {
            scroll {
                column {
                    formSection("Pages") {
                        Misbehaviour.toggle(isShown)
                        if isShown {
                            for answer in Self.answers {
                                navButton(answer.title) { push("/broken/\(answer.name)") }
                            }
                        }
                    }
                    formSection("rpcs") {
                        navButton("A body that is no page") { rpc("/broken/not_json") }
                        navButton("A page that can't be shown") { rpc("/broken/unknown_widget") }
                    }
                }
            }
        }
    }

    func addRoutes(to routes: any Routes) {
        for method in [HTTPRequest.Method.get, .post] {
            routes.on(method, "/broken/{name}") { request in
                let name = request.parameters["name"]
                guard let answer = Self.answers.first(where: { $0.name == name }) else {
                    throw StatusError(.notFound, "there is no such broken answer")
                }
                return Response(headers: [.contentType: answer.contentType], body: .bytes(Array(answer.body.utf8)))
            }
        }
    }
}

/// Whether the user wants to see the pages that do what no backend should do.
///
/// A program that follows links, such as a link checker, never gets there: the buttons that lead there are shown only after
/// an rpc was called, as long as the session lasts.
enum Misbehaviour {
    private enum ShownKey: SessionKey {
        static let name = "misbehaviour"
        typealias Value = Bool
    }

    /// Whether its buttons are shown.
    static func isShown(_ session: Session) -> Bool {
        session[ShownKey.self] ?? false
    }

    /// The button that shows and hides its buttons.
    static func toggle(_ isShown: Bool) -> NavButton {
        navButton(isShown ? "Hide the pages that misbehave" : "Show the pages that misbehave") {
            rpc(isShown ? "/misbehaviour/hide" : "/misbehaviour/show")
            poll()
        }
    }

    static func register(on app: ApplinApp) {
        app.rpc("/misbehaviour/show") { try await $0.session.update(ShownKey.self) { $0 = true } }
        app.rpc("/misbehaviour/hide") { try await $0.session.update(ShownKey.self) { $0 = false } }
    }
}
