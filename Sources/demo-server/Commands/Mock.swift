import ArgumentParser
import Backlot
import BacklotMocks
import BacklotPreview
import Logging

/// `demo-server mock`
struct Mock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves mock routes alone, at /.",
        discussion: """
            Each file below --routes is a route, and its path is the URL: home.page.json is an Applin page, save.rpc.yaml an \
            rpc, users/[id].get.json a plain answer. A file that is saved is live within a second. Commands to the running \
            server are at /__admin, as WireMock has them.
            """
    )

    @OptionGroup var listen: ListenOptions

    @OptionGroup var mocks: MockOptions

    @OptionGroup var control: MockControlOptions

    @Option(
        name: .customLong("public"),
        help: ArgumentHelp("A folder whose files are served where no mock route is.", valueName: "dir")
    )
    var publicFolder: String?

    func run() async throws {
        let logger = listen.logger
        let settings = try ListenSettings(host: listen.host, port: listen.port)
        let controls = try MockControls(control, path: "/", host: settings.host)
        guard let site = try MockSite.load(mocks, path: "/", observer: controls.journal, logger: logger) else {
            throw ValidationError(
                "There is no folder '\(MockOptions.usualFolder)' here: write --routes and the folder of your mock routes."
            )
        }
        let router = Router()
        controls.use(on: router, for: site.backend)
        router.use(Compression())
        router.use(Decompression())
        router.mocks(site.backend)
        if let publicFolder { router.files(publicFolder) }
        router.explainMismatches(of: site.backend)
        let preview = router.preview(controls.access)
        var server = Server(router, host: settings.host, port: settings.port, logger: logger) { address in
            StartUpLines(address: address, apps: site.startUpLines).print()
        }
        server.onStopping = { preview.stop() }
        let watching = Task { await site.files.watch { preview.contentChanged() } }
        defer { watching.cancel() }
        try await server.run()
    }
}
