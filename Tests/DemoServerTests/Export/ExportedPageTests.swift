import Backlot
import BacklotClients
import Floki
import Foundation
import TestSupport
import Testing

@testable import demo_server

/// The links of an edition's pages.
@Suite(.timeLimit(.minutes(5))) struct ExportedPageTests {
    @Test(arguments: [
        (#"<a href="/floki/there/">A</a>"#, #"<a href="https://s/there/">A</a>"#),
        (
            #"<a href="/floki/gone">A <b>b</b></a> <a href="https://s/there/">C</a>"#,
            #"A <b>b</b> <a href="https://s/there/">C</a>"#
        ),
        (#"<A class="x" HREF = '/floki/gone'>A\#n</A>"#, "A\n"),
        ("<a href=/floki/there/ id=a>A</a>", "<a href=https://s/there/ id=a>A</a>"),
        (#"<a href="https://s/gone?a#b">A</a>"#, "A"), (#"<a href="/">A</a><a href="/flokis">B</a>"#, "AB"),
        (#"<img src="/floki/a.png"><img src="/b.png">"#, #"<img src="https://s/a.png"><img src="/b.png">"#),
        (#"<a href="//other/">A</a><a href="https://other/">B</a><a href="more">C</a><a name="n">D</a>"#, nil),
        (#"<abbr>/floki/gone</abbr> <a href="/floki/gone">"#, #"<abbr>/floki/gone</abbr> <a href="https://s/gone">"#),
    ])
    func `Links lead into the edition, or are text`(html: String, repaired: String?) {
        let page = ExportedPage(path: "/floki", base: "https://s") {
            !$0.hasPrefix("https://s/") || $0 == "https://s/there/"
        }
        #expect(page.repaired(html) == repaired ?? html)
    }

    @Test func `No page of an edition leads to the app's server`() async throws {
        let router = Router()
        let app = DemoStores().newspaper
        let own = ##"<p><a href="/floki/pictures/a.png">Picture</a> <a href="/floki/news/items/en/1/#top">One</a></p>"##
        try await app.news.save([item(90, "Links").sections(1).page(own)], language: "en")
        app.register(on: router, record: nil)
        try await withTemporaryFolder { folder in
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/pictures",
                withIntermediateDirectories: true
            )
            _ = try folder.write("", to: "pictures/a.png")
            let export = AppExport(path: NewspaperApp.path, base: "https://s/g", publicFiles: folder.path)
            let files = try await FlokiEdition(export, over: InProcessTransport(router.handler()), after: nil).export
                .files
            func page(_ path: String) throws -> String {
                String(decoding: try #require(files["\(path)/index.html"]), as: UTF8.self)
            }
            for path in files.keys where path.hasSuffix(".html") {
                let html = String(decoding: try #require(files[path]), as: UTF8.self)
                for dead in [#"href="/"#, "/tags/", "/videos/"] { #expect(!html.contains(dead), "\(path): \(html)") }
            }
            #expect(try page("news/items/en/2").contains(#"<p class="tags">market food</p>"#))
            #expect(try page("about/es").contains("<p>Vea el puerto</p>"))
            let links = try page("news/items/en/90")
            #expect(links.contains(#"<a href="https://s/g/pictures/a.png">Picture</a>"#), "\(links)")
            #expect(links.contains(##"<a href="https://s/g/news/items/en/1/#top">One</a>"##), "\(links)")
        }
    }
}
