import TestSupport
import Testing

@testable import Backlot

/// One file as an answer, over HTTP/1.1 and HTTP/2.
@Suite(.timeLimit(.minutes(5))) struct OneFileTests {
    private func withFile(_ body: (SocketAddress) async throws -> Void) async throws {
        try await withTemporaryFolder { folder async throws in
            try folder.write("0123456789", to: "digits.txt")
            try folder.write("secret", to: ".env")
            try folder.setModified("digits.txt", 1_709_210_096)
            try folder.makeLink("link.txt", to: "digits.txt")
            try folder.makeFIFO("pipe")
            try folder.write("", to: "empty.txt")
            let path = folder.path
            let router = Router()
            router.get("/file") { request in
                try await .file("\(path)/digits.txt", for: request, download: "Übersicht \"1\".txt")
            }
            router.get("/typed") { request in
                try await .file("\(path)/digits.txt", for: request, contentType: "text/x-digits", cacheControl: nil)
            }
            router.get("/missing") { request in try await .file("\(path)/none", for: request) }
            router.get("/folder") { request in try await .file(path, for: request) }
            router.get("/pipe") { request in try await .file("\(path)/pipe", for: request) }
            router.get("/in/{name...}") { request in
                try await .file(try request.parameter("name"), in: path, for: request)
            }
            try await withServer(router.handler()) { try await body($0) }
        }
    }

    private static let tag = "\"65e079f0-0-a\""
    private static let rows: [(HTTPRequest.Method, String, HTTPFields, Int, String)] = [
        (.get, "/file", [:], 200, "0123456789"),
        (.head, "/file", [:], 200, ""),
        (.get, "/file", [.range: "bytes=2-4"], 206, "234"),
        (.get, "/file", [.range: "bytes=-3"], 206, "789"),
        (.get, "/file", [.range: "bytes=2-4", .ifRange: tag], 206, "234"),
        (.get, "/file", [.range: "bytes=2-4", .ifRange: "\"other\""], 200, "0123456789"),
        (.get, "/file", [.range: "lines=2-4"], 200, "0123456789"),
        (.get, "/file", [.range: "bytes=10-"], 416, "the file has no byte in these ranges: it has 10 bytes\n"),
        (.get, "/file", [.ifNoneMatch: tag], 304, ""),
        (.get, "/file", [.ifModifiedSince: "Thu, 29 Feb 2024 12:34:56 GMT"], 304, ""),
        (
            .get, "/file", [.ifMatch: "\"other\""], 412,
            "the resource is not what If-Match or If-Unmodified-Since asks for\n"
        ),
        (.get, "/missing", [:], 404, "nothing answers at /missing"),
        (.get, "/folder", [:], 404, "nothing answers at /folder"),
        (.get, "/pipe", [:], 404, "nothing answers at /pipe"),
        (.get, "/in/digits.txt", [:], 200, "0123456789"),
        // As nginx, Apache and Go's server respond: nobody can ask for a part of nothing.
        (.get, "/in/empty.txt", [.range: "bytes=0-"], 200, ""), (.get, "/in/empty.txt", [.range: "bytes=-5"], 200, ""),
        (.get, "/in/.env", [:], 404, "nothing answers at /in/.env"),
        (.get, "/in/%2E%2E/digits.txt", [:], 404, "nothing answers at /in/%2E%2E/digits.txt"),
        (.get, "/in/a%2F..%2F..%2Fetc%2Fpasswd", [:], 404, "nothing answers at /in/a%2F..%2F..%2Fetc%2Fpasswd"),
        (.get, "/in/link.txt", [:], 404, "nothing answers at /in/link.txt"),
        (.get, "/in/pipe", [:], 404, "nothing answers at /in/pipe"),
        (.get, "/in/a//b", [:], 404, "nothing answers at /in/a//b"),
    ]

    @Test(arguments: HTTPVersions.each)
    func `Conditions and ranges are answered, and nothing else is found`(version: HTTPVersions) async throws {
        try await withFile { address in
            for (method, target, fields, status, text) in Self.rows {
                let response = try await address.exchange(version, method, target, fields)
                #expect(response.status.code == status, "\(target) \(fields)")
                #expect(response.text == text, "\(target) \(fields)")
            }
        }
    }

    @Test func `The fields say what the file is`() async throws {
        try await withFile { address in
            let file = try await address.exchange(.http1, "/file").headers
            #expect(file[.contentType] == "text/plain; charset=utf-8")
            #expect(file[.cacheControl] == "no-cache")
            #expect(file[.eTag] == Self.tag)
            #expect(file[.xContentTypeOptions] == "nosniff")
            #expect(
                file[.contentDisposition]
                    == "attachment; filename=\"_bersicht _1_.txt\"; filename*=UTF-8''%C3%9Cbersicht%20%221%22.txt"
            )
            let typed = try await address.exchange(.http1, "/typed").headers
            #expect(typed[.contentType] == "text/x-digits")
            #expect(typed[.cacheControl] == nil && typed[.contentDisposition] == nil)
        }
    }

    @Test(arguments: [
        ("a.txt", "attachment; filename=\"a.txt\""),
        ("../a\\b\r\n.txt", "attachment; filename=\".._a_b__.txt\""),
        ("100%.txt", "attachment; filename=\"100_.txt\"; filename*=UTF-8''100%25.txt"),
    ])
    func `A name to save under is a name and nothing else`(name: String, value: String) {
        #expect(ContentDisposition.attachment(name) == value)
    }
}
