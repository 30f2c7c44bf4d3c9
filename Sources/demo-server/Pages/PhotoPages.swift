import Applin
import Backlot

extension DemoSection {
    /// Pictures that clients take or choose, send, and see again.
    static func photos(_ mount: DemoMount, _ album: PhotoAlbum) -> DemoSection {
        /// The largest picture for the upload that finds all pictures too large, in bytes.
        let tooSmall = 100
        return DemoSection("Photos") {
            DemoPage.waiting("/photos", "Photos", "Take, choose, send, show, and be refused") { _ in
                let photos = await album.photos
                return listPage("Photos") {
                    formSection("Send") {
                        navButton("Choose a photo", choosePhoto("/photos/add"), poll())
                        navButton("Choose a photo, cut to a square") {
                            choosePhoto("/photos/add", aspectRatio: 1)
                            poll()
                        }
                        navButton("Take a photo", takePhoto("/photos/add"), poll())
                    }
                    formSection("Be refused") {
                        navButton("Forbidden, before it is sent", choosePhoto("/photos/forbidden"))
                            .subText("403 in place of 100 Continue")
                        navButton("Too large", choosePhoto("/photos/tiny"))
                            .subText("422: \(tooSmall) bytes are allowed")
                    }
                    formSection("Everybody's photos") {
                        text(
                            photos.isEmpty
                                ? "There are none."
                                : "The last \(PhotoAlbum.maximumCount) are kept while the server runs, and all who use it see them."
                        )
                        for photo in photos {
                            image(mount.url("/photos/\(photo.id)"), aspectRatio: 1, disposition: .fit)
                        }
                        if !photos.isEmpty {
                            formButton("Remove all", rpc("/photos/remove"), poll())
                        }
                    }
                }
            }
            .targets { app in
                app.upload("/photos/add", limit: PhotoAlbum.maximumBytes, formats: [.jpeg]) {
                    try await album.add($0.body)
                }
                app.upload("/photos/forbidden") { _ in
                    // The body is not touched, so that a client which waits for 100 Continue never sends it.
                    throw StatusError(
                        .forbidden,
                        "No photos, please. (This place refuses them all, before they are sent.)"
                    )
                }
                app.upload("/photos/tiny", limit: tooSmall) { try await album.add($0.body) }
                app.rpc("/photos/remove") { _ in await album.clear() }
            }
            .routes { routes in
                routes.get("/photos/{id}") { request in
                    guard let photo = await album.photo(request.parameters["id"] ?? "") else {
                        throw StatusError(.notFound, "This photo is not here any more.")
                    }
                    return photo.response(to: request)
                }
            }
        }
    }
}
