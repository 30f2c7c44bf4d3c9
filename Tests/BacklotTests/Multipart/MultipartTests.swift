import FoundationEssentials
import TestSupport
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct MultipartTests {
    private static let type: HTTPFields = [.contentType: "multipart/form-data; boundary=XX"]

    private static func part(_ head: String, _ body: String) -> String { "--XX\r\n\(head)\r\n\r\n\(body)\r\n" }
    private static let name = part("Content-Disposition: form-data; name=\"name\"", "Ada")
    private static let file = part(
        "content-disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\nContent-Type: image/jpeg",
        "\r\n--X\r\n--XY\r"
    )

    private static let marks = String(repeating: "\u{301}", count: 128)

    /// Answers with what the form has, and how many files there are in the folder afterwards is looked at.
    private func withForms(
        _ body: (SocketAddress, _ files: () throws -> Int) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder async throws in
            let path = folder.path
            let router = Router()
            router.post("/form") { request in
                var limits = MultipartLimits()
                limits.parts = 5
                limits.pairs = 20
                limits.head = 1000
                limits.file = 100_000
                limits.fields = 1000
                let form = try await request.form(filesIn: path, limits: limits)
                var lines = form.fields.map { "\($0.name)=\($0.value)" }
                for file in form.files {
                    let bytes = try Data(contentsOf: URL(filePath: file.path))
                    #expect(bytes.count == file.size)
                    lines.append(
                        "\(file.head.name): \(file.head.filename ?? "-") \(file.head.contentType ?? "-") \(file.size)"
                    )
                }
                return .text(lines.joined(separator: "\n"))
            }
            try await withServer(router.handler()) { address in
                try await body(address) { try FileManager.default.contentsOfDirectory(atPath: path).count }
            }
        }
    }

    private static let rows: [(HTTPFields, String, Int, String)] = [
        (type, name + file + "--XX--\r\n", 200, "name=Ada\nphoto: a.jpg image/jpeg 12"),
        (type, "preamble\r\n\(name)--XX--epilogue", 200, "name=Ada"),
        (type, "--XX  \t\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--XX--", 200, "a="),
        (type, "--XX--", 200, ""),
        (type, part("Content-Disposition: form-data; name=\"a%22b\"; x=\";\"", "1") + "--XX--", 200, "a\"b=1"),
        (
            type, part("Content-Disposition: form-data; name=f; filename=\"../../etc/passwd\"", "1") + "--XX--", 200,
            "f: passwd - 1"
        ),
        (
            type, part("Content-Disposition: form-data; name=f; filename=\"C:\\dir\\a.txt\"", "1") + "--XX--", 200,
            "f: a.txt - 1"
        ),
        (
            type, part("Content-Disposition: form-data; name=f; filename=\"../\u{301}x\"", "1") + "--XX--", 200,
            "f: \u{301}x - 1"
        ),
        (
            type, part("Content-Disposition: form-data; name=f; filename=\"\u{301}a;b.jpg\"", "1") + "--XX--", 200,
            "f: \u{301}a;b.jpg - 1"
        ),
        (type, part("Content-Disposition: form-data; name=\"\u{301}x\"", "1") + "--XX--", 200, "\u{301}x=1"),
        (type, part("Content-Disposition: form-data; name=f; filename=\"a/..\"", "1") + "--XX--", 200, "f:  - 1"),
        // Too many combining marks, in a name and a value, and also after a control character between them was removed.
        (
            type, part("Content-Disposition: form-data; name=\"a\(marks)\u{301}\"", "b\(marks)\u{301}") + "--XX--", 200,
            "a\(marks)\u{FFFD}=b\(marks)\u{FFFD}"
        ),
        (
            type, part("Content-Disposition: form-data; name=f; filename=\"a\(marks)\u{1}\u{301}\"", "1") + "--XX--",
            200, "f: a\(marks)\u{FFFD} - 1"
        ),
        (type, part("Content-Disposition: form-data; name=f; filename=\"\"", "") + "--XX--", 200, ""),
        ([.contentType: "Multipart/Form-Data ; Boundary=\"XX\""], name + "--XX--", 200, "name=Ada"),
        ([.contentType: "application/x-www-form-urlencoded"], "a=1&b=x+y", 200, "a=1\nb=x y"),
        (
            [.contentType: "application/x-www-form-urlencoded"], String(repeating: "a&", count: 20) + "a", 413,
            "the form has more than 20 parts"
        ),
        (
            [.contentType: "text/plain"], "a=1", 415,
            "the body must be multipart/form-data or application/x-www-form-urlencoded"
        ),
        ([:], "a=1", 415, "the body must be multipart/form-data or application/x-www-form-urlencoded"),
        (
            [.contentType: "multipart/form-data"], name, 400,
            "the form is malformed: its Content-Type has no boundary of 1 to 70 characters"
        ),
        (
            [.contentType: "multipart/form-data; boundary=" + String(repeating: "x", count: 71)], name, 400,
            "the form is malformed: its Content-Type has no boundary of 1 to 70 characters"
        ),
        (type, "", 400, "the form ends before its last delimiter"),
        (type, name, 400, "the form ends before its last delimiter"),
        (type, file + "--XX\r\n", 400, "the form ends before its last delimiter"),
        (
            type, file + "--XX\r\nno colon\r\n\r\n\r\n--XX--", 400,
            "the form is malformed: a line of a part's head has no colon"
        ),
        (type, file + "--XXX\r\n", 400, "the form is malformed: a delimiter's line"),
        (
            type, file + part("Content-Type: text/plain", "1") + "--XX--", 400,
            "the form is malformed: a part has no Content-Disposition: form-data"
        ),
        (
            type, part("Content-Disposition: form-data", "1") + "--XX--", 400,
            "the form is malformed: a part has no name"
        ),
        (type, file + String(repeating: name, count: 5) + "--XX--", 413, "the form has more than 5 parts"),
        (
            type, file + part("Content-Disposition: form-data; name=a", String(repeating: "x", count: 1001)) + "--XX--",
            413, "the fields are larger than 1000 bytes"
        ),
        (
            type,
            file + part("Content-Disposition: form-data; name=f; filename=g", String(repeating: "\r\n-", count: 40_000))
                + "--XX--", 413, "the file in 'f' is larger than 100000 bytes"
        ),
        (
            type,
            file + part("Content-Disposition: form-data; name=\"\(String(repeating: "x", count: 900_000))\"", "1")
                + "--XX--", 413, "the head of a part is larger than 1000 bytes"
        ),
    ]

    @Test(arguments: HTTPVersions.each)
    func `A form becomes fields and files, or an error that leaves nothing`(version: HTTPVersions) async throws {
        try await withForms { address, files in
            for (fields, body, status, text) in Self.rows {
                let response = try await address.exchange(version, .post, "/form", fields, body: Array(body.utf8))
                #expect(response.status.code == status, "\(body.prefix(200))")
                #expect(response.text == text, "\(body.prefix(200))")
                let left = try files()
                #expect(left == 0, "\(body.prefix(200))")
            }
        }
    }

    @Test func `A name of 10 MB is refused before it has come`() async throws {
        try await withForms { address, files in
            let client = try await RawClient.connect(to: address)
            try await client.send(
                "POST /form HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/form-data; boundary=XX\r\n"
                    + "Content-Length: 1000000\r\n\r\n--XX\r\nContent-Disposition: form-data; name=\""
                    + String(repeating: "x", count: 2000)
            )
            #expect(try await client.receive().status == 413)
            #expect(try files() == 0)
        }
    }

    @Test func `A file that is moved stays, and one that is cut short goes`() async throws {
        try await withTemporaryFolder { folder async throws in
            let path = folder.path
            let router = Router()
            router.post("/form") { request in
                let form = try await request.form(filesIn: path)
                try await form.file("photo")?.move(to: path + "/kept.jpg")
                return .text("kept")
            }
            let handler = router.handler()
            let body = Array((Self.file + "--XX--").utf8)
            #expect(try await handler(Request(.post, "/form", headers: Self.type, body: body)).bodyText == "kept")
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["kept.jpg"])
            try await withServer(handler) { address in
                let client = try await RawClient.connect(to: address)
                try await client.send(
                    "POST /form HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/form-data; boundary=XX\r\n"
                        + "Content-Length: 1000000\r\n\r\n\(Self.file)\(Self.file)"
                )
                await client.shutdownSending()
                _ = try await client.receiveToEnd()
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["kept.jpg"])
        }
    }

    @Test(arguments: [1, 2, 3, 5, 7, 64])
    func `It doesn't matter how the bytes are cut`(size: Int) throws {
        let body = Array(("x\r\n" + Self.name + Self.file + "--XX--\r\n--XX\r\n").utf8)
        var parser = MultipartParser(boundary: "XX", largestHead: 1000)
        var texts: [String] = []
        for start in stride(from: 0, to: body.count, by: size) {
            for event in try parser.read(Array(body[start..<min(body.count, start + size)])) {
                switch event {
                case .head(let bytes, let offset):
                    #expect(Array(body[..<offset].suffix(4)) == Array("\r\n\r\n".utf8))
                    texts.append(String(decoding: bytes, as: UTF8.self) + "|")
                case .bytes(let bytes): texts[texts.count - 1] += String(decoding: bytes, as: UTF8.self)
                case .end: texts[texts.count - 1] += "|"
                }
            }
        }
        #expect(parser.isWhole)
        #expect(
            texts == [
                "Content-Disposition: form-data; name=\"name\"|Ada|",
                "content-disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\nContent-Type: image/jpeg|\r\n--X\r\n--XY\r|",
            ]
        )
    }

    @Test func `20,000 mutated forms trap nothing`() throws {
        let body = Array((Self.name + Self.file + "--XX--\r\n").utf8)
        var generator = SeededGenerator(seed: 24)
        for _ in 0..<20_000 {
            var mutated = body
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<mutated.count, using: &generator)
                if Bool.random(using: &generator) {
                    mutated.remove(at: index)
                } else {
                    mutated[index] = [13, 10, 45, 88, 58, 34, 92, 255].randomElement(using: &generator) ?? 0
                }
            }
            var parser = MultipartParser(boundary: "XX", largestHead: 200)
            do throws(MultipartError) {
                for event in try parser.read(mutated) {
                    if case .head(let head, _) = event { _ = try MultipartHead(head) }
                }
            } catch {
                #expect(error.status.code >= 400)
            }
        }
    }
}
