import Backlot

/// The page that a browser gets. Its scripts do all the rest.
struct ShellPage {
    let app: MountedApp

    /// The page.
    var response: Response {
        Response(headers: Self.headers, body: .bytes(Array(html.utf8)))
    }

    /// The response where the scripts of other pages could read the shell.
    static var refusal: Response {
        let text = """
            Preview needs https at this address: over http, a browser doesn't say which requests are of a page's script, which could \
            read preview's secret. Start the server with --tls-self-signed, and open this page with https://; or open it on the \
            server's machine, as http://localhost and the port.

            """
        var response = Response.text(text, status: .forbidden)
        response.headers[.vary] = "Accept"
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// The header fields of pages of preview.
    static var headers: HTTPFields {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .vary: "Accept",
            .cacheControl: "no-store",
            .contentSecurityPolicy: policy,
            .xContentTypeOptions: "nosniff",
        ]
        for (name, value) in further {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return headers
    }

    /// Scripts and styles from here alone, none in the page itself, no text becomes markup, and no other page frames it.
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:",
        "connect-src 'self'",
        "media-src 'self'", "frame-src 'self' blob:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types 'none'",
    ]
    .joined(separator: "; ")

    /// A page in a frame of the shell loads nothing from other hosts. The frame runs no scripts.
    static let framePolicy = "default-src 'self' 'unsafe-inline' data: blob:"

    /// A window that a page of the app has opened, or that has opened one, is cut off (Cross-Origin-Opener-Policy).
    private static let further = [
        ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "geolocation=(), microphone=(), payment=(), usb=()"),
    ]

    private var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="backlot-preview" content="\(facts)">
        <title>Preview</title>
        <link rel="icon" href="\(root)/icon.svg">
        \(styles)
        \(client)
        <script type="module" src="\(root)/main.js"></script>
        </head>
        <body>
        <noscript>Preview draws pages with JavaScript, which is switched off in this browser.</noscript>
        </body>
        </html>

        """
    }

    private var root: String { PreviewPaths.root + "/web" }

    private var styles: String {
        [
            "shell", "phone/phone", "phone/app", "inside/inside", "wall/wall",
            "\(app.appProtocol.name)/\(app.appProtocol.name)",
        ]
        .map { "<link rel=\"stylesheet\" href=\"\(root)/\($0).css\">" }
        .joined(separator: "\n")
    }

    /// The script that draws the protocol's pages, so that a browser requests it before it has read the first one.
    private var client: String {
        let path = "\(app.appProtocol.name)/index.js"
        return WebFiles.paths.contains(path) ? "<link rel=\"modulepreload\" href=\"\(root)/\(path)\">" : ""
    }

    /// The name of the program that serves the app.
    private static let program =
        CommandLine.arguments.first?.split(separator: "/").last.map { String($0) } ?? "the program"

    /// The facts for the scripts, as an attribute's value.
    private var facts: String {
        var facts = JSONObject()
        for (key, value) in app.facts.sorted(by: { $0.key < $1.key }) { facts[key] = .string(value) }
        let object: JSONValue = [
            "token": .string(PreviewToken.text),
            "wire": .string(app.appProtocol.name),
            "program": .string(Self.program),
            "basePath": .string(app.basePath),
            "facts": .object(facts),
            "networks": NetworkProfile.list,
            "sessions": .string(app.sessions.map { $0.isByCookie ? "cookie" : "token" } ?? "none"),
        ]
        return String(decoding: object.bytes, as: UTF8.self).htmlEscaped
    }
}

/// Whether a request comes from a browser that opens a page.
enum ShellRequest {
    private static let destination = HTTPField.Name("Sec-Fetch-Dest")

    /// Whether a GET may be one for preview, or has come through a proxy. It allocates no text, because it looks at every GET.
    static func isWorthALook(_ request: Request) -> Bool {
        request.proxyField != nil || isOfBrowser(request)
    }

    /// Whether a request may be one for preview.
    static func isOfBrowser(_ request: Request) -> Bool {
        request.hasField("accept", containing: "text/html") || request.hasField("service-worker", containing: "script")
    }

    /// Whether a browser makes a request for a page that it shows in a window, not in a frame or for a script.
    ///
    /// Browsers say themselves what a request is for (Fetch Metadata, section 2.1), and scripts can't change it. So the scripts
    /// of an app's own pages can't read the shell.
    static func wantsShell(_ request: Request) -> Bool {
        guard request.method == .get || request.method == .head, request.hasField("accept", containing: "text/html"),
            request.weight(of: "text/html") > 0
        else {
            return false
        }
        guard let destination, let text = request.headers[destination] else { return true }
        return text == "document"
    }

    /// Whether a browser makes a request for a page that the shell shows in a frame. The frames of other pages send a `Referer`, if those
    /// pages don't forbid it.
    static func isOfFrame(_ request: Request) -> Bool {
        guard request.method == .get, let destination, request.headers[destination] == "iframe" else { return false }
        return !request.headers.contains(.referer)
    }

    /// Whether a browser would have said that a request for the shell is of a script: it says so over https, and to this machine
    /// (Fetch Metadata, section 4).
    static func isKeptFromScripts(_ request: Request) -> Bool {
        request.isSecure || request.hasLocalHost || destination.map { request.headers.contains($0) } ?? false
    }
}
