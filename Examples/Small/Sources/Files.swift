// Static files, with compression, ranges and 304s, and one file as a download.
// Run it with `swift run --package-path Examples/Small files FOLDER`, then open http://127.0.0.1:8080/ for its index.html.
import Backlot

func makeRouter(folder: String) -> Router {
    let router = Router()
    router.use(Compression())
    router.files(folder)  // at /, for paths without a route
    router.files(folder, at: "/assets", cacheControl: "max-age=31536000, immutable")
    router.get("/download/{name}") { request in
        let name = try request.parameter("name")
        return try await .file(name, in: folder, for: request, download: name)
    }
    return router
}

await Server(makeRouter(folder: CommandLine.arguments.dropFirst().first ?? "Public"), port: 8080).runOrExit()
