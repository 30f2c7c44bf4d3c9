import Backlot

extension SeededBug {
    /// All of them, those that are found by their inputs first.
    static let all: [SeededBug] = inputs + texts + flows + lost + leaks + growths

    /// Those that take more than 1400 steps, or weren't found within 3000: a test of them would take too long.
    static let rare: Set<String> = [
        "a field that is full", "no way back", "a quote in a name", "a search that takes long", "somebody else's note",
        "a number that is too large", "a blank search",
    ]

    // MARK: What is typed and chosen

    private static let inputs: [SeededBug] = [
        response("a long name", "/sign_up/submit") { $0.text("sign_up_name").count > 100 },
        response("letters of the world", "/sign_up/submit") { $0.text("sign_up_name").contains { !$0.isASCII } },
        response("a quote in a name", "/log_in/submit") { $0.text("log_in_name").contains("'") },
        response("a blank search", "/search") { $0.text("search_term") == " " },
        response("a field that is full", "/textfield") { $0.text("field13").count == 8 },
        response("the last plan", "/sign_up/submit") { $0.text("sign_up_plan") == "Business" },
        response("a box that isn't checked", "/create_account") {
            $0.variables["agree"]?.bool == false && !$0.text("username").isEmpty
        },
        response("a number that is too large", "/validated") { visit in
            let code = visit.text("validated_code")
            return !code.isEmpty && code.allSatisfy(\.isNumber) && Int(code) == nil
        },
        response("a line break", "/sign_up/submit") { $0.text("sign_up_name").contains("\n") },
        response("a photo", "/photos/add") { $0.request.method == .put },
    ]

    // MARK: What is shown

