import Applin
import Backlot
import BacklotService
import Foundation
import GardenPages

/// A community garden: pages for people, a JSON API for programs, and an admin group.
@main
struct Garden: ServerApp {
    static let file = Setting(
        name: "file",
        defaultText: "garden.json",
        allowed: "the path of a file",
        read: ServiceSetting.path
    )
    static let photos = Setting(name: "photos", defaultText: "Photos", allowed: "a folder", read: ServiceSetting.path)
    static let password = Setting(name: "password", allowed: "8 or more characters", isSecret: true) { text in
        text.utf8.count >= 8 ? text : nil
    }
    static let settings: [any ListedSetting] = [file, photos, password]

    @Option(Garden.file, "The file of the plots.") var file: String?
    @Option(Garden.photos, "The folder of the photos.") var photos: String?
    @Option(Garden.password, "The password of the gardeners' office; without it, nobody is let in.") var password:
        String?

    func routes(_ router: Router, _ service: AppContext) async throws {
        let plots = try await service.using(Self.file) { try Plots(path: service.isServing ? $0 : nil) }
        if !service.isServing { _ = try await plots.add(NewPlot(name: "Example", size: 20, soil: .clay)) }
        let photos = try service.required(Self.photos)
        try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: true)
        await Self.register(on: router, plots, photos: photos, password: try service.value(Self.password))
        let logger = service.logger
        service.whileServing {
            for await plot in await plots.changes() { logger.info("plot \(plot.id) has changed") }
        }
    }

    /// Adds the app, for servers and for tests.
    @MainActor static func register(on router: Router, _ plots: Plots, photos: String, password: String?) {
        let pages = GardenPages(plots)
        router.applin("/") { pages.add(to: $0) }
        pages.addHits(to: router)
        let api = router.group("/api", JSONErrors(), BodyLimit(5_000_000))
        GardenAPI(plots: plots, photos: photos).add(to: api)
        let office = BasicAuthentication(realm: "Garden") { credentials in
            guard let password else { return false }
            return credentials.matches(user: "office", password: password)
        }
        router.group("/office", office) { group in
            group.delete("/plots/{id}") { request in
                try await plots.remove(try request.parameter("id", as: Int.self))
                return Response(status: .noContent)
            }
        }
        let document = router.openAPI(title: "Garden", version: "1")
        router.get("/openapi.json") { _ in document.response }
    }
}
