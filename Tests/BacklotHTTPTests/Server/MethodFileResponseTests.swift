import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Responses with files as bodies. The server copies small ones, and the system sends large ones directly.
@Suite(.timeLimit(.minutes(5))) struct MethodFileResponseTests {
    /// Responds with the file at the path, or with the slice `?from-to` of it.
    private static func handler(_ folder: TemporaryFolder) -> FunctionHandler {
        FunctionHandler { request in
            if request.path == "/text" { return .text("text") }
            let file = try OpenFile(folder.path + request.path)
            guard let bounds = request.rawQuery?.split(separator: "-").compactMap({ Int($0) }), bounds.count == 2 else {
                return Response(body: .file(FileSlice(file)))
            }
            return Response(body: .file(FileSlice(file, bounds[0]..<bounds[1])))
        }
    }

    private static let copied = OpenFile.smallSize

    /// The bytes of a small file that isn't new stay in memory, and no read looks at the disk.
    @Test(arguments: [
        (size: 0, age: 1, isKept: true), (copied, 1, true), (copied + 1, 1, false), (100, -1, false),
    ])
    func `Bytes of small files that aren't new stay in memory`(_ size: Int, _ age: Int, _ isKept: Bool) async throws {
        try await withTemporaryFolder { folder in
            let content = try folder.writeNoise(size, to: "file")
            let time = FileTime(seconds: FileTime.now.seconds + age * 60)
            let descriptor = unsafe open(folder.path + "/file", O_RDONLY)
            guard case .file(let file) = OpenFile.take(over: descriptor, isRemote: false, keptBefore: time) else {
                Issue.record("there is no file")
                return
            }
            #expect(file.kept == (isKept ? content : nil))
            _ = try folder.write("", to: "file")
            var bytes: [UInt8] = []
            #expect(try file.read(0..<size, into: &bytes, mayBlock: true) == (isKept ? size : 0))
            #expect(bytes == (isKept ? content : []))
            if isKept, size > 2 { #expect(try FileSlice(file, 1..<3).read(9, from: 1) == [content[2]]) }
        }
    }

    @Test(arguments: [0, 1, 10_000, copied, copied + 1, 1_000_000, 5_000_000], TestTransport.allCases)
    func `A file is sent whole`(_ size: Int, _ transport: TestTransport) async throws {
        try await withTemporaryFolder { folder in
            let bytes = try folder.writeNoise(size, to: "file")
            try await withTestClient(over: transport, Self.handler(folder)) {
                client,
                _ in
                for _ in 0..<2 {
                    let response = try await client.response(to: request("GET /file"))
                    #expect(response.status == 200)
                    #expect(response[values: "Content-Length"] == ["\(size)"])
                    #expect(response.body == bytes)
                }
            }
        }
    }

    @Test(arguments: [0..<0, 0..<1, 5..<9, 999_999..<1_000_000, 100_000..<900_000])
    func `A slice sends exactly its bytes`(_ range: Range<Int>) async throws {
        try await withTemporaryFolder { folder in
            let bytes = try folder.writeNoise(1_000_000, to: "file")
            try await withTestClient(Self.handler(folder)) { client, _ in
                try await client.send(request("GET /file?\(range.lowerBound)-\(range.upperBound)"))
                #expect(try await client.receive().body == Array(bytes[range]))
            }
        }
    }

    @Test(arguments: [100, 1_000_000])
    func `The head of a file is sent alone`(_ size: Int) async throws {
        try await withTemporaryFolder { folder in
            _ = try folder.writeNoise(size, to: "file")
            try await withTestClient(Self.handler(folder)) { client, _ in
                let head = try await client.response(to: request("HEAD /file") + request("GET /text"), method: "HEAD")
                #expect(head["Content-Length"] == "\(size)")
                #expect(try await client.receive().text == "text")
            }
        }
    }

    @Test(arguments: [100, 1_000_000])
    func `A client of HTTP/1.0 gets a file`(_ size: Int) async throws {
        try await withTemporaryFolder { folder in
            let bytes = try folder.writeNoise(size, to: "file")
            try await withTestClient(Self.handler(folder)) { client, _ in
                let response = try await client.response(to: request("GET /file", version: "HTTP/1.0"))
                #expect(response["Connection"] == "close")
                #expect(response.body == bytes)
                #expect(try await client.receiveToEnd() == ([], .closed))
            }
        }
    }

    /// Responses have the order of the requests, however their bodies are sent.
    @Test func `Pipelined requests wait for a file`() async throws {
        try await withTemporaryFolder { folder in
            let large = try folder.writeNoise(3_000_000, to: "large")
            let small = try folder.writeNoise(3_000, to: "small")
            try await withTestClient(receiveBuffer: 16_384, Self.handler(folder)) { client, _ in
                let paths = (0..<24).map { ["large", "text", "small", "large?10-200000"][$0 % 4] }
                try await client.send(paths.map { request("GET /\($0)") }.joined())
                for path in paths {
                    let body = try await client.receive().body
                    switch path {
                    case "large": #expect(body == large)
                    case "small": #expect(body == small)
                    case "text": #expect(body == Array("text".utf8))
                    default: #expect(body == Array(large[10..<200_000]))
                    }
                }
            }
        }
    }

    /// Each is sent at once: the next begins in the middle of the one before, and must not do so on its stack.
    @Test func `Two thousand pipelined files are sent`() async throws {
        try await withTemporaryFolder { folder in
            let bytes = try folder.writeNoise(Self.copied + 1, to: "f")
            try await withTestClient(Self.handler(folder)) { client, _ in
                async let sending: Void = client.send(String(repeating: request("GET /f"), count: 2000))
                for _ in 0..<2000 { #expect(try await client.receive().body == bytes) }
                try await sending
            }
        }
    }

    @Test func `A client that has closed its side gets its file`() async throws {
        try await withTemporaryFolder { folder in
            let bytes = try folder.writeNoise(4_000_000, to: "file")
            try await withTestClient(receiveBuffer: 8192, Self.handler(folder)) { client, _ in
                try await client.send(request("GET /file"))
                await client.shutdownSending()
                #expect(try await client.receive().body == bytes)
                #expect(try await client.receiveToEnd() == ([], .closed))
            }
        }
    }

    // MARK: Ends before the end

    @Test(arguments: [false, true])
    func `A client that goes releases the descriptor`(_ isReset: Bool) async throws {
        try await withTemporaryFolder { folder in
            _ = try folder.writeNoise(8_000_000, to: "file")
            let path = folder.path + "/file"
            try await withTestClient(receiveBuffer: 8192, Self.handler(folder)) { client, _ in
                try await client.send(request("GET /file"))
                #expect(try await !client.receivePiece().isEmpty)
                #if os(Linux)
                #expect(try openDescriptors(of: path) == 1)
                #endif
                if isReset { await client.reset() } else { await client.close() }
                try await expectEventually { (try? openDescriptors(of: path)) == 0 }
            }
        }
    }

    @Test func `A client that reads nothing of a file is cut`() async throws {
        try await withTemporaryFolder { folder in
            _ = try folder.writeNoise(8_000_000, to: "file")
            try await withTestServer(configure: { $0.timeouts.write = .milliseconds(100) }, Self.handler(folder)) {
                server in
                let client = try await RawClient.connect(to: server.address, receiveBuffer: 4096)
                try await client.send(request("GET /file"))
                #expect(try await !client.receivePiece().isEmpty)
                try await expectEventually { server.connectionCount == 0 }
                // The file is closed after the connection.
                try await expectEventually { (try? openDescriptors(of: folder.path + "/file")) == 0 }
            }
        }
    }

    /// `OutputMeter` limits the time without progress.
    @Test func `A client that reads slowly gets its file`() async throws {
        try await withTemporaryFolder { folder in
            let bytes = try folder.writeNoise(3_000_000, to: "file")
            try await withTestClient(
                receiveBuffer: 32_768,
                configure: { $0.timeouts.write = .seconds(10) },
                Self.handler(folder)
            ) { client, _ in
                try await client.send(request("GET /file", "Connection: close"))
                var received: [UInt8] = []
                while true {
                    let piece = try await client.receivePiece()
                    if piece.isEmpty { break }
                    received += piece
                    try await Task.sleep(for: .milliseconds(8))
                }
                #expect(received.suffix(bytes.count) == bytes[...])
            }
        }
    }

    /// Fewer bytes than were promised, and the end of the connection: so the client can tell.
    @Test func `A file that becomes shorter cuts the connection`() async throws {
        try await withTemporaryFolder { folder in
            _ = try folder.writeNoise(8_000_000, to: "file")
            let path = folder.path + "/file"
            try await withTestClient(receiveBuffer: 8192, Self.handler(folder)) { client, _ in
                try await client.send(request("GET /file") + request("GET /text"))
                let first = try await client.receivePiece()
                #expect(String(decoding: first, as: UTF8.self).contains("Content-Length: 8000000\r\n"))
                try folder.truncate("file", to: 1_000_000)
                let rest = try await client.receiveToEnd()
                #expect(rest.end != .stillOpen)
                #expect(rest.bytes.count < 7_500_000)
                // The file is closed after the connection.
                try await expectEventually { (try? openDescriptors(of: path)) == 0 }
            }
        }
    }

    /// A small file is read before its head is sent, and has the promised length.
    @Test func `A small file that has become shorter cuts the connection`() async throws {
        try await withTemporaryFolder { folder in
            let path = try folder.write(String(repeating: "x", count: 1000), to: "file")
            let handler = FunctionHandler { request in
                if request.path == "/text" { return .text("text") }
                let file = try OpenFile(path)
                try folder.truncate("file", to: 10)
                return Response(body: .file(FileSlice(file)))
            }
            try await withTestClient(handler) { client, _ in
                try await client.send(request("GET /text") + request("GET /file") + request("GET /text"))
                let (bytes, end) = try await client.receiveToEnd()
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(end == .closed)
                #expect(text.contains("\r\n\r\ntextHTTP/1.1 200 OK\r\n"))
                #expect(text.hasSuffix("Content-Length: 1000\r\n\r\nxxxxxxxxxx"))
            }
        }
    }
}
