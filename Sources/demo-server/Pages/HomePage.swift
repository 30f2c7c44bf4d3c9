import Applin
import Backlot

/// The first page: it links to all others of its mount.
struct HomePage: ReadyPage {
    let path = "/"
    let title = "Backlot Demo"
    let mount: DemoMount
    let sections: [DemoSection]

    func page(_ request: Request) -> any Page {
        navPage(title) {
            scroll {
                column {
                    text(dialectText)
                    for section in sections {
                        formSection(section.title) {
                            for page in section.pages { page.link(on: mount) }
                        }
                    }
                }
            }
        }
        .poll(every: .seconds(30))
    }

    private var dialectText: String {
        switch mount.dialect {
        case .documented: "Actions are strings here, as documented: for clients up to 0.30."
        case .objects: "Actions are objects here: for clients since 0.31. Pages for later clients say so."
        }
    }
}

/// A part of the home page.
struct DemoSection: Sendable {
    /// The heading above the part's buttons.
    let title: String
    /// The pages that it leads to.
    let pages: [any DemoPage]
}

/// Leads to the app that is made of files: it has another base URL, and clients don't leave their base URL by push.
struct MockRoutesPage: ReadyPage {
    let path = "/mock_routes"
    let title = "Mock Routes"
    let subText = "An app made of files, without Swift"
    // Client 0.31 opens no URL outside of the app.
    let clients: ClientVersion = "0.32"

    func page(_ request: Request) -> any Page {
        let host = HTTPField.Name("Host").flatMap { request.headers[$0] } ?? "127.0.0.1:8080"
        let url = "\(request.scheme)://\(host)\(MockMount.path)"
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
