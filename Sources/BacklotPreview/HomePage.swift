import Backlot

/// `/__preview/` lists the apps of this server, with their pages.
struct HomePage {
    /// The most pages of an app that are listed.
    private static let mostPages = 300
    private let apps: [MountedApp]

    init(_ apps: [MountedApp]) { self.apps = apps.sorted { $0.basePath < $1.basePath } }

    var response: Response {
        Response(headers: ShellPage.headers, body: .bytes(Array(html.utf8)))
    }

    private var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Apps – Preview</title>
        <link rel="icon" href="\(PreviewPaths.root)/web/icon.svg">
        <link rel="stylesheet" href="\(PreviewPaths.root)/web/shell.css">
        <link rel="stylesheet" href="\(PreviewPaths.root)/web/home.css">
        </head>
        <body>
        <main class="home">
        <header><h1>Apps of this server</h1>
        <p>Open one to see it as on a phone, with what it is made of beside it.</p></header>
        \(apps.isEmpty ? "<p>No app is mounted now.</p>" : "<div class=\"apps\">\(apps.map(card).joined(separator: "\n"))</div>")
        </main>
        </body>
        </html>

        """
    }

    private func card(_ app: MountedApp) -> String {
        let (name, meaning) = (app.appProtocol.title, app.appProtocol.summary)
        let pages = app.openPages()
        let first = pages.contains(app.basePath) ? app.basePath : pages.first
        let others = pages.filter { $0 != first }
        let title = "<h2>\(link(first, text: app.basePath))</h2>"
        let about = "<p><strong>\(name.htmlEscaped)</strong> \(meaning.htmlEscaped)</p>"
        return
            "<section class=\"app-card \(app.appProtocol.name.htmlEscaped)\">\(title)\(about)\(list(others))</section>"
    }

    private func list(_ pages: [String]) -> String {
        guard !pages.isEmpty else { return "" }
        let items = pages.prefix(Self.mostPages).map { "<li>\(link($0, text: $0))</li>" }.joined()
        let rest = pages.count - Self.mostPages
        let more = rest > 0 ? "<li>and \(rest) more</li>" : ""
        let isOpen = pages.count <= 12 ? " open" : ""
        let count = pages.count == 1 ? "1 more page" : "\(pages.count) more pages"
        return "<details\(isOpen)><summary>\(count)</summary><ul>\(items)\(more)</ul></details>"
    }

    private func link(_ path: String?, text: String) -> String {
        guard let path else { return text.htmlEscaped }
        return "<a href=\"\(path.htmlEscaped)\">\(text.htmlEscaped)</a>"
    }
}

extension Preview {
    /// The list of apps, in place of a 404 at the root of the host.
    func homeInsteadOfNothing(_ request: Request, next: any Handler) -> HandlerResult {
        .pending { [apps] in
            do {
                let response = try await next.respond(to: request).response()
                return response.status == .notFound ? HomePage(apps).response : response
            } catch let error as any HTTPError where Response(error).status == .notFound {
                return HomePage(apps).response
            }
        }
    }
}
