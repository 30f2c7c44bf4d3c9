import TestSupport
import Testing

@testable import Backlot

/// Files over a socket, byte for byte.
@Suite(.timeLimit(.minutes(5))) struct StaticFilesServerTests {
    private static let lastModified = "Thu, 29 Feb 2024 12:34:56 GMT"
    private static let tag = "\"65e079f0-0-a\""

    /// Serves `digits.txt`, ten bytes, and `large.bin`.
    private func withFiles(_ body: (SocketAddress, TemporaryFolder) async throws -> Void) async throws {
        try await withTemporaryFolder { folder async throws in
            try folder.write("0123456789", to: "public/digits.txt")
            try folder.setModified("public/digits.txt", 1_709_210_096)
            let router = Router()
            router.files(folder.path + "/public")
            router.get("/text") { _ in .text("text") }
            try await withServer(router.handler()) { try await body($0, folder) }
        }
    }

    private func request(_ line: String, _ fields: [String] = [], version: String = "HTTP/1.1") -> String {
        (["\(line) \(version)", "Host: h"] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// The answer as it came, but for its date.
    private func exchange(_ address: SocketAddress, _ request: String) async throws -> String {
        let client = try await RawClient.connect(to: address)
        try await client.send(request)
        await client.shutdownSending()
        let text = String(decoding: try await client.receiveToEnd().bytes, as: UTF8.self)
        return text.split(separator: "\r\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("Date: ") }.joined(separator: "\r\n")
    }

    private static let common = """
        X-Content-Type-Options: nosniff\r
        Accept-Ranges: bytes\r
        Cache-Control: no-cache\r
        ETag: \(tag)\r
        Last-Modified: \(lastModified)\r

        """
    private static let text = "Content-Type: text/plain; charset=utf-8\r\n"
    private static let whole = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\(text)\(common)\r\n"
    private static let notModified =
        "HTTP/1.1 304 Not Modified\r\nCache-Control: no-cache\r\nETag: \(tag)\r\n\r\n"
    private static let failed = """
        HTTP/1.1 412 Precondition Failed\r
        Content-Length: 66\r
        \(text)\r
        the resource is not what If-Match or If-Unmodified-Since asks for

        """

    private static func part(_ range: String, _ bytes: String) -> String {
        """
        HTTP/1.1 206 Partial Content\r
        Content-Length: \(bytes.utf8.count)\r
        \(text)\(common)Content-Range: bytes \(range)/10\r
        \r
        \(bytes)
        """
    }

    private static func refused(_ reason: String) -> String {
        """
        HTTP/1.1 416 Range Not Satisfiable\r
        Content-Length: \(reason.utf8.count)\r
        \(text)Content-Range: bytes */10\r
        \r
        \(reason)
        """
    }

    private static let unsatisfiable = refused("the file has no byte in these ranges: it has 10 bytes\n")
    private static let excessive = refused(
        "these are too many ranges, or more bytes than the file has: ask for all of it\n"
    )

    private static let full = whole + "0123456789"

    struct Row: CustomTestStringConvertible, Sendable {
        let method: String
        let fields: [String]
        let response: String

        init(_ method: String, _ fields: [String], _ response: String) {
            (self.method, self.fields, self.response) = (method, fields, response)
        }

        var testDescription: String { "\(method) \(fields)" }
    }

    private static let plain: [Row] = [
        Row("GET", [], full),
        Row("HEAD", [], whole),
    ]

    private static let conditional: [Row] = [
        Row("GET", ["If-None-Match: \(tag)"], notModified),
        Row("HEAD", ["If-None-Match: W/\(tag)"], notModified),
        Row("GET", ["If-None-Match: \"x\""], full),
        Row("GET", ["If-None-Match: \"x\"", "If-None-Match: \(tag)"], notModified),
        Row("GET", ["If-Modified-Since: \(lastModified)"], notModified),
        Row("GET", ["If-Modified-Since: Thu Feb 29 12:34:56 2024"], notModified),
        Row("GET", ["If-Modified-Since: Thu, 29 Feb 2024 12:34:55 GMT"], full),
        Row("GET", ["If-Modified-Since: never"], full),
        Row("GET", ["If-Match: \"x\""], failed),
        Row("GET", ["If-Unmodified-Since: Thu, 29 Feb 2024 12:34:55 GMT"], failed),
        Row("GET", ["If-Match: \(tag)", "If-Unmodified-Since: Thu, 29 Feb 2024 12:34:55 GMT"], full),
    ]

    private static let ranged: [Row] = [
        Row("GET", ["Range: bytes=0-0"], part("0-0", "0")),
        Row("GET", ["Range: bytes=2-4"], part("2-4", "234")),
        Row("GET", ["Range: bytes=7-"], part("7-9", "789")),
        Row("GET", ["Range: bytes=-3"], part("7-9", "789")),
        Row("GET", ["Range: bytes=0-99"], part("0-9", "0123456789")),
        Row("GET", ["Range: bytes=0-2,2-4"], part("0-4", "01234")),
        Row("GET", ["Range: bytes=10-"], unsatisfiable),
        Row("GET", ["Range: bytes=-0"], unsatisfiable),
        Row("GET", ["Range: bytes=0-,0-"], excessive),
        Row("GET", ["Range: bytes=" + Array(repeating: "0-0", count: 17).joined(separator: ",")], excessive),
        Row("GET", ["Range: bytes=4-2"], full),
        Row("GET", ["Range: lines=0-1"], full),
        Row("GET", ["Range: bytes=0-0", "Range: bytes=2-2"], full),
        Row("HEAD", ["Range: bytes=0-0"], whole),
        Row("HEAD", ["Range: bytes=10-"], whole),
    ]

    private static let both: [Row] = [
        Row("GET", ["Range: bytes=0-0", "If-Range: \(tag)"], part("0-0", "0")),
        Row("GET", ["Range: bytes=0-0", "If-Range: \(lastModified)"], part("0-0", "0")),
        Row("GET", ["Range: bytes=0-0", "If-Range: W/\(tag)"], full),
        Row("GET", ["Range: bytes=0-0", "If-Range: \"x\""], full),
        Row("GET", ["Range: bytes=10-", "If-Range: \"x\""], full),
        Row("GET", ["If-Range: \(tag)"], full),
        Row("GET", ["Range: bytes=0-0", "If-None-Match: \(tag)"], notModified),
        Row("GET", ["Range: bytes=10-", "If-None-Match: \(tag)"], notModified),
        Row("GET", ["Range: bytes=0-0", "If-Match: \"x\""], failed),
    ]

    @Test(arguments: plain + conditional + ranged + both)
    func `Responses are exact`(row: Row) async throws {
        try await withFiles { address, _ async throws in
            let fields = row.fields + ["Connection: close"]
            let response = try await exchange(address, request("\(row.method) /digits.txt", fields))
            #expect(response.replacing("Connection: close\r\n", with: "") == row.response)
        }
    }

    @Test func `Several ranges are several parts`() async throws {
        try await withFiles { address, _ async throws in
            let client = try await RawClient.connect(to: address)
            try await client.send(request("GET /digits.txt", ["Range: bytes=5-6, 20-, -1, 0-1"]))
            let response = try await client.receive()
            #expect(response.status == 206)
            #expect(response["Content-Range"] == nil)
            #expect(response["ETag"] == Self.tag)
            let type = try #require(response["Content-Type"])
            let boundary = try #require(type.wholeMatch(of: #/multipart/byteranges; boundary=([0-9a-z]{20,26})/#)).1
            #expect(response[values: "Content-Length"] == ["\(response.body.count)"])
            #expect(
                response.text == """
                    --\(boundary)\r
                    Content-Type: text/plain; charset=utf-8\r
                    Content-Range: bytes 5-6/10\r
                    \r
                    56\r
                    --\(boundary)\r
                    Content-Type: text/plain; charset=utf-8\r
                    Content-Range: bytes 9-9/10\r
                    \r
                    9\r
                    --\(boundary)\r
                    Content-Type: text/plain; charset=utf-8\r
                    Content-Range: bytes 0-1/10\r
                    \r
                    01\r
                    --\(boundary)--\r

                    """
            )
            // Another one has another boundary: nobody can write a file that has it.
            try await client.send(request("GET /digits.txt", ["Range: bytes=0-0,9-9"]))
            #expect(try await client.receive()["Content-Type"] != type)
            await client.close()
        }
    }

    @Test func `Large ranges are exact`() async throws {
        try await withFiles { address, folder async throws in
            let bytes = try folder.writeNoise(2_000_000, to: "public/large.bin")
            let client = try await RawClient.connect(to: address)
            for range in [0..<1_000_000, 999_999..<2_000_000, 1_234_567..<1_234_568] {
                let field = "Range: bytes=\(range.lowerBound)-\(range.upperBound - 1)"
                try await client.send(request("GET /large.bin", [field]))
                #expect(try await client.receive().body == Array(bytes[range]))
            }
            try await client.send(request("GET /large.bin", ["Range: bytes=0-499999,1500000-"]))
            let response = try await client.receive()
            let boundary = try #require(response["Content-Type"]?.split(separator: "=").last)
            let head = { (range: String) in
                "--\(boundary)\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes \(range)/2000000\r\n\r\n"
            }
            let first = Array(head("0-499999").utf8) + bytes[..<500_000]
            let second = Array("\r\n\(head("1500000-1999999"))".utf8) + bytes[1_500_000...]
            #expect(response.body == first + second + Array("\r\n--\(boundary)--\r\n".utf8))
            await client.close()
        }
    }

    @Test func `A client of HTTP/1.0 gets files`() async throws {
        try await withFiles { address, _ async throws in
            let response = try await exchange(address, "GET /digits.txt HTTP/1.0\r\n\r\n")
            #expect(
                response == Self.whole.replacing("\(Self.text)", with: "Connection: close\r\n\(Self.text)")
                    + "0123456789"
            )
        }
    }

    @Test func `Requests that follow a large file wait for it`() async throws {
        try await withFiles { address, folder async throws in
            let bytes = try folder.writeNoise(3_000_000, to: "public/large.bin")
            let client = try await RawClient.connect(to: address, receiveBuffer: 16_384)
            try await client.send(
                request("GET /large.bin") + request("GET /text") + request("GET /large.bin", ["Range: bytes=-100000"])
                    + request("GET /digits.txt")
            )
            #expect(try await client.receive().body == bytes)
            #expect(try await client.receive().text == "text")
            #expect(try await client.receive().body == bytes.suffix(100_000))
            #expect(try await client.receive().text == "0123456789")
            await client.close()
        }
    }

    /// The file's bytes must come from the disk: the loop goes on meanwhile.
    @Test func `A file that the system has forgotten is sent`() async throws {
        try await withFiles { address, folder async throws in
            let bytes = try folder.writeNoise(3_000_000, to: "public/large.bin")
            let client = try await RawClient.connect(to: address)
            for size in [3_000_000, 10_000] {
                try folder.evict("public/large.bin")
                try await client.send(request("GET /large.bin", ["Range: bytes=-\(size)"]) + request("GET /text"))
                #expect(try await client.receive().body == bytes.suffix(size))
                #expect(try await client.receive().text == "text")
            }
            await client.close()
        }
    }

    @Test func `A FIFO is answered as what isn't there`() async throws {
        try await withFiles { address, folder async throws in
            try folder.makeFIFO("public/fifo")
            let client = try await RawClient.connect(to: address)
            try await client.send(request("GET /fifo") + request("GET /nope"))
            #expect(try await client.receive(2).map(\.status) == [404, 404])
            await client.close()
        }
    }

    @Test func `A client that goes in the middle leaves no descriptor open`() async throws {
        try await withFiles { address, folder async throws in
            _ = try folder.writeNoise(8_000_000, to: "public/large.bin")
            let path = folder.path + "/public/large.bin"
            for _ in 0..<5 {
                let client = try await RawClient.connect(to: address, receiveBuffer: 8192)
                try await client.send(request("GET /large.bin"))
                #expect(try await !client.receivePiece().isEmpty)
                await client.reset()
            }
            var count = -1
            for _ in 0..<500 where count != 0 {
                try await Task.sleep(for: .milliseconds(10))
                count = try openDescriptors(of: path)
            }
            #expect(count == 0)
        }
    }

    @Test func `Compression leaves ranges and compressed files as they are`() async throws {
        try await withTemporaryFolder { folder async throws in
            try folder.write(String(repeating: "text ", count: 1000), to: "public/plain.txt")
            try folder.write(String(repeating: "text ", count: 1000), to: "public/both.txt")
            try folder.write("(compressed)", to: "public/both.txt.gz")
            try folder.setModified("public/plain.txt", 1_709_210_096)
            let router = Router()
            router.use(Compression())
            router.files(folder.path + "/public")
            try await withServer(router.handler()) { address async throws in
                let client = try await RawClient.connect(to: address)
                try await client.send(request("GET /plain.txt", ["Accept-Encoding: gzip"]))
                let compressed = try await client.receive()
                #expect(compressed["Content-Encoding"] == "gzip")
                #expect(compressed["ETag"] == "W/\"65e079f0-0-1388\"")
                #expect(compressed["Vary"] == "Accept-Encoding")
                #expect(compressed.body.count < 200)
                let tag = "If-None-Match: W/\"65e079f0-0-1388\""
                try await client.send(request("GET /plain.txt", ["Accept-Encoding: gzip", tag]))
                #expect(try await client.receive().status == 304)
                try await client.send(request("GET /plain.txt", ["Accept-Encoding: gzip", "Range: bytes=5-8"]))
                #expect(try await client.receive().text == "text")
                try await client.send(request("GET /both.txt", ["Accept-Encoding: gzip"]))
                let both = try await client.receive()
                #expect(both.text == "(compressed)")
                #expect(both[values: "Vary"] == ["Accept-Encoding"])
                await client.close()
            }
        }
    }
}
