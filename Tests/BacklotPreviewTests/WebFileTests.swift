import Backlot
import Testing

@testable import Applin
@testable import BacklotPreview

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(5))) struct WebFileTests {
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
        for (path, bytes) in files where !WebFiles.bundles.entries.contains(path) {
            let isSame = compiledIn[path]?.bytes == bytes
            #expect(isSame, "\(path)")
        }
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

    /// What browsers get when every part of preview is used: bundles, style sheets, the icon, and CodeMirror.
    @Test func `All together are under 300 KB compressed`() async throws {
        let app = try PreviewedApp()
        var sizes: [String: Int] = [:]
        for path in WebFiles.paths
        where WebFiles.bundles.modules[path] == nil || WebFiles.bundles.entries.contains(path) {
            let response = try await app.ask(.get, "/__preview/web/\(path)", [.acceptEncoding: "gzip"])
            #expect(response.headers[.contentEncoding] == "gzip", "\(path)")
            #expect(response.headers[.vary] == "Accept-Encoding", "\(path)")
            sizes[path] = response.bytes.count
        }
        #expect(sizes.count > 15)
        let total = sizes.values.reduce(0, +)
        #expect(total > 50_000 && total < 300_000, "\(total): \(sizes.sorted { $0.value > $1.value })")
    }

    @Test func `A browser's copy will do until the file changes`() async throws {
        let app = try PreviewedApp()
        let first = try await app.ask(.get, "/__preview/web/applin/client.js")
        #expect(first.headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(first.headers[.xContentTypeOptions] == "nosniff")
        let tag = try #require(first.headers[.eTag])
        let second = try await app.ask(.get, "/__preview/web/applin/client.js", [.ifNoneMatch: tag])
        #expect(second.status == .notModified)
    }

    @Test(arguments: ["", "nothing.js", "../Preview.swift", "%2e%2e/Preview.swift", "embed.inc", "applin"])
    func `Nothing else is there`(path: String) async throws {
        let response = try await PreviewedApp().ask(.get, "/__preview/web/\(path)")
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
