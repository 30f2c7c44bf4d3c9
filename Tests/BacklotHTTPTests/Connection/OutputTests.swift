import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import BacklotHTTP

/// The bytes that a response adds to the output for a client, without a connection.
@Suite(.timeLimit(.minutes(5))) struct OutputTests {
    private static let server = ServerContext(
        handler: FunctionHandler { _ in .text("") },
        configuration: ServerConfiguration(),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )

    private static func append(_ body: ResponseBody, to request: HTTP1Machine.Traits, _ output: Output) -> Bool {
        let encoder = ResponseEncoder(to: request, dateLine: bytes("Date: D\r\n"))
        return output.append(Response(body: body), encoder, server)
    }

    private static let rows: [(HTTP1Machine.Traits, String)] = [
        (.persistent, "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 5\r\n\r\nhello"),
        ([], "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"),
        ([.persistent, .head], "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 5\r\n\r\n"),
        ([.persistent, .probed], "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 5\r\n\r\nhello"),
        (
            [.persistent, .http10],
            "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\nhello"
        ),
        // The probe was the first byte.
        ([.http10, .probed], "TTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"),
    ]

    @Test(arguments: rows.indices) func `A response is written as its request needs it`(_ index: Int) {
        let (request, expected) = Self.rows[index]
        let output = Output()
        #expect(Self.append(.bytes(Array("hello".utf8)), to: request, output))
        #expect(spelled(output.bytes) == spelled(bytes(expected)) && output.file == nil && output.hasRoom)
    }

    @Test func `A probe is an interim response, or a first byte in HTTP/1.0`() {
        let output = Output()
        output.appendProbe(to: .persistent)
        output.appendProbe(to: .http10)
        #expect(spelled(output.bytes) == spelled(bytes("HTTP/1.1 100 Continue\r\n\r\nH")))
    }

    /// A small file is sent together with its head. The output has no room for more until a large file is sent.
    @Test(arguments: [0, 1, OpenFile.smallSize, OpenFile.smallSize + 1], [false, true])
    func `A small file stands behind its head, and a large one is sent from disk`(
        _ size: Int,
        _ isHead: Bool
    ) async throws {
        try await withTemporaryFolder { folder in
            let content = try folder.writeNoise(size, to: "file")
            let slice = FileSlice(try OpenFile(folder.path + "/file"))
            let output = Output()
            #expect(Self.append(.file(slice), to: isHead ? [.persistent, .head] : .persistent, output))
            let isCopied = size <= OpenFile.smallSize
            #expect(output.file?.remaining == (isHead || isCopied ? nil : size))
            #expect(output.hasRoom == (isHead || isCopied))
            let end = bytes("Content-Length: \(size)\r\n\r\n") + (isHead || !isCopied ? [] : content)
            #expect(Array(output.bytes.suffix(end.count)) == end)
        }
    }

    @Test func `A file that has become shorter isn't sent`() async throws {
        try await withTemporaryFolder { folder in
            try folder.write("long", to: "file")
            let slice = FileSlice(try OpenFile(folder.path + "/file"))
            try folder.write("", to: "file")
            #expect(!Self.append(.file(slice), to: .persistent, Output()))
        }
    }

    @Test func `Large bytes are shared and count as held`() {
        let body = [UInt8](repeating: 65, count: OutgoingSlice.copiedBytes + 1)
        let output = Output()
        #expect(Self.append(.bytes(body), to: .persistent, output))
        #expect(output.file?.remaining == body.count && output.held >= body.count && !output.hasRoom)
    }
}
