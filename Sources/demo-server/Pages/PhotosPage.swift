import Applin
import Backlot

/// Pictures that clients take or choose, send, and see again.
struct PhotosPage: WaitingPage {
    let path = "/photos"
    let title = "Photos"
    let subText = "Take, choose, send, show, and be refused"
    let mount: DemoMount
    let album: PhotoAlbum

    /// The largest picture that goes to the place where all are too large, in bytes.
    private static let tooSmall = 100

    func page(_ request: Request) async -> any Page {
        let photos = await album.photos
        return navPage(title) {
            scroll {
                column {
                    formSection("Send") {
                        navButton("Choose a photo") {
                            choosePhoto("/photos/add")
                            poll()
                        }
                        navButton("Choose a photo, cut to a square") {
                            choosePhoto("/photos/add", aspectRatio: 1)
                            poll()
                        }
                        navButton("Take a photo") {
                            takePhoto("/photos/add")
                            poll()
                        }
                    }
                    formSection("Be refused") {
                        navButton("Forbidden, before it is sent") { choosePhoto("/photos/forbidden") }
                            .subText("403 in place of 100 Continue")
                        navButton("Too large") { choosePhoto("/photos/tiny") }
                            .subText("422: \(Self.tooSmall) bytes are allowed")
                    }
                    formSection("Everybody's photos") {
                        text(note(photos.count))
                        for photo in photos {
                            image(mount.url("/photos/\(photo.id)"), aspectRatio: 1, disposition: .fit)
                        }
                        if !photos.isEmpty {
                            formButton("Remove all") {
                                rpc("/photos/remove")
                                poll()
                            }
                        }
                    }
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        app.upload("/photos/add", limit: PhotoAlbum.maximumBytes, formats: [.jpeg]) { try await album.add($0.body) }
        app.upload("/photos/forbidden") { _ in
            // The body is not touched, so that a client which waits for 100 Continue never sends it.
            throw StatusError(.forbidden, "No photos, please. (This place refuses them all, before they are sent.)")
        }
        app.upload("/photos/tiny", limit: Self.tooSmall) { try await album.add($0.body) }
        app.rpc("/photos/remove") { _ in await album.removeAll() }
    }

    func addRoutes(to routes: any Routes) {
        routes.get("/photos/{id}") { request in
            guard let photo = await album.photo(request.parameters["id"] ?? "") else {
                throw StatusError(.notFound, "This photo is not here any more.")
            }
            return PhotoAnswer(photo).response(to: request)
        }
    }

    private func note(_ count: Int) -> String {
        count == 0
            ? "There are none."
            : "The last \(PhotoAlbum.maximumCount) are kept while the server runs, and all who use it see them."
    }
}
