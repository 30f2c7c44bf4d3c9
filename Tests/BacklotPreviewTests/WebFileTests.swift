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

    @Test func `Every file is compiled in`() throws {
        let files = try Self.files()
        #expect(files.count > 30)
        #expect(WebFiles.paths.filter { !$0.hasPrefix("codemirror/") } == files.keys.sorted())
        let compiledIn = WebFiles()
        for (path, bytes) in files {
            let isSame = compiledIn[path]?.bytes == WebText(bytes, named: path).bytes
            #expect(isSame, "\(path)")
        }
    }

    @Test(
        arguments: [
            (
                "a.js", "// About it.\n\n  let a = \"// no remark\";  // but this stays\n",
                "let a = \"// no remark\";  // but this stays\n"
            ),
            ("a.js", "/** Says.\n * more */\na()\n/* one */\nb() /* in */\n", "a()\nb() /* in */\n"),
            ("a.js", "/* begins */ a()\n\tb()", "/* begins */ a()\nb()\n"),
            ("a.css", "/* It is.\n   So. */\n.a { b: c; }\n", ".a { b: c; }\n"), ("a.js", "", ""),
            ("a.js", "/* without an end\na()", ""),
            ("icon.svg", "  <svg>\n // x\n", "  <svg>\n // x\n"),
            ("codemirror/a.js", "// Its licence.\n// MIT\n\na()\n// gone\n", "// Its licence.\n// MIT\na()\n"),
        ]
    )
    func `Remarks and indentation aren't sent`(name: String, text: String, expected: String) {
        #expect(String(decoding: WebText(Array(text.utf8), named: name).bytes, as: UTF8.self) == expected)
    }

    @Test func `CodeMirror comes with its licence`() throws {
        guard WebFiles.paths.contains("codemirror/codemirror.js") else { return }
        let files = WebFiles()
        let script = String(decoding: try #require(files["codemirror/codemirror.js"]).bytes.prefix(200), as: UTF8.self)
        #expect(script.contains("MIT license"))
        let licence = String(decoding: try #require(files["codemirror/licence.txt"]).bytes, as: UTF8.self)
        #expect(licence.contains("Marijn Haverbeke") && licence.contains("Permission is hereby granted"))
    }

    @Test func `No module is too long to be read at one go`() throws {
        for (path, bytes) in try Self.files() where path.hasSuffix(".js") {
            let lines = bytes.count { $0 == UInt8(ascii: "\n") }
            #expect(lines <= 250, "\(path)")
        }
    }

    @Test func `The list of files is what its script writes`() throws {
        let list = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "CPreviewFiles/files.c")
        let text = try String(contentsOf: list, encoding: .utf8)
        let named = text.matches(of: /#define WEB_FILE "(.*)"/).map { String($0.output.1) }
        let sorted = try Self.files().keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        #expect(named == sorted, "run Sources/CPreviewFiles/generate")
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

    @Test func `The files are under 200 KB compressed, and those of CodeMirror under 110`() async throws {
        let router = Router()
        router.use(Compression())
        router.get("/all/{piece}/{path...}") { request in
            let bytes = WebFiles()[request.parameters["path"] ?? ""]?.bytes ?? []
            let start = (request.parameters["piece"].flatMap { Int($0) } ?? 0) * Self.piece
            return Response(
                headers: [.contentType: "text/javascript"],
                body: .bytes(Array(bytes.dropFirst(start).prefix(Self.piece)))
            )
        }
        let handler = router.handler()
        var (own, others) = (0, 0)
        for path in WebFiles.paths {
            // A large body would be a stream.
            for piece in 0...((WebFiles()[path]?.bytes.count ?? 0) / Self.piece) {
                let request = try Request(.get, "/all/\(piece)/\(path)", headers: [.acceptEncoding: "gzip"])
                let size = try await handler(request).bytes.count
                if path.hasPrefix("codemirror/") { others += size } else { own += size }
            }
        }
        #expect(own > 10_000, "\(own)")
        #expect(own < 200_000)
        #expect(others < 110_000)
    }

    private static let piece = 32_000

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
