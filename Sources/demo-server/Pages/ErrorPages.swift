import Applin
import Backlot

extension DemoSection {
    /// Pages that show how clients handle errors.
    static func errors(_ mount: DemoMount, _ polls: PollCounter) -> DemoSection {
        DemoSection("Errors") {
            // Errors of each status on demand.
            DemoPage.ofSession("/status", "Statuses", "Errors as pages, rpcs, uploads and pictures") { session in
                let isShown = Misbehaviour.isShown(session)
                return listPage("Statuses") {
                    Misbehaviour.toggle(isShown)
                    for (code, expectation) in statusCases {
                        formSection("\(ErrorResponse.status(code))") {
                            text(expectation)
                            if isShown { navButton("Page", push("/status/\(code)")) }
                            navButton("rpc", rpc("/status/\(code)"))
                                .photoURL(isShown ? mount.url("/status/\(code)") : nil)
                                .subText(isShown ? "Its photo fails too" : nil)
                            navButton("Upload", choosePhoto("/status/\(code)"))
                        }
                    }
                    formSection("Redirect") {
                        navButton("303 to the page Text", push("/redirect"))
                    }
                }
            }
            .routes { routes in
                for method in [HTTPRequest.Method.get, .post, .put] {
                    routes.on(method)("/status/{code}") { try ErrorResponse.response(for: $0.parameters["code"] ?? "") }
                }
                let target = mount.url("/text")
                routes.get("/redirect") { _ in Response(status: .seeOther, headers: [.location: target]) }
            }

            SlowResponses.page

            // It is loaded, polled once, and then fails.
            DemoPage.waiting("/failing_poll", "Failing Poll", "Fails at the second poll and after") { request in
                // The page has an input, so a poll is a POST. A GET means that a user opens the page again.
                let count = await polls.next(for: request.clientAddress.host, isPoll: request.method == .post)
                guard count < 2 else {
                    throw StatusError(
                        .internalServerError,
                        "Poll \(count) of this page fails. Open it again to begin anew."
                    )
                }
                return formPage("Failing Poll", poll: .seconds(3)) {
                    text("This page polls every 3 seconds. From the second poll on it fails.")
                    text("Polls until now: \(count)")
                    checkbox("Makes a poll a POST", varName: "failing_poll_box")
                }
            }
            .misbehaves("It fails at its second poll.")

            // Texts of errors that try the client's error page.
            DemoPage("/long_error", "Error Texts", "Long, of many lines, none at all") {
                for (name, _) in longTexts {
                    formButton("422: \(name)", rpc("/long_error/\(name)"))
                }
                navButton("What the last error was", push("/last_error_text"))
                errorText("The last error in an error text: ${INTERACTIVE_ERROR_DETAILS}")
            }
            .targets { app in
                for (name, text) in longTexts { app.rpc("/long_error/\(name)") { _ in throw UserError(text) } }
            }

            // Responses that break rules, to try how a client handles them.
            DemoPage.ofSession("/broken", "Broken Responses", "Bodies that aren't pages, and worse") { session in
                let isShown = Misbehaviour.isShown(session)
                return listPage("Broken Responses") {
                    formSection("Pages") {
                        Misbehaviour.toggle(isShown)
                        if isShown {
                            for response in brokenResponses {
                                navButton(response.title, push("/broken/\(response.name)"))
                            }
                        }
                    }
                    formSection("rpcs") {
                        navButton("A body that is no page", rpc("/broken/not_json"))
                        navButton("A page that can't be shown", rpc("/broken/unknown_widget"))
                    }
                }
            }
            .routes { routes in
                for method in [HTTPRequest.Method.get, .post] {
                    routes.on(method)("/broken/{name}") { request in
                        let name = request.parameters["name"]
                        guard let response = brokenResponses.first(where: { $0.name == name }) else {
                            throw StatusError(.notFound, "this broken response doesn't exist")
                        }
                        let isHTML = response.name == htmlResponse
                        let type = isHTML ? "text/html; charset=utf-8" : "application/vnd.applin_response"
                        return Response(headers: [.contentType: type], body: .bytes(Array(response.body.utf8)))
                    }
                }
            }
        }
    }

    /// The statuses with buttons, and the client's expected reaction.
    static let statusCases: [(code: Int, expectation: String)] = [
        (304, "An error: only pictures are requested conditionally."),
        (400, "An error of the app, with the text under its details."),
        (403, "The text is for the user."),
        (404, "An error of the app, with the text under its details."),
        (409, "An error of the app, with the text under its details."),
        (422, "The text is for the user."),
        (429, "An error of the app; Retry-After says 10 seconds."),
        (500, "An error of the server."),
        (502, "An error of the server."),
        (503, "No body. The server is busy: polling continues, less and less often."),
        (504, "An error of the server."),
    ]

    private static let longTexts: KeyValuePairs = [
        "long": String(repeating: "This text is as long as clients show it. ", count: 24),
        "lines": (1...20).map { "Line \($0)" }.joined(separator: "\n"),
        "word": SampleTexts.longWord,
        "letters": "Grüße, 世界, 🎬: this text is UTF-8.",
        "none": "",
    ]

    private typealias BrokenResponse = (name: String, title: String, body: String)

