import Applin
import Backlot
import BacklotChecks
import BacklotClients
import TestSupport
import Testing

@testable import BacklotMocks

/// Backends that refuse what the mocks accept.
@Suite(.timeLimit(.minutes(5))) struct MocksRefusalTests {
    /// A backend that responds by the method and path, and by the body's text.
    private static func transport(
        _ response: @escaping @Sendable (_ title: String, _ body: String) -> Response
    ) throws -> InProcessTransport {
        struct Responding: Handler {
            let response: @Sendable (String, String) -> Response

            func respond(to request: Request) throws -> HandlerResult {
                .pending {
                    let body = String(decoding: try await request.body.collect(upTo: 10_000), as: UTF8.self)
                    return response("\(request.method) \(request.path)", body)
                }
            }
        }
        return try InProcessTransport(Responding(response: response))
    }

    private static func page(_ widget: String) -> String {
        "typ: nav_page\ntitle: T\nwidget:\n  typ: form\n  widgets:\n\(widget)"
    }

    private static func check(
        _ files: [String: String],
        at root: String = InProcessTransport.root,
        update: Bool = false,
        _ change: (inout ComparisonOptions) -> Void = { $0.callsRPCs = true },
        _ response: @escaping @Sendable (String, String) -> Response
    ) async throws -> (report: MocksComparisonReport, files: [String: String]) {
        try await compare(files, with: transport(response), at: root, update: update, change)
    }

    /// A recording of a sign-up, and of what its user sees.
    private static let signUp = [
        "sign_up.post.yaml": """
        scenarioName: r
        requiredScenarioState: Started
        newScenarioState: "1 after POST /sign_up"
        request: {variables: {name: ada, password: secret}}
        status: 201
        jsonBody: {id: 1}
        """,
        "notes.get.yaml": """
        scenarioName: r
        requiredScenarioState: "1 after POST /sign_up"
        jsonBody: []
        """,
        "notes.post.yaml": """
        scenarioName: r
        requiredScenarioState: "1 after POST /sign_up"
        newScenarioState: "2 after POST /notes"
        request: {variables: {title: Milk, text: Buy}}
        status: 201
        jsonBody: {id: 1}
        """,
        "card.get.yaml": "jsonBody: {name: ada}",
        "home.get.yaml": "jsonBody: {name: ada}",
        "outbox.post.yaml": "status: 201\njsonBody: {id: 2}",
    ]

    @Test func `After a sign-up that the backend refuses nothing is compared, and nothing is written`() async throws {
        let (report, files) = try await Self.check(Self.signUp, update: true) { title, _ in
            switch title {
            case "POST /sign_up": Response.text("The account exists.", status: .unprocessableContent)
            case "GET /home": Response(status: .seeOther, headers: [.location: "/log_in"])
            default: Response.text("Log in.", status: .forbidden)
            }
        }
        #expect(report.differences.map(\.finding.path.page) == ["POST /sign_up"], "\(report)")
        #expect(report.differences.first?.finding.message.contains("The backend refuses what the mock accepts") == true)
        #expect(
            report.unverified.map(\.request) == [
                "GET /card", "GET /home", "GET /notes", "POST /notes", "POST /outbox",
            ],
            "\(report)"
        )
        #expect(report.unverified.allSatisfy { $0.reason.hasPrefix("it comes after POST /sign_up") }, "\(report)")
        #expect(report.updated.isEmpty && report.notUpdated.count == 1, "\(report)")
        #expect(files == Self.signUp)
    }

    @Test func `update keeps what the backend refuses by its return code`() async throws {
        let files = ["a.get.yaml": "jsonBody: {rc: 0, a: 1}\n"]
        let (report, after) = try await Self.check(files, update: true) { _, _ in .document(["rc": 17]) }
        #expect(!report.isClean && report.updated.isEmpty, "\(report)")
        #expect(after == files)
    }

    @Test func `A sign-up that works once is compared by its first response`() async throws {
        let isTaken = Locked(false)
        let (report, _) = try await Self.check(Self.signUp) { title, _ in
            switch title {
            case "POST /sign_up":
                guard
                    isTaken.withLock({ taken in
                        defer { taken = true }
                        return !taken
                    })
                else { return Response.text("The account exists.", status: .unprocessableContent) }
                return .document(["number": 1], .created)
            case "GET /notes": return .document([])
            case "GET /card", "GET /home": return .document(["name": "ada"])
            default: return .document(["id": 7], .created)
            }
        }
        #expect(
            report.differences.map { "\($0.finding.path.page) \($0.finding.rule)" } == [
                "POST /sign_up key-removed", "POST /sign_up key-added",
            ],
            "\(report)"
        )
        #expect(report.unverified.isEmpty && report.compared == 6, "\(report)")
    }

    @Test(arguments: [401, 403, 422])
    func `An update keeps files whose requests the backend refuses`(status: Int) async throws {
        let files = ["a.get.yaml": "jsonBody: {a: 1}\n"]
        let (report, after) = try await Self.check(files, update: true) { _, _ in
            Response.text("No.", status: .init(code: status))
        }
        #expect(report.differences.map(\.finding.rule) == ["status-changed"], "\(report)")
        #expect(report.notUpdated.first?.contains("record it again") == true, "\(report)")
        #expect(after == files)
    }

    @Test func `An update writes a redirect within the backend as a path`() async throws {
        let files = ["a.get.yaml": "status: 302\nheaders: {Location: /first}\n"]
        let (report, after) = try await Self.check(files, update: true) { _, _ in
            Response(status: .found, headers: [.location: "\(InProcessTransport.root)second"])
        }
        #expect(report.updated == ["a.get.yaml"], "\(report)")
        #expect(after == ["a.get.yaml": "status: 302\nheaders:\n  Location: /second\n"])
    }

    /// A backend with a base path.
    private static let travel = "http://localhost/travel/"

    @Test(arguments: [
        ("/travel/c", true), ("http://localhost/travel/c", true), ("c", true), ("/c", false), ("/travels/c", false),
    ])
    func `A redirect is compared below the base path`(location: String, isSame: Bool) async throws {
        let files = ["a.get.yaml": "status: 302\nheaders: {Location: /c}\n"]
        let (report, _) = try await Self.check(files, at: Self.travel) { _, _ in
            Response(status: .found, headers: [.location: location])
        }
        #expect(report.differences.map(\.finding.rule) == (isSame ? [] : ["location-changed"]), "\(report)")
    }

    @Test(arguments: [("/travel/", "/"), ("/travel", "/"), ("/travel/notes", "/notes"), ("/", "/")])
    func `The path of a cookie is compared below the base path`(path: String, mockPath: String) async throws {
        let files = ["a.get.yaml": "headers:\n  Set-Cookie: lang=de; Path=\(mockPath)\njsonBody: {a: 1}\n"]
        let (report, _) = try await Self.check(files, at: Self.travel) { _, _ in
            var response = Response.document(["a": 1])
            response.headers[.setCookie] = "lang=de; Path=\(path)"
            return response
        }
        #expect(report.isClean && report.compared == 1, "\(report)")
    }

    @Test func `An update writes redirects and cookies without the base path`() async throws {
        let files = ["a.get.yaml": "status: 302\nheaders:\n  Location: /first\n  Set-Cookie: lang=de; Path=/first\n"]
        @Sendable func response() -> Response {
            let location = "/travel/second"
            return Response(status: .found, headers: [.location: location, .setCookie: "lang=en; Path=\(location)"])
        }
        let (report, after) = try await Self.check(files, at: Self.travel, update: true) { _, _ in response() }
        #expect(report.updated == ["a.get.yaml"], "\(report)")
        let text = after["a.get.yaml"] ?? ""
        #expect(text.contains("Location: /second\n") && text.contains("lang=de; Path=/second"), "\(text)")
        let (again, _) = try await Self.check(after, at: Self.travel) { _, _ in response() }
        #expect(again.isClean, "\(again)")
    }

    @Test func `An update of a redirect out of the base path is the backend's URL`() async throws {
        let files = ["a.get.yaml": "status: 302\nheaders: {Location: /first}\n"]
        let (_, after) = try await Self.check(files, at: Self.travel, update: true) { _, _ in
            Response(status: .found, headers: [.location: "/second"])
        }
        #expect(after["a.get.yaml"]?.contains("http://localhost/second") == true, "\(after)")
    }

    /// A log-in, and a page with a form of these inputs that leads to it.
    private static func form(_ inputs: String...) -> [String: String] {
        let fields = inputs.map { #"{"typ":"textfield","var_name":"\#($0)","label":"\#($0)"},"# }.joined()
        return [
            "log_in.rpc.yaml": "logIn: '{{variables.username}}'\n",
            "index.page.json":
                #"{"page":{"typ":"nav_page","title":"T","widget":{"typ":"form","widgets":[\#(fields){"typ":"form_button","text":"Go","actions":[{"typ":"rpc","url":"/log_in"}]}]}}}"#,
        ]
    }

    /// Files of a log-in, the variables for the backend, and whether the log-in is unverified instead of a difference.
    private static let logIns: [(files: [String: String], variables: JSONObject, isGuess: Bool)] = [
        // The user alone: recordings don't name the password.
        (["log_in.rpc.yaml": "logIn: '{{variables.notes_name}}'\n"], [:], true),
        (["log_in.rpc.yaml": "request: {variables: {notes_name: ada}}\nlogIn: ada\n"], [:], true),
        (["log_in.rpc.yaml": "logIn: '{{variables.notes_name}}'\n"], ["password": "right"], false),
        (["log_in.rpc.yaml": "request: {variables: {username: ada, password: right}}\nlogIn: ada\n"], [:], false),
        (form("username"), [:], false),
        (form("username", "password"), [:], true),
        (form("username", "password"), ["password": "right"], false),
    ]

    @Test(arguments: logIns.indices)
    func `A log-in that needs another variable is explained`(index: Int) async throws {
        let own = Self.logIns[index]
        let (report, _) = try await Self.check(own.files) { options in
            options.callsRPCs = true
            options.variables = own.variables
        } _: { title, _ in
            guard title == "GET /", let page = own.files["index.page.json"] else {
                return Response.text("Write your pin.", status: .unprocessableContent)
            }
            return .pageText(page)
        }
        let found = report.differences.filter { $0.finding.path.page == "POST /log_in" }
        #expect(found.isEmpty == own.isGuess, "\(report)")
        #expect(report.unverified.contains { $0.request == "POST /log_in" } == own.isGuess, "\(report)")
        guard let drift = found.first else { return }
        #expect(drift.file == "log_in.rpc.yaml" && drift.finding.path.line == 1)
        #expect(drift.finding.message.contains("\"Write your pin.\""), "\(report)")
    }

    @Test func `A log-in sends the variable that tells its user`() async throws {
        let sent = Locked<[String]>([])
        let (report, _) = try await Self.check(["log_in.rpc.yaml": "logIn: '{{variables.notes_name}}'\n"]) { _, body in
            sent.withLock { $0.append(body) }
            return Response(headers: [.setCookie: "session=1; Path=/"])
        }
        #expect(report.isClean && report.compared == 1, "\(report)")
        #expect(sent.withLock { $0 } == [#"{"notes_name":"backlot"}"#, #"{"notes_name":"backlot"}"#])
    }

    @Test func `Another fixed path is not followed in place of the mock's`() async throws {
        let files = [
            "books.get.yaml": "jsonBody: {status: available, id: 1}\n",
            "books/return.rpc.yaml": "{}\n", "books/borrow.rpc.yaml": "{}\n",
            "index.page.yaml": Self.page(
                "    - {typ: form_button, text: Go, actions: [{typ: rpc, url: /books/return}]}\n"
            ),
        ]
        let asked = Locked<Set<String>>([])
        let json =
            #"{"page":{"typ":"nav_page","title":"T","widget":{"typ":"form","widgets":[{"typ":"form_button","text":"Go","actions":[{"typ":"rpc","url":"/books/borrow"}]}]}}}"#
        let (report, _) = try await Self.check(files) { title, _ in
            _ = asked.withLock { $0.insert(title) }
            switch title {
            case "GET /":
                return .pageText(json)
            case "GET /books": return .document(["status": "borrowed", "id": 2])
            default: return Response()
            }
        }
        #expect(report.differences.map(\.finding.rule) == ["target-changed"], "\(report)")
        #expect(
            asked.withLock { $0 } == ["GET /", "GET /books", "POST /books/return", "POST /books/borrow"],
            "\(report)"
        )
    }

    @Test func `A WebSocket is unverified, and a page on its path is verified`() async throws {
        let files = ["live.get.json": #"{"a":1}"#, "live.ws.yaml": "steps: [{send: hi}]"]
        let (report, _) = try await Self.check(files) { _, _ in .document(["a": "text"]) }
        #expect(report.unverified.map(\.reason) == ["it opens a WebSocket"], "\(report)")
        #expect(report.differences.map(\.finding.rule) == ["type-changed"], "\(report)")
    }

    @Test func `A path of no mock route has a note`() async throws {
        let files = ["books/[id].get.json": #"{"a":1}"#, "live.get.json": #"{"a":1}"#]
        let (report, _) = try await Self.check(files) { options in
            options.paths = ["/books/17", "/live", "/book/17", "/books/17/pages?a=b"]
        } _: { _, _ in
            .document(["a": 1])
        }
        #expect(report.isClean && report.compared == 2, "\(report)")
        #expect(
            report.notes
                == ["/book/17", "/books/17/pages?a=b"].map {
                    "--path \($0) matches no mock route that can be requested."
                },
            "\(report)"
        )
    }

    @Test func `Documents that need a log-in are unverified`() async throws {
        let report = try await ChangedBackend(
            SeededChange("-", "GET /views/visit.json") {
                $0 = Response.text("Log in.", status: .unauthorized)
            }
        ).report()
        #expect(report.isClean, "\(report)")
        let found = report.unverified.filter { $0.request.hasPrefix("GET /views/visit.json") }
        #expect(
            Set(found.map(\.reason)) == [
                "the backend asks for a log-in: --header passes a session to the backend"
            ]
        )
    }

    /// A file, what of it the backend leaves out, and the line of that.
    private static let places: [(name: String, text: String, response: String, line: Int)] = [
        ("a.get.json", "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  }\n}\n", #"{"a":1,"b":{}}"#, 4),
        ("a.get.yaml", "# Why.\njsonBody:\n  a: 1\n  b:\n    c: 2\n", #"{"a":1,"b":{}}"#, 5),
        (
            "a.get.yaml",
            "responses:\n  - request: {queryParameters: {x: \"1\"}}\n    jsonBody:\n      a: 1\n      b: 2\n  - status: 404\n",
            #"{"a":1}"#, 5
        ),
        (
            "a.get.yaml", "template: false\nbody: '{\"a\":1,\"b\":2}'\nheaders: {Content-Type: application/json}\n",
            #"{"a":1}"#, 1
        ),
        (
            "a.page.yaml",
            "# Why.\ntyp: nav_page\ntitle: T\nwidget:\n  typ: scroll\n  widget:\n    typ: column\n    widgets:\n      - {typ: text, text: A}\n      - {typ: text, text: B}\n",
            #"{"page":{"typ":"nav_page","title":"T","widget":{"typ":"scroll","widget":{"typ":"column","widgets":[{"typ":"text","text":"A"}]}}}}"#,
            10
        ),
    ]

    @Test(arguments: places.indices)
    func `A finding names the line of its part`(index: Int) async throws {
        let own = Self.places[index]
        let (report, _) = try await Self.check([own.name: own.text]) { _ in
        } _: { title, _ in
            let type = own.name.contains("page") ? "application/vnd.applin_response" : "application/json"
            return Response(headers: [.contentType: type], body: .bytes(Array(own.response.utf8)))
        }
        let found = report.differences.filter {
            $0.finding.rule.hasSuffix("-removed") && $0.finding.path.page == "GET /a"
        }
        #expect(found.map(\.finding.path.line) == [own.line], "\(report)")
    }

    @Test func `A finding about a whole response says so`() async throws {
        let (report, _) = try await Self.check(["a.get.yaml": "jsonBody: {a: 1}\n"]) { _ in
        } _: { _, _ in
            Response.text("It is gone.", status: .notFound)
        }
        #expect("\(report)".contains("  error: the response\n"), "\(report)")
    }
}
