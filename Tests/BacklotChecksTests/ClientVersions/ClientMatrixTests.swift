import Applin
import Backlot
import BacklotChecks
import BacklotTesting
import ClientTestSupport
import Testing

/// The results of each client version for the pages of a backend.
@Suite(.timeLimit(.minutes(5))) struct ClientMatrixTests {
    private static let reset = Backend.button(
        "Clear",
        #"{"typ":"reset_var","var_name":"a"}"#,
        #"{"typ":"push","page":"/old"}"#
    )

    /// `/` for all of a dialect, `/settings` for clients since 0.36, `/old` for those of the other dialect.
    private static var backend: Backend {
        let backend = Backend("/", Backend.button("Settings", #"{"typ":"push","page":"/settings"}"#))
        backend.form("/settings", reset)
        backend.form("/old", Backend.button("Go", #""push:/""#))
        return backend
    }

    private func crawl(
        _ clients: String,
        _ configure: (inout CrawlOptions) -> Void = { _ in }
    ) async throws -> CrawlReport {
        let clients = try ClientSelection(clients)
        return try await Self.backend.crawl {
            $0.clients = clients
            $0.dialect = "objects"
            configure(&$0)
        }
    }

    @Test func `Without the option there is no matrix`() async throws {
        let report = try await Self.backend.crawl()
        #expect(report.matrix == nil)
        #expect(report.json["matrix"] == nil)
    }

    @Test func `A check says first of all for which releases a backend is readable`() async throws {
        let mixed = try await Self.backend.crawl()
        let none = """
            readable by no release of applin-ios; not by 0.36 to 0.40, because of actions that are strings; not by 0.31 to 0.35, \
            because of reset_var; not by 0.0.3 to 0.30, because of actions that are objects; not by 0.0.0 to 0.0.2, because of \
            names with underscores
            """
        #expect(mixed.readers == none)
        #expect(mixed.description.hasPrefix(none + "\n/old\n"))
        #expect(mixed.json["readers"] == .string(none))
        let old = Backend("/", Backend.button("Go", #""poll""#))
        #expect(
            try await old.crawl().readers == """
                readable by applin-ios 0.0.3 to 0.30; not by 0.31 to 0.40, because of actions that are strings; not by 0.0.0 to \
                0.0.2, because of names with underscores
                """
        )
        let new = Backend("/", Backend.button("Go", #"{"typ":"reset_var","var_name":"a"}"#))
        #expect(
            try await new.crawl().readers?.hasPrefix(
                "readable by applin-ios 0.36 to 0.40; not by 0.31 to 0.35, because of reset_var;"
            ) == true
        )
    }

    @Test func `A page is judged for each version`() async throws {
        let backend = Self.backend
        let clients = try ClientSelection("applin-ios@0.28...")
        let report = try await backend.crawl { $0.clients = clients }
        let matrix = try #require(report.matrix)
        #expect(matrix.paths == ["/", "/settings", "/old"])
        #expect(matrix.verdict(on: "/settings", by: "applin-ios", "0.36") == .loads)
        guard case .refuses(let reason) = matrix.verdict(on: "/settings", by: "applin-ios", "0.35") else {
            Issue.record("0.35 loads it")
            return
        }
        #expect(reason.rule == "action-of-other-version")
        #expect(reason.path.pointer == "/page/widget/widget/widgets/0/actions/0")
        #expect(matrix.verdict(on: "/gone", by: "applin-ios", "0.35") == nil)
        #expect(matrix.verdict(on: "/", by: "applin-ios", "0.27") == nil)
        #expect(
            matrix.description == """
                clients: applin-ios 0.28 to 0.40

                page       0.28-0.30  0.31-0.35  0.36-0.40
                /          no         yes        yes        needs ≥ 0.31 because of actions that are objects
                /settings  no         no         yes        needs ≥ 0.36 because of reset_var
                /old       yes        no         no         needs ≤ 0.30 because of actions that are strings

                0 of 3 pages load in all of them
                """
        )
    }

    @Test func `Each reason is a finding that says which versions it keeps out, and what the page needs`() async throws
    {
        let report = try await crawl("applin-ios@0.31...")
        let finding = try #require(report.findings.first { $0.path.page == "/settings" })
        #expect(finding.rule == "action-of-other-version")
        #expect(
            finding.message == """
                applin-ios 0.31 to 0.35 can't load the page: The action reset_var is unknown to clients before 0.36, so they \
                reject the whole page. The page needs ≥ 0.36 because of reset_var.
                """
        )
        // A reason that the crawl has found anyway isn't told again.
        #expect(report.findings.filter { $0.path.page == "/old" }.map(\.rule) == ["action-of-other-dialect"])
        #expect(report.findings.count == 2)
    }

    @Test func `A single version is what pages are judged for`() async throws {
        let report = try await crawl("applin-ios@0.33")
        #expect(
            report.findings.map { "\($0.path.page) \($0.rule)" }.sorted() == [
                "/old action-of-other-dialect", "/settings action-of-other-version",
            ]
        )
        #expect(report.matrix?.description.contains("1 of 3 pages load in all of them") == true)
    }

    @Test func `Programs get clients and matrix`() async throws {
        let json = try await crawl("applin-ios@0.34...0.37").json
        #expect(json["clients"]?[0]?["client"] == "applin-ios")
        #expect(json["clients"]?[0]?["versions"] == ["0.34.0", "0.35.0", "0.36.0", "0.37.0"])
        let row = json["matrix"]?[1]
        #expect(row?["page"] == "/settings")
        #expect(row?["loads"] == false)
        #expect(row?["accepts"] == ["0.36.0", "0.37.0"])
        #expect(row?["rejects"]?["0.35.0"] == "action-of-other-version")
        #expect(row?["needs"] == "≥ 0.36 because of reset_var")
        #expect(row?["reasons"]?[0]?["because"] == "reset_var")
        #expect(row?["reasons"]?[0]?["versions"] == ["0.34.0", "0.35.0"])
        #expect(json["matrix"]?[0]?["needs"] == JSONValue.null)
    }

    @Test func `A version that can send nothing from a page says why`() async throws {
        let backend = Backend("/", #"{"typ":"textfield","var_name":"a#"}"#, Self.reset)
        let clients = try ClientSelection("applin-ios@0.31...")
        let matrix = try #require(try await backend.crawl { $0.clients = clients }.matrix)
        guard case .cannotSend(let reason) = matrix.verdict(on: "/", by: "applin-ios", "0.40") else {
            Issue.record("0.40 can send")
            return
        }
        #expect(reason.rule == "malformed-var-name")
        #expect(matrix.description.contains("/     no         no POST"))
        #expect(matrix.json[0]?["post_refused"]?["0.36.0"] == "malformed-var-name")
    }

    @Test(arguments: [
        (Response.text("x"), "wrong-content-type"), (.page("7"), "wrong-type"), (.page("{"), "not-json"),
        (Response(headers: [.contentType: "application/vnd.applin_response"]), "empty-page"),
        (Response.text("x", status: .internalServerError), "server-error"),
    ])
    func `No version loads what is no page`(response: Response, rule: String) async throws {
        let backend = Backend()
        backend.on("/") { _ in response }
        let clients = try ClientSelection("applin-ios@0.28...")
        let report = try await backend.crawl { $0.clients = clients }
        let verdict = report.matrix?.verdict(on: "/", by: "applin-ios", "0.40")
        guard case .refuses(let reason) = verdict else {
            Issue.record("it loads: \(String(describing: verdict))")
            return
        }
        #expect(report.findings.map(\.rule).contains(reason.rule))
        #expect(report.matrix?.description.contains("needs a version outside the selection") == true)
    }

    @Test(arguments: [nil, "X-Client-Version" as ClientField])
    func `A page that doesn't exist is left out, and counts once as a dead link`(field: ClientField?) async throws {
        let backend = Backend("/", Backend.button("Go", #"{"typ":"push","page":"/gone"}"#))
        let clients = try ClientSelection("applin-ios@0.31...")
        let report = try await backend.crawl {
            $0.clients = clients
            $0.clientField = field
        }
        #expect(report.pageRules == ["/ dead-link"], "\(report)")
        #expect(report.matrix?.paths == ["/"])
        #expect(report.readers == "readable by applin-ios 0.31 to 0.40", "\(report)")
        let all = try await backend.crawl()
        #expect(
            all.readers?.hasPrefix("readable by applin-ios 0.31 to 0.40; not by 0.0.3 to 0.30, because of actions")
                == true,
            "\(all)"
        )
    }

    @Test func `A page that no version loads, and whose POST is missing, stays`() async throws {
        let backend = Backend("/", Backend.button("Go", #"{"typ":"push","page":"/next"}"#))
        backend.on("/next") { request in
            request.method == .get
                ? .page(Backend.form([#"{"typ":"textfield","var_name":"a"}"#, #"{"typ":"carousel"}"#]))
                : Response(status: .notFound)
        }
        let report = try await backend.crawl()
        #expect(report.readers?.hasPrefix("readable by no release of applin-ios") == true, "\(report)")
    }

    @Test func `A page that only the newest version doesn't get stays in the matrix`() async throws {
        let field = try #require(HTTPField.Name("X-Client-Version"))
        let backend = Backend()
        backend.on("/") { request in
            request.headers[field] == "0.40"
                ? Response(status: .notFound) : .page(Backend.form([#"{"typ":"text","text":"x"}"#]))
        }
        let clients = try ClientSelection("applin-ios@0.31...")
        let report = try await backend.crawl {
            $0.clients = clients
            $0.clientField = "X-Client-Version"
        }
        #expect(report.matrix?.paths == ["/"], "\(report)")
        #expect(report.matrix?.verdict(on: "/", by: "applin-ios", "0.31") == .loads)
    }

    @Test func `A backend that is told the version is asked by each that may get another page`() async throws {
        let field = try #require(HTTPField.Name("X-Client-Version"))
        let backend = Backend()
        backend.on("/") { request in
            let isNew = request.headers[field].flatMap { ClientVersion($0) }.map { $0 >= "0.36" } ?? false
            return .page(Backend.form([isNew ? Self.reset : Backend.button("Clear", #"{"typ":"rpc","url":"/clear"}"#)]))
        }
        backend.form("/old", #"{"typ":"text","text":"Old"}"#)
        let clients = try ClientSelection("applin-ios@0.31...")
        let report = try await backend.crawl {
            $0.clients = clients
            $0.clientField = "X-Client-Version"
        }
        #expect(report.isClean, "\(report)")
        #expect(report.matrix?.verdict(on: "/", by: "applin-ios", "0.31") == .loads)
        #expect(backend.log.filter { $0 == "GET /" }.count == ReleasedCount.groupsSince31)
    }

    @Test func `A backend that fails for some versions is found`() async throws {
        let field = try #require(HTTPField.Name("X-Client-Version"))
        let backend = Backend()
        backend.on("/") { request in
            switch request.headers[field] {
            case "0.31": return .text("broken", status: .internalServerError)
            case "0.32.1": return Response(status: .notFound)
            case "0.33.1": return .text("Please update.", status: .forbidden)
            case "0.34": return .text("<html>")
            default: return .page(Backend.form([#"{"typ":"text","text":"x"}"#]))
            }
        }
        let clients = try ClientSelection("applin-ios@0.31...")
        let report = try await backend.crawl {
            $0.clients = clients
            $0.clientField = "X-Client-Version"
        }
        #expect(report.findings.map(\.rule) == ["server-error", "app-error", "wrong-content-type"], "\(report)")
        #expect(report.findings.first?.message.hasPrefix("applin-ios 0.31 can't load the page: ") == true, "\(report)")
        #expect(report.matrix?.verdict(on: "/", by: "applin-ios", "0.33") == nil)
        #expect(report.matrix?.verdict(on: "/", by: "applin-ios", "0.35") == .loads)
        let row = report.matrix?.description.split(separator: "\n").first { $0.hasPrefix("/ ") } ?? ""
        #expect(row.split(separator: " ").prefix(5) == ["/", "no", "-", "no", "yes"], "\(report)")
    }

    @Test func `Clients of another protocol are refused`() async throws {
        let clients = try ClientSelection("floki")
        let report = try await Self.backend.crawl { $0.clients = clients }
        #expect(report.findings.map(\.rule).contains("wrong-clients"))
        #expect(report.matrix == nil)
    }
}

private enum ReleasedCount {
    /// 0.31, 0.32, 0.33, 0.34, 0.35, 0.36 and 0.38 changed something.
    static let groupsSince31 = 7
}

/// Headless clients of chosen versions, and one page for all of them.
@Suite(.timeLimit(.minutes(5))) struct ChosenVersionTests {
    private static func router() -> Router {
        let router = Router()
        router.applin("/", clients: "0.28"..., clientField: "X-Client-Version") { app in
            app.page("/") { request in
                navPage("\(request.requestingClient?.namedVersion?.description ?? "?")") {
                    column {
                        text("Hello")
                        button("Clear") { resetVar("a").fallback { rpc("/clear") } }
                    }
                }
            }
            app.rpc("/clear") { _ in }
        }
        return router
    }

    @Test(arguments: ["0.28", "0.31", "0.35", "0.36", "0.40"] as [ClientVersion])
    func `A client tells its version, and gets a page that it loads`(version: ClientVersion) async throws {
        let app = try ApplinClient(Self.router(), client: version)
        try await app.launch()
        #expect(app.findings.isEmpty)
        #expect(app.screen.description.contains("\(version)"), "\(app.screen)")
        if version < "0.36" {
            try await app.tap("Clear")
            #expect(app.requests.last?.path == "/clear")
        }
    }

    @Test func `A client without a chosen version tells none`() async throws {
        let app = try ApplinClient(Self.router())
        try await app.launch()
        #expect(app.screen.description.contains("?"), "\(app.screen)")
    }

    @Test func `A crawl of the app finds nothing for any version`() async throws {
        var options = CrawlOptions()
        options.clients = try ClientSelection("applin-ios@0.28...")
        options.clientField = "X-Client-Version"
        options.slow = .seconds(60)
        let report = try await Crawl(Self.router(), options: options).report()
        #expect(report.isClean, "\(report)")
    }
}

/// Pages that no crawl goes through.
@Suite(.timeLimit(.minutes(5))) struct ClientInspectorTests {
    private static let page: JSONValue = [
        "page": [
            "typ": "plain_page",
            "widget": ["typ": "button", "text": "A", "actions": [["typ": "reset_var", "var_name": "a"]]],
        ]
    ]

    @Test func `A page is judged for versions besides`() throws {
        let inspector = ClientInspector(
            ApplinInspector(dialect: .objects),
            for: try ClientSelection("applin-ios@0.34...")
        )
        let findings = inspector.findings(in: Self.page, path: "/p", app: nil)
        #expect(findings.map(\.rule) == ["action-of-other-version"])
        #expect(findings.first?.message.hasPrefix("applin-ios 0.34 to 0.35 can't load the page: ") == true)
        #expect(inspector.findings(inBody: Self.page.bytes, path: "/p", app: nil) == findings)
        #expect(inspector.findings(inBody: [0x7B], path: "/p", app: nil).map(\.rule) == ["not-json"])
    }

    @Test func `A page that all versions load is clean`() throws {
        let inspector = ClientInspector(
            ApplinInspector(dialect: .objects),
            for: try ClientSelection("applin-ios@0.36...")
        )
        #expect(inspector.findings(in: Self.page, path: "/p", app: nil).isEmpty)
    }
}
