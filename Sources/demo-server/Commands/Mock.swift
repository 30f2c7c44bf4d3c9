import ArgumentParser
import Backlot
import BacklotMocks
import BacklotPreview

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
    @OptionGroup var folders: FolderOptions
    @OptionGroup var mocks: MockOptions
    @OptionGroup var control: ControlOptions
    @OptionGroup var drain: DrainOptions

    func run() async throws {
        let settings = try await ServerSettings(listen, folders, control, drain)
        settings.bootstrapLogging()
        let operations = Operations(settings)
        let router = Router()
        operations.use(on: router)
        let controls = MockControls(path: "/")
        guard
            let site = try MockSite.load(
                mocks,
                from: settings.routes,
                path: "/",
                observer: controls.journal,
                logger: settings.logger
            )
        else {
            throw ValidationError(
                "There is no folder '\(MockOptions.usualFolder)' here: write --routes and the folder of your mock routes."
            )
        }
        controls.use(on: router, for: site.backend, operations)
        router.use(Compression())
        router.use(Decompression())
        router.mocks(site.backend)
        // The folder of the demo isn't meant for mocks.
        if settings.isPublicFolderNamed { router.files(settings.publicFolder) }
        router.explainMismatches(of: site.backend)
        let preview = router.preview(settings.access)
        let watching = Task { await site.files.watch { preview.contentChanged() } }
        defer { watching.cancel() }
        try await operations.run(router, onStopping: { preview.stop() }) { address in
            StartUpLines(address: address, apps: site.startUpLines).print()
        }
    }
}
