import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct MediaTypeTests {
    @Test(arguments: [
        ("a.html", "text/html; charset=utf-8"), ("a.css", "text/css; charset=utf-8"),
        ("a.js", "text/javascript; charset=utf-8"), ("a.mjs", "text/javascript; charset=utf-8"),
        ("a.txt", "text/plain; charset=utf-8"), ("a.json", "application/json"), ("a.js.map", "application/json"),
        ("a.wasm", "application/wasm"), ("a.svg", "image/svg+xml"), ("a.webp", "image/webp"), ("a.avif", "image/avif"),
        ("a.png", "image/png"), ("a.jpg", "image/jpeg"), ("a.jpeg", "image/jpeg"), ("a.JPG", "image/jpeg"),
        ("a.woff2", "font/woff2"), ("a.ttf", "font/ttf"), ("a.mp4", "video/mp4"), ("a.mp3", "audio/mpeg"),
        ("a.pdf", "application/pdf"), ("a.zip", "application/zip"), ("a.plist", "application/x-plist"),
        ("a.webmanifest", "application/manifest+json"), ("a.tar.gz", "application/gzip"),
        ("a", "application/octet-stream"), ("a.", "application/octet-stream"),
        ("a.unknown", "application/octet-stream"),
        ("html", "application/octet-stream"), ("a.html.bak", "application/octet-stream"),
        ("b.a/html", "application/octet-stream"),
    ])
    func `The ending of a name tells the type`(name: String, type: String) {
        let fields = FileFields(cacheControl: nil)[name].fields
        #expect(fields[.contentType] == type)
        #expect(fields[.xContentTypeOptions] == "nosniff")
    }

    @Test(arguments: MediaType.byEnding.keys.sorted())
    func `Texts say their encoding, and nothing else does`(ending: String) throws {
        let type = try #require(MediaType.byEnding[ending])
        #expect(ending == ending.lowercased())
        #expect(type.hasPrefix("text/") == type.hasSuffix("; charset=utf-8"))
        #expect(type.split(separator: ";")[0].split(separator: "/").count == 2)
    }

    @Test(arguments: [
        ("a.css", true), ("a.svg", true), ("a.wasm", true), ("a.ttf", true), ("a", true), ("a.bin", true),
        ("a.wav", true),
        ("a.png", false), ("a.mp4", false), ("a.m4a", false), ("a.zip", false), ("a.gz", false), ("a.woff2", false),
    ])
    func `What is compressed has no compressed file beside it`(name: String, mayHave: Bool) {
        #expect(FileFields(cacheControl: nil)[name].mayBePrecompressed == mayHave)
    }
}
