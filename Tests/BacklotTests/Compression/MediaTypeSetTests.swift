import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct MediaTypeSetTests {
    private let set = MediaTypeSet(Compression.types)

    @Test(arguments: [
        "text/html", "text/plain; charset=utf-8", "text/event-stream", "TEXT/HTML", "text/html;charset=utf-8",
        "text/csv ",
        "application/json", "application/vnd.applin_response", "Application/JSON; charset=utf-8", "application/ld+json",
        "application/problem+JSON", "image/svg+xml", "application/xhtml+xml; a=b", "text/javascript",
        "application/javascript",
        "application/wasm", "application/yaml", "image/vnd.microsoft.icon",
    ])
    func `What compresses well is in it`(type: String) { #expect(set.contains(type)) }

    @Test(arguments: [
        "image/png", "image/jpeg", "image/webp", "video/mp4", "audio/mpeg", "application/gzip", "application/zip",
        "application/octet-stream", "application/pdf", "font/woff2", "application/jsonp", "application/jso",
        "xapplication/json",
        "text", "text/", "+json", "", "/", "textual/plain", "application/json+zip", "application/+jsonx", "image/svg",
        " text/html",
        "application/vnd.applin_responses", "application/x-7z-compressed", "application/zstd",
    ])
    func `What doesn't is not`(type: String) { #expect(!set.contains(type)) }

    @Test func `A set contains the types of its patterns`() {
        let set = MediaTypeSet(["Application/X-Own", "model/*", "*+CBOR"])
        #expect(set.contains("application/x-own"))
        #expect(set.contains("model/obj"))
        #expect(set.contains("application/a+cbor"))
        #expect(!set.contains("text/plain"))
        #expect(!MediaTypeSet([]).contains("text/plain"))
    }

    @Test(arguments: ["*", "*/*", "text", "text/", "/plain", "text/*+json", "t*xt/plain", "*+", "*json", "a/b/c", ""])
    func `A pattern that is none stops the program`(pattern: String) async {
        await #expect(processExitsWith: .failure) { [pattern] in _ = MediaTypeSet([pattern]) }
    }
}
