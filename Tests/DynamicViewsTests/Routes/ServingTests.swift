import Backlot
import BacklotTesting
import TestSupport
import Testing

@testable import DynamicViews

/// Documents over HTTP: dialects, entity tags, files, and what is refused.
@Suite(.timeLimit(.minutes(5))) struct ServingTests {
    private let title = Locked("a")

    private func makeServer(
        _ configuration: DynamicViewsConfiguration = DynamicViewsConfiguration()
    ) throws -> ViewServer {
        let title = title
        return try ViewServer(configuration: configuration) { views in
            views.view("dashboard") { request in
                document {
                    text(title.withLock { $0 }, id: "1").padding(bottom: 4)
                    if request.dialect.platform == .ios { developerMode(id: "d") { version(id: "v") } }
                }
            }
        }
    }

    @Test func `A document is strict JSON, and there for each dialect`() async throws {
        let server = try makeServer()
        let ios = try await server.get("/dashboard.json")
        #expect(ios.status == .ok)
        #expect(ios.mediaType == "application/json")
        #expect(ios.headers[.vary] == "Dynamic-Views-Dialect")
        #expect(ios.headers[.cacheControl] == "no-cache")
        #expect(
            ios.text == #"{"configuration":{},"widgets":[{"type":"text","id":"1","text":"a","padding":{"bottom":4}},"#
                + #"{"type":"developerMode","id":"d","items":[{"type":"snabble.version","id":"v"}]}]}"#
        )
        let field = try #require(HTTPField.Name("Dynamic-Views-Dialect"))
        for response in [
            try await server.get("/dashboard.json?dialect=android"),
            try await server.get("/dashboard.json", [field: "Android"]),
            try await server.get("/dashboard.json?x=1&dialect=android&dialect=ios", [field: "ios"]),
        ] {
            #expect(
                response.text == #"{"configuration":{"image":"","style":"scroll","padding":[0]},"#
                    + #""widgets":[{"type":"text","id":"1","text":"a","padding":[0,0,4,0]}]}"#
            )
            #expect(response.headers[.eTag] != ios.headers[.eTag])
        }
    }

    @Test func `A frame stands around each view that is made in Swift, and its handlers are called`() async throws {
        let tapped = Locked<[String]>([])
        let server = try ViewServer { views in
            views.frame { _ in
                text("Top", id: "top").onTap { interaction, _ in tapped.withLock { $0.append(interaction.widgetID) } }
            } below: { request in
                if request.dialect.platform == .android { version(id: "version") }
            }
            for name in ["a", "b"] { views.view(name) { _ in document { text("Own", id: name) } } }
        }
        func ids(_ path: String) async throws -> [String] {
            let widgets = try JSONValue(parsing: try await server.get(path).text)["widgets"]?.array ?? []
            return widgets.compactMap { $0["id"]?.string }
        }
        #expect(try await ids("/a.json") == ["top", "a"])
        #expect(try await ids("/b.json?dialect=android") == ["top", "b", "version"])
        #expect(try await server.post("/b/interactions", #"{"widgetId":"top"}"#).status == .noContent)
        #expect(tapped.withLock { $0 } == ["top"])
    }

    @Test(arguments: ["?dialect=windows", "?dialect=", "?dialect"])
    func `An unknown dialect is refused`(query: String) async throws {
        let response = try await makeServer().get("/dashboard.json\(query)")
        #expect(response.status == .badRequest)
        #expect(response.text.hasSuffix("here: ask for ios or android"))
    }

    @Test func `Who has the document hears 304, until it changes, in each dialect`() async throws {
        let server = try makeServer()
        for query in ["", "?dialect=android"] {
            title.withLock { $0 = "a" }
            let first = try await server.get("/dashboard.json\(query)")
            let tag = try #require(first.headers[.eTag])
            #expect(tag.hasPrefix("\""))
            let second = try await server.get("/dashboard.json\(query)", [.ifNoneMatch: tag])
            #expect(second.status == .notModified)
            #expect(second.body == [])
            #expect(second.headers[.eTag] == tag)
            #expect(second.headers[.vary] == "Dynamic-Views-Dialect")
            title.withLock { $0 = "b" }
            let third = try await server.get("/dashboard.json\(query)", [.ifNoneMatch: tag])
            #expect(third.status == .ok)
            #expect(third.headers[.eTag] != tag)
            // The tag of one dialect doesn't match the other's.
            let other = query.isEmpty ? "?dialect=android" : ""
            let crossed = try await server.get("/dashboard.json\(other)", [.ifNoneMatch: tag])
            #expect(crossed.status == .ok)
        }
    }

    @Test func `Views are listed, and others are not there`() async throws {
        let server = try makeServer()
        #expect(try await server.get("/").text == #"{"views":["dashboard"]}"#)
        #expect(try await server.get("/profile.json").status == .notFound)
        #expect(try await server.get("/dashboard").status == .notFound)
        #expect(try await server.post("/dashboard.json", "{}").status == .methodNotAllowed)
        #expect(try await server.get("/dashboard/interactions").status == .methodNotAllowed)
    }

    @Test func `The first dialect is for clients without a choice`() async throws {
        var configuration = DynamicViewsConfiguration()
        configuration.dialects = [.android, .ios]
        let server = try ViewServer(configuration: configuration) { views in
            views.view("v") { _ in document { version(id: "v") } }
        }
        let android = try await server.get("/v.json")
        #expect(android.text.contains(#"{"type":"snabble.version","id":"v","padding":[0]}"#))
        #expect(try await server.get("/v.json?dialect=ios").text.contains(#"{"type":"snabble.version","id":"v"}"#))
    }

    @Test func `A document that clients would refuse is not answered with, but for one that is broken on purpose`()
        async throws
    {
        var configuration = DynamicViewsConfiguration()
        configuration.validation = .response
        func register(_ views: DynamicViewsApp) {
            views.view("broken") { _ in document { developerMode(id: "d") { multiValue("m", id: "m") {} } } }
            views.view("exempt", unchecked: "on purpose") { _ in
                document {
                    text("a", id: "1"); text("b", id: "1")
                }
            }
        }
        let server = try ViewServer(configuration: configuration, register)
        #expect(try await server.get("/broken.json").status == .ok)
        let refused = try await server.get("/broken.json?dialect=android")
        #expect(refused.status == .internalServerError)
        #expect(refused.text.contains("[widget-of-other-dialect] at /widgets/0/items/0"))
        #expect(try await server.get("/exempt.json").status == .ok)
        configuration.validation = .log
        let logging = try ViewServer(configuration: configuration, register)
        #expect(try await logging.get("/broken.json?dialect=android").status == .ok)
    }

    @Test func `Check looks at each view in each dialect, with the catalogue`() async throws {
        let router = Router()
        var configuration = DynamicViewsConfiguration()
        configuration.catalogue = Catalogue(texts: ["a"])
        router.dynamicViews("/views/", configuration: configuration) { views in
            views.view("good") { _ in document { text("a", id: "1") } }
            views.view("bad") { _ in document { multiValue("b", id: "m") {} } }
        }
        let report = await router.check()
        #expect(
            report.pages.map { "\($0.path) \($0.findings.map(\.rule))" } == [
                "/views/good.json?dialect=ios []", "/views/good.json?dialect=android []",
                #"/views/bad.json?dialect=ios ["unlisted-text"]"#,
                #"/views/bad.json?dialect=android ["widget-of-other-dialect", "unlisted-text"]"#,
            ]
        )
    }

    @Test(arguments: [
        ("views", "'views' can't be the path of a base URL"), ("/views", "'/views' can't be the path of a base URL"),
    ])
    func `A path is checked`(path: String, problem: String) {
        let router = Router()
        router.dynamicViews(path) { _ in }
        let error = #expect(throws: StartupError.self) { try InProcessTransport(router.handler()) }
        #expect(error?.problems.first?.contains(problem) == true)
    }

    @Test func `Mistakes in what is registered are listed when the server starts`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write("{", to: "broken.json")
            try folder.write(#"{"configuration":{},"widgets":[{"type":"image","id":1}]}"#, to: "wrong.json")
            let router = Router()
            router.dynamicViews("/views/") { views in
                views.view("a") { _ in document {} }.on(.tap, "1") { _, _ in }.on(.tap, "1") { _, _ in }
                views.view("a") { _ in document {} }
                views.view("a b") { _ in document {} }
                views.interactions(with: "nowhere").onInteraction { _, _ in }.onInteraction { _, _ in }
                views.files("no such folder")
                views.files(folder.path)
            }
            var configuration = DynamicViewsConfiguration()
            configuration.dialects = [.ios, .ios]
            router.dynamicViews("/others/", configuration: configuration) { _ in }
            let error = #expect(throws: StartupError.self) { try InProcessTransport(router.handler()) }
            let problems = error?.problems.joined(separator: "\n") ?? ""
            for problem in [
                "widget '1' of view 'a' has two handlers for a tap", "view 'a' is declared twice",
                "'a b' can't be the name of a view", "view 'nowhere' has onInteraction twice",
                "view 'nowhere' at /views/ has handlers, but no document",
                "the folder 'no such folder' of views doesn't exist",
                "/broken.json:1:2: the document ends where", "[missing-key] at /widgets/0, line 1\n",
                "[wrong-type] at /widgets/0/id, line 1", "the views at /others/ need one dialect or more",
            ] {
                #expect(problems.contains(problem), "\(problem)")
            }
        }
    }

    @Test func `A file is read leniently, a change counts at once, and a broken one leaves the last good version`()
        async throws
    {
        try await withTemporaryFolder { folder in
            try folder.write(Reference.dashboard, to: "dashboard.json")
            try folder.write("not a view", to: "README.md")
            let server = try ViewServer { $0.files(folder.path) }
            #expect(try await server.get("/").text == #"{"views":["dashboard"]}"#)
            let first = try await server.get("/dashboard.json")
            #expect(try JSONValue(parsing: first.body) == ImportedDocument(parsing: Reference.dashboard).value)
            let tag = try #require(first.headers[.eTag])
            let former = #"{"type":"purchases","id":"1","projectId":"p",}"#
            try folder.write(Reference.document(former), to: "dashboard.json")
            let second = try await server.get("/dashboard.json", [.ifNoneMatch: tag])
            #expect(second.text == Reference.document(#"{"type":"snabble.lastPurchases","id":"1","projectId":"p"}"#))
            let same = #"{"type":"snabble.version","id":"1"}"#
            for broken in [
                "{", Reference.document(#"{"type":"image","id":"1"}"#), Reference.document("\(same),\(same)"),
            ] {
                try folder.write(broken, to: "dashboard.json")
                #expect(try await server.get("/dashboard.json").body == second.body)
                #expect(try await server.get("/dashboard.json").body == second.body)
            }
            try folder.remove("dashboard.json")
            #expect(try await server.get("/dashboard.json").body == second.body)
            try folder.write(Reference.dashboard, to: "dashboard.json")
            #expect(try await server.get("/dashboard.json", [.ifNoneMatch: tag]).status == .notModified)
        }
    }

    @Test func `A file that is named for a platform is sent to its clients, and any other file to all others`()
        async throws
    {
        let ios = Reference.document(#"{"type":"navigation","id":"1","text":"a","resource":"b"}"#)
        let android = Reference.document(
            #"{"type":"snabble.devSettings","id":"1","text":"a","padding":[0]}"#,
            configuration: #"{"image":"i","style":"list","padding":[0]}"#
        )
        let information = Reference.document(
            #"{"type":"information","id":"1","text":"a","padding":[4]}"#,
            configuration: #"{"image":"i","style":"list","padding":[0]}"#
        )
        try await withTemporaryFolder { folder in
            try folder.write(ios, to: "profile.json")
            try folder.write(android, to: "profile.android.json")
            try folder.write(android, to: "device.android.json")
            try folder.write(information, to: "note.android.json")
            try folder.write(Reference.document(#"{"type":"version","id":"1"}"#), to: "both.json")
            let router = Router()
            router.dynamicViews { $0.files(folder.path) }
            let server = try ViewServer { $0.files(folder.path) }
            #expect(try await server.get("/").text == #"{"views":["both","profile"]}"#)
            let forAndroid = try await server.get("/?dialect=android")
            #expect(forAndroid.text == #"{"views":["both","device","note","profile"]}"#)
            #expect(forAndroid.headers[.vary] == "Dynamic-Views-Dialect")
            #expect(try await server.get("/?dialect=windows").status == .badRequest)
            #expect(
                router.apps()[0].openPages() == [
                    "/views/both.json", "/views/device.json?dialect=android", "/views/note.json?dialect=android",
                    "/views/profile.json",
                ]
            )
            #expect(try await server.get("/profile.json").text == ios)
            #expect(try await server.get("/profile.json?dialect=android").text == android)
            #expect(try await server.get("/note.json?dialect=android").text == information)
            #expect(try await server.get("/both.json").text.contains(#""type":"snabble.version""#))
            #expect(try await server.get("/both.json?dialect=android").text.contains(#""type":"snabble.version""#))
            let missing = try await server.get("/device.json")
            #expect(missing.status == .notFound)
            #expect(missing.text == "this view has no document for ios clients")
            let pages = await router.check().pages
            #expect(
                pages.map(\.path) == [
                    "/views/both.json?dialect=ios", "/views/both.json?dialect=android",
                    "/views/device.json?dialect=android", "/views/note.json?dialect=android",
                    "/views/profile.json?dialect=ios", "/views/profile.json?dialect=android",
                ]
            )
            #expect(pages.allSatisfy { $0.findings == [] })
        }
    }

    @Test func `A file for both platforms keeps the keys of the second`() async throws {
        try await withTemporaryFolder { folder in
            let both = Reference.document(
                #"{"type":"information","id":"1","text":"a","hideable":true,"padding":[0]}"#,
                configuration: #"{"image":"","style":"scroll","padding":[0]}"#
            )
            try folder.write(both, to: "note.json")
            var configuration = DynamicViewsConfiguration()
            configuration.dialects = [.android, .ios]
            let server = try ViewServer(configuration: configuration) { $0.files(folder.path) }
            #expect(try await server.get("/note.json?dialect=ios").text.contains(#""hideable":true"#))
            #expect(!(try await server.get("/note.json").text.contains("hideable")))
        }
    }

    @Test func `A view without a document for any client is reported`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write(Reference.document(#"{"type":"snabble.version","id":"1"}"#), to: "only.android.json")
            var configuration = DynamicViewsConfiguration()
            configuration.dialects = [.ios]
            let error = #expect(throws: StartupError.self) {
                try ViewServer(configuration: configuration) { $0.files(folder.path) }
            }
            let text = "has no document of 'only' for ios clients: add only.json"
            #expect(error?.problems.first?.contains(text) == true)
        }
    }

    @Test(arguments: [
        ("a.android.json", #"{"type":"navigation","id":"1","text":"a","resource":"b","padding":[0]}"#),
        ("a.android.json", #"{"type":"developerMode","id":"1","items":[],"padding":[0]}"#),
        ("a.ios.json", #"{"type":"snabble.clientId","id":"1"}"#),
        ("a.json", #"{"type":"snabble.clientId","id":"1"}"#),
    ])
    func `A file must be what the clients of its dialect accept`(name: String, widget: String) async throws {
        try await withTemporaryFolder { folder in
            let configuration = #"{"image":"","style":"list","padding":[0]}"#
            try folder.write("\n" + Reference.document("\n\(widget)", configuration: configuration), to: name)
            let router = Router()
            router.dynamicViews { $0.files(folder.path) }
            let error = #expect(throws: StartupError.self) { try InProcessTransport(router.handler()) }
            let problems = error?.problems.joined() ?? ""
            #expect(problems.contains("[widget-of-other-dialect] at /widgets/0, line 3"), "\(problems)")
        }
    }

    @Test(arguments: [
        (#"{"type":"navigation","id":"1","text":"a","resource":"b"}"#, "[widget-of-other-dialect] at /widgets/0"),
        (#"{"type":"snabble.customerCard","id":"1"}"#, "[missing-key] at /widgets/0"),
        (#"{"type":"snabble.version","id":"1","padding":{"top":0.5}}"#, nil),
    ])
    func `A file for both platforms that one of them would refuse is warned of`(widget: String, problem: String?) throws
    {
        let made = try Document(JSONValue(parsing: Reference.document(widget)))
        let warning = DocumentFile.warning(about: made, "Views/a.json", for: .android)
        #expect((warning == nil) == (problem == nil))
        if let warning, let problem {
            let advice = "Views/a.json isn't what android clients accept. Write Views/a.android.json for them.\n"
            #expect(warning.hasPrefix(advice))
            #expect(warning.contains(problem), "\(warning)")
        }
    }

    @Test func `Preview judges a document by the dialect that its path names`() throws {
        let router = Router()
        router.dynamicViews { _ in }
        let body = Array(Reference.document(#"{"type":"navigation","id":"1","text":"a","resource":"b"}"#).utf8)
        let app = try #require(router.apps().first)
        #expect(app.facts == ["dialects": "ios,android"])
        let inspector = app.inspector
        func rules(_ path: String) -> [String] { inspector.findings(inBody: body, path: path, app: nil).map(\.rule) }
        #expect(rules("/views/a.json") == [])
        #expect(rules("/views/a.json?dialect=ios") == [])
        #expect(rules("/views/a.json?x=1&dialect=Android").contains("widget-of-other-dialect"))
        #expect(rules("/views/a.json?dialect=windows") == [])
    }
}
