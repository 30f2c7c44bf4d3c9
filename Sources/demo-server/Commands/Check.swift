import Applin
import Backlot
import BacklotChecks
import BacklotClients
import BacklotMocks
import BacklotService
import Logging

/// The command `demo-server check`, which reports responses that clients would reject.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Crawls a backend, and reports the responses that clients would reject.",
        discussion: """
            With a URL it crawls that backend, in any language. Applin: from / along push and replace_all, each page once, by GET, \
            and also by POST if the page has inputs. Xpedite: each method that can be tapped, and the rows of tables. Floki: \
            from the version indicator to all feeds and pages. Dynamic Views: each view of the index. A2UI: each surface of the \
            index. It calls rpcs, A2UI's actions, and methods that take input only with --rpc, and never uploads photos.
            Without a URL it requests every page of the demo, and every mock page, in this process; with --mocks-only every mock page.

            Exit status: 0 without findings, 1 findings, with a URL warnings too (see --least and --expect), 2 the backend can't \
            be reached, or the crawl was not finished and found nothing, 64 wrong arguments. Without a URL only errors count, not \
            warnings.
            """
    )

    @Argument(help: ToolOptions.appURL)
    var url: String?

    @Flag(
        help: "Call rpcs and methods that take input too, each once, with the initial values of the page."
    )
    var rpc = false

    @OptionGroup var backend: BackendOptions

    @Option(
        help: ArgumentHelp(
            """
            The client versions to judge each page for: applin-ios@0.31 is one, applin-ios@0.28... it and all later ones, \
            applin-ios@0.28...0.34 a range, 'all' every known one. Commas, or the option again, join several. Without it, the \
            newest of the dialect.
            """,
            valueName: "clients"
        )
    )
    var clients: [String] = []

    @Option(
        help: ArgumentHelp(
            "The request field with a client's version. The crawl requests each page with every version that may get another page.",
            valueName: "name"
        )
    )
    var clientField: String?

    @Option(help: "The least severe findings to report, and to count for the exit status.")
    var least = Finding.Severity.note

    @OptionGroup var expectation: ExpectOption
    @OptionGroup var bounds: CrawlBounds
    @OptionGroup var tool: ToolOptions
    @OptionGroup var folders: FolderOptions

    @Flag(
        help: """
            Check mock routes only, as 'demo-server mock' serves them: with files only if --public or PUBLIC names their folder.
            """
    )
    var mocksOnly = false

    @OptionGroup var mocks: MockOptions

    func validate() throws {
        let clients = try selection
        _ = try options
        if let chosen = backend.wire.chosen { _ = try speaking(clients, chosen) }
        if let clientField {
            guard ClientField(clientField).isUsable else {
                throw ValidationError(
                    "--client-field is '\(clientField)': write the name of a field, such as X-Client-Version."
                )
            }
            guard clients != nil else {
                throw ValidationError("--client-field sends the versions that --clients names: write --clients too.")
            }
        }
        guard let url else {
            guard clients == nil || mocksOnly && clientField == nil else {
                throw ValidationError(
                    "--clients is for a crawl, or for mock pages: write the URL of a backend, or --mocks-only."
                )
            }
            guard !rpc, tool.format == .text, least == .note, expectation.expect.isEmpty else {
                throw ValidationError(
                    "--rpc, --format, --least and --expect are for a crawl: write the URL of a backend too."
                )
            }
            guard !backend.isGiven, !bounds.isGiven, !tool.hasTimeout else {
                let names = "--protocol, --dialect, --slow-ms, --max-pages, --max-seconds and --timeout"
                throw ValidationError("\(names) are for a crawl: write the URL of a backend too.")
            }
            return
        }
        guard !mocksOnly, folders.given.isEmpty, !mocks.isGiven else {
            let names =
                "--mocks-only, --routes, --public, --keep-going, --seed, --now, --shared-state, --state-by and --allow-webhooks"
            throw ValidationError("\(names) are for the check in this process: leave out the URL.")
        }
        try tool.server(url)
        if let chosen = backend.wire.chosen { _ = try Arguments.read { try Crawl(url, as: chosen) } }
    }

    func run() async throws {
        if let url {
            try await crawl(url)
        } else {
            try await checkDemo()
        }
    }

    /// The clients that --clients names; nil without the option.
    private var selection: ClientSelection? {
        get throws {
            let text = clients.joined(separator: ",")
            return text.isEmpty ? nil : try Arguments.read("--clients: ") { try ClientSelection(text) }
        }
    }

    /// The clients of a protocol and of the dialect from --dialect.
    private func speaking(_ clients: ClientSelection?, _ spoken: AppProtocol) throws -> ClientSelection? {
        try Arguments.read("--clients: ") { try clients?.speaking(spoken, backend.dialect.name) }
    }

    /// The options of the crawl.
    ///
    /// - Throws: `ValidationError`.
    var options: CrawlOptions {
        get throws {
            var options = CrawlOptions()
            options.maximumPages = bounds.maxPages
            options.maximumTime = bounds.time
            options.slow = backend.slow
            options.callsRPCs = rpc
            options.dialect = backend.dialect.name
            options.limits = tool.limits
            options.least = least
            options.expected = try Arguments.read { try ExpectedFindings(expectation.expect) }
            return options
        }
    }

    private func crawl(_ url: String) async throws {
        let transport = SocketTransport(trusting: try tool.trust.servers)
        var options = try options
        let selection = try selection
        options.clientField = clientField.map { ClientField($0) }
        options.clients = selection
        let crawl = try await Arguments.read {
            let spoken = try await backend.wire.spoken(at: url, transport, options.limits)
            return try Crawl(url, as: spoken, transport: transport, options: options)
        }
        _ = try speaking(selection, crawl.appProtocol)
        let report = try await tool.report { line in await crawl.report { line?.show(ProgressLine.text($0)) } }
        try report.finish(as: tool.format)
    }

    private func checkDemo() async throws {
        let sources = try DemoServer.settings(given: [folders])
        let (routes, publicFiles) = (try DemoSettings.routesFolder(sources), try DemoSettings.publicFiles(sources))
        print("no URL: \(mocksOnly ? "the mock routes" : "the demo") in this process")
        var hasErrors = false
        // The demo's folder isn't meant for mocks.
        let folder = mocksOnly && !publicFiles.isNamed ? nil : publicFiles.folder
        if !mocksOnly {
            let router = Router()
            DemoCatalogue.register(on: router)
            if let folder { router.files(folder) }
            let report = await router.check()
            hasErrors = report.hasErrors
            print("\(report)\n\nmock routes:")
        }
        let path = mocksOnly ? "/" : MockMount.path
        if let site = try MockSite.load(mocks, trusting: try tool.trust.servers, from: routes, path: path) {
            let router = Router()
            if !mocksOnly { DemoCatalogue.register(on: router) }
            router.mocks(site.backend)
            if let folder { router.files(folder) }
            let clients = try selection
            let report = await site.backend.check(in: router.handler()) { inspector in
                guard inspector is ApplinInspector, let clients = try? clients?.speaking(.applin) else {
                    return inspector
                }
                return ClientInspector(inspector, for: clients)
            }
            hasErrors = hasErrors || report.hasErrors
            print(report)
            for app in try await site.checkApps(for: clients) {
                hasErrors = hasErrors || app.findings.contains { $0.severity == .error }
                print("\n\(app.url.path):\n\(app)")
            }
        } else if mocksOnly {
            throw MockOptions.noFolder
        } else {
            print("none: the folder '\(MockOptions.usualFolder)' doesn't exist here")
        }
        if hasErrors { throw ExitCode.failure }
    }
}