    private static let brokenResponses: [BrokenResponse] = [
        ("empty", "An empty body", ""),
        ("not_json", "No JSON", "<html><body>It works!</body></html>"),
        ("cut_off", "Half of the JSON", #"{"page":{"typ":"nav_page","title":"Half","wid"#),
        ("no_page", "JSON without a page", "{}"),
        ("unknown_page", "A page of an unknown kind", page("Split", typ: "split_page", #"{"typ":"empty"}"#)),
        ("unknown_widget", "A widget of an unknown kind", page("Unknown", #"{"typ":"carousel"}"#)),
        (
            "unknown_action", "Actions of an unknown kind",
            page("Unknown", #"{"typ":"button","text":"Dance","actions":["dance",{"typ":"dance"}]}"#)
        ),
        ("wrong_type", "A text that is a number", page("Wrong", #"{"typ":"text","text":7}"#)),
        (
            "same_variable", "Two inputs for one variable",
            page("Twice", #"{"typ":"form","widgets":[\#(twice),\#(twice)]}"#)
        ),
        (htmlResponse, "A page that says it is HTML", page("A page", #"{"typ":"text","text":"A page"}"#)),
    ]
    /// The only response with another content type.
    private static let htmlResponse = "wrong_content_type"
    private static let twice = #"{"typ":"textfield","var_name":"twice"}"#

    private static func page(_ title: String, typ: String = "nav_page", _ widget: String) -> String {
        #"{"page":{"typ":"\#(typ)","title":"\#(title)","widget":\#(widget)}}"#
    }
}

/// An error response with the status that the client has requested.
enum ErrorResponse {
    /// The status with its name, such as `Not Found`, if it has one.
    static func status(_ code: Int) -> HTTPResponse.Status {
        named.first { $0.code == code } ?? HTTPResponse.Status(code: code)
    }

    private static let named: [HTTPResponse.Status] = [
        .notModified, .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .notAcceptable,
        .requestTimeout, .conflict, .gone, .contentTooLarge, .unsupportedMediaType, .unprocessableContent,
        .tooManyRequests, .internalServerError, .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout,
    ]

    /// The response: text/plain with the status in words. For 304 and 503, it has no body.
    ///
    /// - Parameter code: 304, or 400 to 599, in digits.
    /// - Throws: `StatusError` with 404 for anything else.
    static func response(for code: String) throws -> Response {
        guard let code = Int(code), code == 304 || (400...599).contains(code) else {
            throw StatusError(.notFound, "there is no error '\(code.prefix(20))': request 304, or 400 to 599")
        }
        let status = status(code)
        guard code != 304 else { return Response(status: status) }
        var response = code == 503 ? Response(status: status) : .text(text(status), status: status)
        if code == 503 || code == 429 { response.headers[.retryAfter] = "10" }
        return response
    }

    private static func text(_ status: HTTPResponse.Status) -> String {
        switch status.code {
        case 403: "You may not see this. (403 on demand: this text is for the user.)"
        case 422: "Your input can't be used. (422 on demand: this text is for the user.)"
        default: "\(status) on demand: this text is for the client's developer."
        }
    }
}

/// Pages and rpcs that take their time.
private enum SlowResponses {
    /// The longest delay that a client can request, in milliseconds.
    private static let maximum = 60_000
    /// The maximum number of requests that wait at a time; others get a 503.
    private static let mostWaiting = 1024

    static let page = DemoPage.ofSession("/slow", "Slow Responses", "Pages and rpcs, 1 to 60 seconds late") { session in
        let isShown = Misbehaviour.isShown(session)
        return listPage("Slow Responses") {
            Misbehaviour.toggle(isShown)
            for seconds in [1, 5, 20, 60] {
                formSection("\(seconds) s") {
                    if isShown { navButton("Page", push("/slow/\(seconds)000")) }
                    navButton("rpc", rpc("/slow/\(seconds)000/rpc"))
                    navButton("rpc that fails then", rpc("/slow/\(seconds)000/fail"))
                }
            }
        }
    }
    .targets { app in
        // A handler that waits costs some kilobytes for up to a minute.
        app.group(ConcurrencyLimit(mostWaiting)) { app in
            app.page("/slow/{ms}", samples: ["/slow/1"]) { request in
                let milliseconds = try await wait(request)
                return formPage("Slow") { text("This page came \(milliseconds) ms late.") }
            }
            app.rpc("/slow/{ms}/rpc") { try await wait($0) }
            app.rpc("/slow/{ms}/fail") { request in
                let milliseconds = try await wait(request)
                throw UserError("This rpc waited \(milliseconds) ms, and then refused.")
            }
        }
    }

    /// Waits for the time in the path.
    @discardableResult
    private static func wait(_ request: Request) async throws -> Int {
        guard let milliseconds = request.parameters["ms"].flatMap(Int.init), (0...maximum).contains(milliseconds) else {
            throw StatusError(.badRequest, "the delay is in milliseconds, from 0 to \(maximum)")
        }
        try await Task.sleep(for: .milliseconds(milliseconds))
        return milliseconds
    }
}

/// Counts how often clients have polled a page since they opened it.
actor PollCounter {
    /// The maximum number of clients to count. Beyond that, all counts start again.
    private static let maximumCount = 1000

    private var counts: [String: Int] = [:]

    /// The number of a client's poll, from 1; 0 when it opens the page.
    func next(for client: String, isPoll: Bool) -> Int {
        if counts.count >= Self.maximumCount, counts[client] == nil { counts = [:] }
        let count = isPoll ? (counts[client] ?? 0) + 1 : 0
        counts[client] = count
        return count
    }
}
