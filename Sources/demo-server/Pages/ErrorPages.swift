import Applin
import Backlot

/// Errors of each status on demand: as a page, an rpc, an upload and a picture.
struct StatusPage: SessionPage {
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

    func page(_ request: Request, _ session: Session) throws -> any Page {
        let isShown = Misbehaviour.isShown(session)
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
                            navButton("rpc") { rpc("/status/\(code)") }
                                .photoUrl(isShown ? mount.url("/status/\(code)") : nil)
                                .subText(isShown ? "Its photo fails too" : nil)
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

/// An error answer with the status that the client has asked for.
enum ErrorAnswer {
    /// The errors that have a name.
    private static let named: [HTTPResponse.Status] = [
        .notModified, .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .notAcceptable,
        .requestTimeout, .conflict, .gone, .contentTooLarge, .unsupportedMediaType, .unprocessableContent,
        .tooManyRequests, .internalServerError, .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout,
    ]

    /// The status with its name, such as `Not Found`, if it has one.
    static func status(_ code: Int) -> HTTPResponse.Status {
        named.first { $0.code == code } ?? HTTPResponse.Status(code: code)
    }

    /// The answer: text/plain with a text that says the status, but for 304 and 503, which have no body.
    ///
    /// - Parameter code: 304, or 400 to 599, in digits.
    /// - Throws: `StatusError` with 404 for anything else.
    static func response(for code: String) throws -> Response {
        guard let code = Int(code), code == 304 || (400...599).contains(code) else {
            throw StatusError(.notFound, "there is no error '\(code.prefix(20))': ask for 304, or for 400 to 599")
        }
        let status = status(code)
        switch code {
        case 304:
            return Response(status: status)
        case 503:
            return Response(status: status, headers: [.retryAfter: "10"])
        case 429:
            var response = Response.text(text(status), status: status)
            response.headers[.retryAfter] = "10"
            return response
        default:
            return .text(text(status), status: status)
        }
    }

    private static func text(_ status: HTTPResponse.Status) -> String {
        switch status.code {
        case 403: "You may not see this. (403 on demand: this text is for the user.)"
        case 422: "What you entered can't be used. (422 on demand: this text is for the user.)"
        default: "\(status) on demand: this text is for the client's developer."
        }
    }
}

/// Texts of errors that try the client's error page.
struct LongErrorPage: ReadyPage {
    let path = "/long_error"
    let title = "Error Texts"
    let subText = "Long, of many lines, none at all"

    private static let texts = [
        ("long", String(repeating: "This text is as long as clients show it. ", count: 24)),
        ("lines", (1...20).map { "Line \($0)" }.joined(separator: "\n")),
        ("word", SampleTexts.longWord),
        ("letters", "Grüße, 世界, 🎬: this text is UTF-8."),
        ("none", ""),
    ]

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                form {
                    for (name, _) in Self.texts {
                        formButton("422: \(name)") { rpc("/long_error/\(name)") }
                    }
                    navButton("What the last error was") { push("/last_error_text") }
                    errorText("The last error in an error text: ${INTERACTIVE_ERROR_DETAILS}")
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        for (name, text) in Self.texts {
            app.rpc("/long_error/\(name)") { _ in throw UserError(text) }
        }
    }
}
