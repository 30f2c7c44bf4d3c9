import Applin
import Backlot
import BacklotPreview

/// Code of the landing page, of "Write your own server", "Preview" and "Files and compression".
enum GettingStartedCode {
    static func newAccountPage() -> NavPage {
        formPage("New Account") {
            textfield("Username", varName: "username")
            formButton("Create Account", rpc("/create_account"))
        }
    }

    static func addMiddleware(to router: Router) {
        router.use { request, next in
            var response = try await next(request)
            response.headers[.server] = "clinic"
            return response
        }
    }

    static func servePreview(of router: Router) async {
        let host = "127.0.0.1"
        router.preview(LocalAccess(host: host))
        await Server(router, host: host, port: 8080).runOrExit()
    }

    static func addFiles(to router: Router) {
        router.files("Public")  // at /, for paths without a route
        router.files("Images", at: "/images", cacheControl: "max-age=86400")
    }

    static func addCompression(to router: Router) {
        router.use(Compression())  // responses, for clients that accept gzip or deflate
        router.use(Decompression())  // requests with Content-Encoding
    }
}
