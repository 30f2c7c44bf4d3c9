import Applin
import Backlot

/// Leads to the app that is made of files: it has a base URL of its own, which clients don't leave by push.
struct MockRoutesPage: DemoPage {
    let path = "/mock_routes"
    let title = "Mock Routes"
    let subText = "An app made of files, without Swift"

    func page(_ request: Request) -> any Page {
        let url =
            "http://\(HTTPField.Name("Host").flatMap { request.headers[$0] } ?? "127.0.0.1:8080")\(MockMount.path)"
        return navPage(title) {
            scroll {
                form {
                    text("The files in Routes/ are an app, too: a lending library.")
                    text("Its base URL, for clients since 0.31, is \(url)")
                    formButton("Copy the URL") { copyToClipboard(url) }
                    formButton("Open its first page in the browser") { launchUrl(url) }
                }
            }
        }
    }
}
