import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Every byte in a path and in a query, as clients send it and as the server reads it: over both versions, and at the backend of a proxy.
///
/// curl 7.88.1 and Node 20.20.2 send `?page[size]=2` as it is.
@Suite(.timeLimit(.minutes(5))) struct TargetBytesTests {
    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    /// RFC 3986, section 3.3, with the slash.
    private static let plain = Set((letters + "-._~!$&'()*+,;=:@/").utf8)
    private static let raw = Set("[]{}|^\\`".utf8)
    private static let rawInQuery = Set("[]{}|^\\`\"<>%".utf8)

    /// A target, and its percent-encoded form; nil if it is refused.
    struct Example: CustomTestStringConvertible {
        let target: [UInt8]
        let encoded: String?

        var testDescription: String { spelled(target).debugDescription }
    }

    private static func encoded(_ byte: UInt8) -> String {
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    /// `/a_b` and `/a?b_c` with each byte in the gap. The question mark begins a query, and `/a%b` isn't an escape.
    static let bytes: [Example] = (UInt8.min...UInt8.max).flatMap { byte in
        let character = String(UnicodeScalar(byte))
        func form(_ raw: Set<UInt8>) -> String? {
            plain.contains(byte) || byte == UInt8(ascii: "?") ? character : raw.contains(byte) ? encoded(byte) : nil
        }
        return [
            Example(target: Array("/a".utf8) + [byte] + Array("z".utf8), encoded: form(raw).map { "/a\($0)z" }),
            Example(
                target: Array("/a?b".utf8) + [byte] + Array("z".utf8),
                encoded: form(rawInQuery).map { "/a?b\($0)z" }
            ),
        ]
    }

    /// Texts of several bytes.
    static let texts: [Example] = [
        ("/\u{E4}?\u{20AC}", "/%C3%A4?%E2%82%AC"), ("/\u{1F600}", "/%F0%9F%98%80"), ("/a?%", "/a?%25"),
        ("/a?%4", "/a?%254"),
        ("/a?%zz&%41", "/a?%25zz&%41"), ("/a?%%41", "/a?%25%41"), ("/%41[", "/%41%5B"), ("/\u{7F}", nil),
        ("/a?\u{80}", nil),
        ("/\u{9F}", nil), ("/\u{A0}", "/%C2%A0"), ("/%[", nil), ("/a#b", nil), ("/a?b#c", nil), ("/a\\b", "/a%5Cb"),
        ("/\\..", nil), ("/..\\a", nil), ("/a\\%2E.", nil), ("/a/%2e%2E\\", nil), ("/a\\...", "/a%5C..."),
        ("/a/../b", "/a/../b"),
        ("/a/..?\\", "/a/..?%5C"), ("//[", "//%5B"), ("/\\h", "/%5Ch"), ("http://h/[", "http://h/%5B"),
        ("http://[::1]/[", "http://[::1]/%5B"),
        ("http://h?[", "http://h?%5B"),
        ("http://h/a[?b|", "http://h/a%5B?b%7C"),
    ].map { Example(target: Array($0.utf8), encoded: $1) }
    /// What isn't UTF-8: a lone byte, an overlong slash, a surrogate, a number beyond Unicode, an end in the middle.
    static let malformed: [Example] = [
        [0xE4], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
    ].map {
        Example(target: Array("/a?".utf8) + $0, encoded: nil)
    }

    private static func overHTTP1(_ target: [UInt8]) -> RequestHead? {
        var parser = HeadParser(limits: .init())
        let head = Array("GET ".utf8) + target + Array(" HTTP/1.1\r\nHost: h\r\nX: y\r\n\r\n".utf8)
        return try? parser.parse(head.span)
    }

    private static func overHTTP2(_ target: [UInt8]) -> RequestHead? {
        var list = HeaderList(limits: .init())
        for (name, value) in [(":method", Array("GET".utf8)), (":authority", [104]), (":path", target), ("x", [121])] {
            list.add(name.utf8.span, value.span)
        }
        return try? list.head(hasBody: false)
    }

    @Test(arguments: bytes + texts + malformed)
    func `A target is percent-encoded or refused, and only the hop to a backend has its raw bytes`(
        example: Example
    ) throws {
        // `http://h` is a target of HTTP/1 alone.
        let isPath = example.target.first == UInt8(ascii: "/")
        for head in [Self.overHTTP1(example.target)] + (isPath ? [Self.overHTTP2(example.target)] : []) {
            guard let encoded = example.encoded else {
                #expect(head == nil)
                continue
            }
            let head = try #require(head)
            let address = try #require(SocketAddress(host: "127.0.0.1", port: 1))
            let request = Request(head: head, body: RequestBody([]), remoteAddress: address)
            #expect(request.target == encoded)
            let whole = request.rawQuery.map { "\(request.path)?\($0)" } ?? request.path
            #expect(encoded.hasSuffix(request.path == "/" ? whole.dropFirst() : whole[...]))
            #expect(request.headers.map { "\($0.name): \($0.value)" }.last?.lowercased() == "x: y")
            // Without the host, and with the path that `http://h?` stands for.
            let sent = String(decoding: example.target, as: UTF8.self).replacing("http://[::1]", with: "").replacing(
                "http://h",
                with: ""
            ).replacing(
                /^\?/,
                with: "/?"
            )
            #expect(request.sentTarget ?? whole == sent)
            #expect((request.sentTarget == nil) == (encoded == String(decoding: example.target, as: UTF8.self)))
        }
    }

    /// RFC 3986, section 2.1, in a second, plain reading.
    private static func decoded(_ text: String) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            let isEscape = byte == UInt8(ascii: "%") && rest.count > 1
            let number = isEscape ? UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) : nil
            bytes.append(number ?? byte)
            if number != nil { rest = rest.dropFirst(2) }
        }
        return bytes
    }

    @Test func `The percent-encoded form stands for the bytes that were sent`() {
        for example in Self.bytes + Self.texts {
            guard let encoded = example.encoded else { continue }
            #expect(Self.decoded(encoded) == Self.decoded(String(decoding: example.target, as: UTF8.self)))
        }
    }

    @Test(arguments: [ReverseProxyExchangeTests.Backend.http1, .clearHTTP2])
    func `A backend gets the bytes that the client sent`(_ kind: ReverseProxyExchangeTests.Backend) async throws {
        let seen = Recorder<String>()
        let backend = try startServer(
            FunctionHandler { request in
                seen.record(request.sentTarget ?? request.target)
                return .text("ok")
            }
        )
        try await withProxy(to: backend.address, versions: kind.versions) { server in
            let client = try await RawClient.connect(to: server.address)
            for example in Self.bytes + Self.texts where example.encoded?.hasPrefix("/") ?? false {
                try await client.send(Array("GET ".utf8) + example.target + Array(" HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
                #expect(try await client.receive().status == 200)
                #expect(seen.events.last == String(decoding: example.target, as: UTF8.self))
            }
            await client.close()
        }
        await backend.shutdown()
    }
}
