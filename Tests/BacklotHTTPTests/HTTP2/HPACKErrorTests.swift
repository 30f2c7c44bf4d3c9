import TestSupport
import Testing

@testable import BacklotHTTP

/// Header blocks that break RFC 7541, by its sections, and some that use all of it.
@Suite(.timeLimit(.minutes(5))) struct HPACKErrorTests {
    private static let get = HPACKLiterals.encode(Frame.get())

    private static func block(_ bytes: [UInt8]) -> Frame { Frame(.headers, flags: 5, stream: 1, bytes) }

    private static let cases: [HTTP2Case] = [
        .init("2.3.3 an index beyond both tables", .connection(.compression), block(HPACKLiterals.indexed(62))),
        .init("2.3.3 an index far beyond", .connection(.compression), block(HPACKLiterals.indexed(1_000_000))),
        .init(
            "2.3.3 a name's index beyond both tables",
            .connection(.compression),
            block(get + HPACKLiterals.integer(62, prefix: 6, flags: 0x40) + HPACKLiterals.string([0x61]))
        ),
        .init("4.2 a change of the table's size at the end", .connection(.compression), block(get + [0x20])),
        .init(
            "5.1 an integer beyond all bounds",
            .connection(.compression),
            block([0xFF] + [UInt8](repeating: 0xFF, count: 10))
        ),
        .init("5.2 a string longer than the block", .connection(.compression), block(get + [0x00, 0x7F, 0x61])),
        .init(
            "5.2 padding of more than 7 bits",
            .connection(.compression),
            block(get + [0x00, 0x01, 0x61, 0x82, 0x1F, 0xFF])
        ),
        .init("5.2 padding of zeros", .connection(.compression), block(get + [0x00, 0x01, 0x61, 0x81, 0x18])),
        .init(
            "5.2 the end of the code within a string",
            .connection(.compression),
            block(get + [0x00, 0x01, 0x61, 0x84, 0xFF, 0xFF, 0xFF, 0xFF])
        ),
        .init("6.1 index 0", .connection(.compression), block([0x80])),
        .init(
            "6.3 a table beyond what was agreed",
            .connection(.compression),
            block(HPACKLiterals.integer(4097, prefix: 5, flags: 0x20) + get)
        ),
        .init(
            "6.3 a table as large as was agreed",
            .response(200),
            block(HPACKLiterals.integer(4096, prefix: 5, flags: 0x20) + get)
        ),
        .init("6.3 two changes of the table's size", .response(200), block([0x20, 0x3F, 0x01] + get)),
        // 6.2: literals by their first byte, with an index for the name (58 is user-agent) and with the name itself, each with
        // and without Huffman's code (0x1F is "a").
        .init("6.2.1 a name of the table", .response(200), block(get + [0x7A, 0x01, 0x62])),
        .init("6.2.1 a name of the table, coded", .response(200), block(get + [0x7A, 0x81, 0x1F])),
        .init("6.2.1 a new name", .response(200), block(get + [0x40, 0x01, 0x61, 0x01, 0x62])),
        .init("6.2.1 a new name, coded", .response(200), block(get + [0x40, 0x81, 0x1F, 0x81, 0x1F])),
        .init("6.2.1 a field of the dynamic table", .response(200), block(get + [0x40, 0x01, 0x61, 0x01, 0x62, 0xBE])),
        .init("6.2.2 a name of the table", .response(200), block(get + [0x0F, 0x2B, 0x01, 0x62])),
        .init("6.2.2 a name of the table, coded", .response(200), block(get + [0x0F, 0x2B, 0x81, 0x1F])),
        .init("6.2.2 a new name, coded", .response(200), block(get + [0x00, 0x81, 0x1F, 0x81, 0x1F])),
        .init("6.2.3 a name of the table", .response(200), block(get + [0x1F, 0x2B, 0x01, 0x62])),
        .init("6.2.3 a name of the table, coded", .response(200), block(get + [0x1F, 0x2B, 0x81, 0x1F])),
        .init("6.2.3 a new name", .response(200), block(get + [0x10, 0x01, 0x61, 0x01, 0x62])),
        .init("6.2.3 a new name, coded", .response(200), block(get + [0x10, 0x81, 0x1F, 0x81, 0x1F])),
        // RFC 7541, appendix C.4.1: GET http://www.example.com/ in Huffman's code
        .init(
            "C.4.1",
            .response(200),
            block([
                0x82, 0x86, 0x84, 0x41, 0x8c, 0xf1, 0xe3, 0xc2, 0xe5, 0xf2, 0x3a, 0x6b, 0xa0, 0xab, 0x90, 0xf4, 0xff,
            ])
        ),
    ]

    @Test(arguments: cases)
    func `Each bad header block ends its stream or the connection`(_ example: HTTP2Case) async throws {
        try await withHTTP2Client(FunctionHandler { _ in Response() }) { client, _ in
            try await client.raw.send(example.bytes + Frame.ping("is there").bytes())
            let verdict = try await HTTP2Case.verdict(client, hasResponse: example.verdict.isResponse)
            #expect(example.verdict.allows(verdict), "\(verdict) instead of \(example.verdict)")
        }
    }

    /// RFC 7541, appendix C.4: three requests that refer to each other's fields.
    @Test func `Requests can refer to fields of earlier ones`() async throws {
        let handler = FunctionHandler { request in
            .text(request.headers.map { "\($0.name)=\($0.value)" }.joined(separator: " ") + " " + request.target)
        }
        try await withHTTP2Client(handler) { client, _ in
            let blocks: [[UInt8]] = [
                [0x82, 0x86, 0x84, 0x41, 0x8c, 0xf1, 0xe3, 0xc2, 0xe5, 0xf2, 0x3a, 0x6b, 0xa0, 0xab, 0x90, 0xf4, 0xff],
                [0x82, 0x86, 0x84, 0xbe, 0x58, 0x86, 0xa8, 0xeb, 0x10, 0x64, 0x9c, 0xbf],
                [
                    0x82, 0x87, 0x85, 0xbf, 0x40, 0x88, 0x25, 0xa8, 0x49, 0xe9, 0x5b, 0xa9, 0x7d, 0x7f, 0x89, 0x25,
                    0xa8,
                    0x49, 0xe9, 0x5b, 0xb8, 0xe8, 0xb4, 0xbf,
                ],
            ]
            let expected = [
                "host=www.example.com /", "host=www.example.com cache-control=no-cache /",
                "host=www.example.com custom-key=custom-value /index.html",
            ]
            for (index, block) in blocks.enumerated() {
                let stream = UInt32(2 * index + 1)
                try await client.send(Frame(.headers, flags: 5, stream: stream, block))
                #expect(try await client.response(on: stream).text == expected[index])
            }
        }
    }
}
