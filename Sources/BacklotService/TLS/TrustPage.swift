internal import Backlot

/// The page at `/__tls`, which explains how to make a device trust the server. Devices open it before they trust the server, so the
/// page contains everything that it needs.
struct TrustPage {
    let guide: TrustGuide
    let fingerprint: String

    /// - Parameters:
    ///   - authority: the authority to trust.
    ///   - request: the request for the page. Its `Host` is the server's address.
    init(_ authority: CertificateAuthority, for request: Request) {
        let host = request.headers.first { $0.name.lowercased() == "host" }?.value
        guide = TrustGuide(name: authority.name, url: host.map { "https://\($0)/" } ?? "the server's https:// address")
        fingerprint = authority.fingerprint
    }

    /// The response. The part for the client's platform, known from `User-Agent`, comes first.
    func response(to request: Request) -> Response {
        let agent = request.headers[.userAgent] ?? ""
        var platforms = guide.platforms
        if let own = platforms.firstIndex(where: { $0.id == Self.platform(of: agent) }) {
            platforms.insert(platforms.remove(at: own), at: 0)
        }
        return Response(
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .vary: "User-Agent",
                .xContentTypeOptions: "nosniff",
                .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
            ],
            body: .bytes(Array(html(platforms).utf8))
        )
    }

    /// The id of the part for a browser's platform.
    static func platform(of agent: String) -> String {
        if agent.contains("iPhone") || agent.contains("iPad") { return "ios" }
        if agent.contains("Android") { return "android" }
        return agent.contains("Macintosh") ? "macos" : "chromium"
    }

    private func html(_ platforms: [TrustGuide.Platform]) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Trust this server</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <main>
        <h1>Trust this server</h1>
        <p>The server speaks https with a certificate of its own authority, <b>\(guide.name.htmlEscaped)</b>. A device that \
        trusts this authority connects without a warning. The authority can vouch for this machine and for private \
        addresses only.</p>
        <p>Its SHA-256 fingerprint:</p>
        <p class="fingerprint">\(fingerprint.split(separator: ":").joined(separator: ":<wbr>"))</p>
        <p><b>Compare it</b> with the one that the server's terminal shows. Where they differ, somebody else \
        has answered you: trust nothing.</p>
        <nav>\(platforms.map { "<a href=\"#\($0.id)\">\($0.title.htmlEscaped)</a>" }.joined(separator: "\n"))</nav>
        \(platforms.map(section).joined(separator: "\n"))
        <p>The <a href="/__tls/ca.crt">certificate</a> and the <a href="/__tls/ca.mobileconfig">profile</a> hold the same \
        authority, without its key.</p>
        </main>
        </body>
        </html>

        """
    }

    private func section(_ platform: TrustGuide.Platform) -> String {
        let noun = platform.download == "ca.crt" ? "certificate" : "profile"
        let first = "<a class=\"button\" href=\"/__tls/\(platform.download)\">Download the \(noun)</a>"
        let steps = ([first] + platform.steps.map(markup)).map { "<li>\($0)</li>" }
        return """
            <section id="\(platform.id)">
            <h2>\(platform.title.htmlEscaped)</h2>
            <ol>
            \(steps.joined(separator: "\n"))
            </ol>
            <p class="removal">To stop trusting it: \(markup(platform.removal)).</p>
            </section>
            """
    }

    /// A text as HTML. Text between backticks becomes code, on a separate line if it is long. The server's address becomes a link.
    private func markup(_ text: String) -> String {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
            let text = String(part).htmlEscaped
            guard index.isMultiple(of: 2) else {
                return "<code\(part.count > 40 ? " class=\"line\"" : "")>\(text)</code>"
            }
            return guide.url.hasPrefix("https://")
                ? text.replacing(guide.url, with: "<a href=\"\(guide.url)\">\(guide.url)</a>") : text
        }.joined()
    }

    private static let style = """
        :root{color-scheme:light dark;--back:#f6f6f4;--card:#fff;--text:#1c1c1e;--soft:#55555a;--line:#d9d9de;--accent:#0a5bd0}
        @media(prefers-color-scheme:dark){:root{--back:#121214;--card:#1e1e21;--text:#f2f2f4;--soft:#b0b0b6;--line:#3a3a40;--accent:#7fb2ff}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--back);color:var(--text);font:17px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
        main{max-width:46rem;margin:0 auto;padding:1.5rem 1rem 3rem}
        h1{font-size:1.7rem;line-height:1.2;margin:0 0 .75rem}
        h2{font-size:1.2rem;margin:0 0 .5rem}
        p{margin:.6rem 0}
        a{color:var(--accent)}
        code,.fingerprint{font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.86em;overflow-wrap:anywhere}
        code{background:var(--back);border:1px solid var(--line);border-radius:.3rem;padding:.05rem .3rem}
        .line{display:block;font-size:.78em;padding:.4rem .6rem;margin:.3rem 0}
        .fingerprint{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.7rem .9rem}
        nav{display:flex;flex-wrap:wrap;gap:.4rem 1rem;margin:1.2rem 0}
        section{background:var(--card);border:1px solid var(--line);border-radius:.8rem;padding:1rem 1.1rem;margin:1rem 0}
        ol{margin:0;padding-left:1.4rem}
        li{margin:.55rem 0}
        .button{display:inline-block;background:var(--accent);color:var(--card);text-decoration:none;font-weight:600;border-radius:.6rem;padding:.45rem .9rem}
        .removal{color:var(--soft);font-size:.88rem;border-top:1px solid var(--line);padding-top:.6rem;margin-top:.9rem}
        """
}
