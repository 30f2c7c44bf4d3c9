import Backlot
import BacklotHTTP
import HTTPTypes
import Testing

@testable import Applin
@testable import BacklotPreview

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct WebFileTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/BacklotPreview/Web")

    /// The files of the folder, by their paths.
    private static func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path != "embed.inc" {
            guard let data = FileManager.default.contents(atPath: folder.appending(path: path).path),
                path.contains(".")
            else { continue }
            files[path] = Array(data)
        }
        return files
    }

    @Test func `Every file is compiled in as it is`() throws {
        let files = try Self.files()
        #expect(files.count > 30)
        #expect(WebFiles.paths == files.keys.sorted())
        let compiledIn = WebFiles()
        for (path, bytes) in files {
            let isSame = compiledIn[path]?.bytes == bytes
            #expect(isSame, "\(path)")
        }
    }

    @Test func `Preview draws every widget of Applin`() throws {
        let text = try String(contentsOf: Self.folder.appending(path: "applin/widgets.js"), encoding: .utf8)
        let drawings = try #require(text.firstMatch(of: /(?s)const drawings = \{(.*?)\};/)?.output.1)
        let drawn = Set(drawings.matches(of: /(\w+):/).map { String($0.output.1) })
        // The back button is drawn with the title bar.
        let kinds = Set(ApplinVocabulary.all.kinds(as: .widget).map(\.name)).subtracting(["back_button"])
        #expect(kinds.count > 15)
        #expect(kinds.subtracting(drawn).sorted() == [], "widgets.js lacks them")
    }

    @Test func `All of them are under 150 KB compressed`() async throws {
        let router = Router()
        router.use(Compression())
        router.get("/all/{path...}") { request in
            let file = WebFiles()[request.parameters["path"] ?? ""]
            return Response(headers: [.contentType: "text/javascript"], body: .bytes(file?.bytes ?? []))
        }
        let handler = router.handler()
        var size = 0
        for path in WebFiles.paths {
            let request = try Request(.get, "/all/\(path)", headers: [.acceptEncoding: "gzip"])
            size += try await handler(request).bytes.count
        }
        #expect(size > 10_000)
        #expect(size < 150_000)
    }

    @Test func `A browser's copy will do until the file changes`() async throws {
        let app = try PreviewedApp()
        let first = try await app.answer(.get, "/__preview/web/applin/client.js")
        #expect(first.headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(first.headers[.xContentTypeOptions] == "nosniff")
        let tag = try #require(first.headers[.eTag])
        let second = try await app.answer(.get, "/__preview/web/applin/client.js", [.ifNoneMatch: tag])
        #expect(second.status == .notModified)
    }

    @Test(arguments: ["", "nothing.js", "../Preview.swift", "%2e%2e/Preview.swift", "embed.inc", "applin"])
    func `Nothing else is there`(path: String) async throws {
        let response = try await PreviewedApp().answer(.get, "/__preview/web/\(path)")
        #expect(response.status == .notFound)
    }

    /// Markup that is made of texts would let pages run scripts, and the policy forbids it anyway.
    @Test func `No script makes markup, or reaches another host`() throws {
        for (path, bytes) in try Self.files() where path.hasSuffix(".js") {
            let text = String(decoding: bytes, as: UTF8.self)
            for forbidden in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "https://",
            ] {
                #expect(!text.contains(forbidden), "\(path): \(forbidden)")
            }
        }
    }
}
