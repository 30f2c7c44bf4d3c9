import Applin
import Backlot

/// Errors of each status on demand: as a page, an rpc, an upload and a picture.
struct StatusPage: DemoPage {
    let path = "/status"
    let title = "Statuses"
    let subText = "Errors as pages, rpcs, uploads and pictures"
    let misbehavingTargets = [
        "/status/{code}": "It answers with the status that its path names.",
        "/redirect": "It answers with the place of a page, and not with a page.",
    ]
    let mount: DemoMount

    /// The statuses that have buttons, and what a client should make of them.
    static let cases: [(code: Int, expectation: String)] = [
        (304, "An error: nothing but pictures is asked for conditionally."),
        (400, "An error of the app, with the text under its details."),
        (403, "The text is for the user."),
        (404, "An error of the app, with the text under its details."),
        (409, "An error of the app, with the text under its details."),
        (422, "The text is for the user."),
        (429, "An error of the app; Retry-After says 10 seconds."),
        (500, "An error of the server."),
        (502, "An error of the server."),
        (503, "No body. The server is busy: polling goes on, less and less often."),
        (504, "An error of the server."),
    ]

    func page(_ request: Request) async throws -> any Page {
        let isShown = try await Misbehaviour.isShown(request)
        return navPage(title) {
            scroll {
                column {
                    Misbehaviour.toggle(isShown)
                    for (code, expectation) in Self.cases {
                        formSection("\(ErrorAnswer.status(code))") {
                            text(expectation)
                            if isShown {
                                navButton("Page") { push("/status/\(code)") }
                            }
                            navButton("rpc") { rpc("/status/\(code)") }.photoUrl(mount.url("/status/\(code)"))
                                .subText("Its photo fails too")
                            navButton("Upload") { choosePhoto("/status/\(code)") }
                        }
                    }
                    formSection("Redirect") {
                        navButton("303 to the page Text") { push("/redirect") }
                    }
                }
            }
        }
    }

    func addRoutes(to routes: any Routes) {
        for method in [HTTPRequest.Method.get, .post, .put] {
            routes.on(method, "/status/{code}") { try ErrorAnswer.response(for: $0.parameters["code"] ?? "") }
        }
        let target = mount.url("/text")
        routes.get("/redirect") { _ in Response(status: .seeOther, headers: [.location: target]) }
    }
}