    private static let texts: [SeededBug] = [
        edit("Optional", "/members", ["developer-text"], "You are logged in as ", "You are logged in as Optional(")
            .after { visit, response in
                if visit.path == "/members" { response.edit { $0.replacing("Optional(", with: #"Optional(\"x\") "#) } }
            },
        edit("nil", "/counter", ["developer-text"], "somebody who is not logged in.", "nil."),
        refusal(
            "HTML for users",
            "/sign_up/submit",
            ["developer-text", "html-error"],
            text: "<html><body><h1>422</h1></body></html>"
        ),
        refusal("a stack trace", "/create_account", text: "Fatal error: no name\n\tat Pages.swift:12"),
        refusal("JSON for users", "/log_in/submit", text: #"{"error":"invalid","field":"name"}"#),
        refusal("a path of the server", "/nested_variables/order", text: "No such file: /usr/share/orders/today.db"),
        edit("undefined", "/modal", ["developer-text"], "Delete everything?", "Delete undefined?")
            .after { visit, response in
                if visit.path == "/modal" {
                    response.edit { $0.replacing("Delete undefined?", with: "Delete: undefined") }
                }
            },
    ]

    // MARK: Ways

    private static let flows: [SeededBug] = [
        edit(
            "a dead link",
            "/terms",
            ["app-error", "server-error"],
            at: "/missing",
            "\"This is a demo",
            "\"This is a demo"
        )
        .after { visit, response in
            if visit.path == "/terms" {
                response.insert(#"{"typ":"form_button","text":"More","actions":[{"typ":"push","page":"/missing"}]}"#)
            }
        },
        edit(
            "a dead rpc",
            "/counter",
            ["app-error"],
            at: "/counter/incremnt",
            "/counter/increment",
            "/counter/incremnt"
        ),
        SeededBug(name: "the third tap", rules: ["server-error"], page: "/counter/increment") {
            let tally = Tally()
            return { visit, next in
                if visit.path == "/counter/increment", !visit.cookie.isEmpty, tally.next(visit.cookie) == 3 {
                    return .text("", status: .internalServerError)
                }
                return try await next(visit.request)
            }
        },
        response("a log-out without a session", "/log_out") { $0.cookie.isEmpty },
        SeededBug(name: "an account that is there already", rules: ["server-error"], page: "/create_account") {
            let tally = Tally()
            return { visit, next in
                let response = try await next(visit.request)
                guard visit.path == "/create_account", response.status == .ok else { return response }
                return tally.next(visit.text("username")) == 1
                    ? response : .text("duplicate", status: .internalServerError)
            }
        },
        edit(
            "a page that its refresh breaks",
            "/variables",
            ["unknown-widget", "unknown-kind", "unknown-typ"],
            #""typ":"text""#,
            #""typ":"txt""#
        ) { $0.isPost },
        SeededBug(name: "a page that isn't one", rules: ["wrong-content-type"], page: "/selector") {
            { visit, next in
                var response = try await next(visit.request)
                if visit.path == "/selector", visit.text("size") == "L" { response.headers[.contentType] = "text/html" }
                return response
            }
        },
        SeededBug(name: "redirects in a circle", rules: ["bad-redirect"], page: "/privacy") {
            { visit, next in
                guard visit.path == "/privacy" else { return try await next(visit.request) }
                return Response(status: .found, headers: [.location: "/objects/privacy"])
            }
        },
        edit("one page too many goes", "/terms", ["broken-action"], "\"This is a demo", "\"This is a demo").after {
            visit,
            response in
            if visit.path == "/terms" {
                response.insert(#"{"typ":"form_button","text":"Done","actions":["pop","pop","pop"]}"#)
                response.edit {
                    $0.replacing(#"["pop","pop","pop"]"#, with: #"[{"typ":"pop"},{"typ":"pop"},{"typ":"pop"}]"#)
                }
            }
        },
        edit(
            "no way on",
            "/new_account",
            ["dead-end"],
            at: "/privacy",
            #"{"typ":"replace_all","page":"/"}"#,
            #"{"typ":"replace_all","page":"/privacy"}"#
        ),
        edit("no way back", "/removed_back_button", ["dead-end"], #"{"typ":"pop"}"#, #"{"typ":"poll"}"#),
        SeededBug(name: "twice at the same time", rules: ["server-error"], page: "/ok") {
            let running = Locked(0)
            return { visit, next in
                guard visit.path == "/ok" else { return try await next(visit.request) }
                let isAlone = running.withLock { count in
                    count += 1
                    return count == 1
                }
                defer { running.withLock { $0 -= 1 } }
                guard isAlone else { return .text("locked", status: .internalServerError) }
                try await Task.sleep(for: .milliseconds(20))
                return try await next(visit.request)
            }
        },
    ]

    // MARK: What is lost

    private static let lost: [SeededBug] = [
        SeededBug(name: "a field whose variable changes", rules: ["lost-input"], page: "/variables") {
            let tally = Tally()
            return { visit, next in
                var response = try await next(visit.request)
                if visit.path == "/variables" {
                    let number = tally.next("")
                    response.edit { $0.replacing(#""shared_text""#, with: #""shared_text_\#(number)""#) }
                }
                return response
            }
        },
        SeededBug(name: "a field that goes with the error", rules: ["lost-input"], page: "/sign_up") {
            { visit, next in
                var response = try await next(visit.request)
                if visit.path == "/sign_up", visit.isPost, !visit.text("sign_up_email").isEmpty {
                    response.edit { text in
                        let field = text.split(separator: "{").first { $0.contains(#""var_name":"sign_up_email""#) }
                        return field.map { text.replacing($0, with: #""typ":"text","text":"E-mail"},"#) } ?? text
                    }
                }
                return response
            }
        },
        edit(
            "reset before it is sent",
            "/log_in",
            ["lost-input"],
            #"{"typ":"rpc","url":"/log_in/submit"}"#,
            #"{"typ":"reset_var","var_name":"log_in_name"},{"typ":"rpc","url":"/log_in/submit"}"#
        ),
    ]

    // MARK: What belongs to somebody else

    private static let leaks: [SeededBug] = [
        SeededBug(name: "somebody else's name", rules: ["other-session-data"], page: "/terms") {
            let last = Locked("nobody")
            return { visit, next in
                if visit.path == "/create_account" { last.withLock { $0 = visit.text("username") } }
                var response = try await next(visit.request)
                if visit.path == "/terms" {
                    let name = JSONValue.string("Welcome, \(last.withLock { $0 })!")
                    response.insert(#"{"typ":"text","text":\#(name)}"#)
                }
                return response
            }
        },
        SeededBug(name: "somebody else's note", rules: ["other-session-data"], page: "/notes") {
            let last = Locked("")
            return { visit, next in
                if visit.path.hasPrefix("/notes/"), visit.path.contains("/save/"),
                    let text = visit.variables.members.first(where: { $0.key.hasPrefix("note_") })?.value.string
                {
                    last.withLock { $0 = text }
                }
                var response = try await next(visit.request)
                if visit.path == "/notes", !visit.cookie.isEmpty {
                    response.insert(#"{"typ":"text","text":\#(JSONValue.string(last.withLock { $0 }))}"#)
                }
                return response
            }
        },
    ]

    // MARK: What grows

    private static let growths: [SeededBug] = [
        SeededBug(name: "a page that grows", rules: ["answer-grows"], page: "/page2") {
            let tally = Tally()
            return { visit, next in
                var response = try await next(visit.request)
                if visit.path == "/page2" {
                    let log = String(repeating: "You were here. ", count: min(tally.next(""), 5000))
                    response.insert(#"{"typ":"text","text":"\#(log)"}"#)
                }
                return response
            }
        },
        SeededBug(name: "a cookie with each answer", rules: ["cookies-grow"], page: "") {
            let tally = Tally()
            return { visit, next in
                var response = try await next(visit.request)
                if visit.path == "/page2" || visit.path == "/terms" {
                    response.headers.append(HTTPField(name: .setCookie, value: "seen\(tally.next(""))=1; Max-Age=1000"))
                }
                return response
            }
        },
        SeededBug(name: "pages on top of pages", rules: ["stack-grows"], page: "/terms") {
            { visit, next in
                var response = try await next(visit.request)
                if visit.path == "/terms" {
                    let number = (visit.request.rawQuery.flatMap { Int($0.drop { !$0.isNumber }) } ?? 0) + 1
                    response.insert(
                        #"{"typ":"form_button","text":"Next","actions":[{"typ":"push","page":"/terms?part=\#(number)"}]}"#
                    )
                }
                return response
            }
        },
        SeededBug(name: "a search that takes long", rules: ["slow-step"], page: "/search") {
            { visit, next in
                if visit.path == "/search", visit.text("search_term").count > 20 {
                    try await Task.sleep(for: .milliseconds(400))
                }
                return try await next(visit.request)
            }
        },
    ]

    /// The same, with something else done to the answers.
    private func after(_ change: @escaping @Sendable (Visit, inout Response) -> Void) -> SeededBug {
        SeededBug(name: name, rules: rules, page: page) { [make] in
            let spoil = make()
            return { visit, next in
                var response = try await spoil(visit, next)
                change(visit, &response)
                return response
            }
        }
    }
}
