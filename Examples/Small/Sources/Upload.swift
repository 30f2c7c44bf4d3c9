// Uploads: a photo from an Applin client, and any file from an HTML form.
// Run it with `swift run --package-path Examples/Small upload`, then `curl -F file=@README.md http://127.0.0.1:8080/files`.
import Applin
import Backlot
import Foundation

/// - Parameter folder: where the files go.
func makeRouter(folder: String) -> Router {
    let router = Router()
    router.applin("/") { app in
        let photo = app.upload("/photo", limit: 5_000_000, formats: [.jpeg]) { request in
            _ = try await request.body.save(to: "\(folder)/photo.jpg")
        }
        app.page("/") { _ in
            formPage("Your photo") {
                if FileManager.default.fileExists(atPath: "\(folder)/photo.jpg") {
                    image("/photo.jpg", aspectRatio: 1, disposition: .fit)
                } else {
                    text("You have no photo.")
                }
                formButton("Choose a photo", choosePhoto(photo), poll())
            }
        }
    }
    router.get("/photo.jpg") { request in try await .file("photo.jpg", in: folder, for: request) }
    router.with(BodyLimit(50_000_000)).post("/files") { request in
        let form = try await request.form()
        guard let file = form.file("file") else {
            throw StatusError(.badRequest, "Send a form with a file named 'file'.")
        }
        // A name of your own: with the client's, it could overwrite other files.
        let name = UUID().uuidString
        try await file.move(to: "\(folder)/\(name)")
        return .text("\(name)\n", status: .created)
    }
    return router
}

let folder = FileManager.default.temporaryDirectory.appending(path: "uploads").path
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
await Server(makeRouter(folder: folder), port: 8080).runOrExit()
