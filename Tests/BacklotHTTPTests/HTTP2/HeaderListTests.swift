import HTTPTypes
import Testing

@testable import BacklotHTTP

/// Header lists as the library hands them on: its own checks are tested in `MalformedRequestTests`, over a socket.
@Suite(.timeLimit(.minutes(5))) struct HeaderListTests {
    private static func make(
        _ fields: [(String, String)],
        hasBody: Bool = false,
        limits: ServerConfiguration.Limits = .init()
    ) -> Result<RequestHead, HeaderList.ListError> {
        var list = HeaderList(limits: limits)
        for (name, value) in fields { list.add(bytes(name).span, bytes(value).span) }
        return Result { () throws(HeaderList.ListError) in try list.head(hasBody: hasBody) }
    }

    private static func summary(_ head: RequestHead) -> [String] {
        let line = head.line
        let start = ["\(head.string(line.method)) \(head.string(line.path)) \(line.query.map(head.string) ?? "-")"]
        return start + RequestHeaders(head: head).map { "\($0.name): \($0.value)" }
    }

    @Test(arguments: [
        (Frame.get("/a?b=c"), ["GET /a b=c", "host: h"]),
        (Frame.get("/", authority: nil, ("host", "x")), ["GET / -", "host: x"]),
        (Frame.get("/", authority: "H:80", ("host", "h:80"), ("a", "b")), ["GET / -", "host: H:80", "a: b"]),
        (Frame.get("*", method: "OPTIONS"), ["OPTIONS * -", "host: h"]),
        (Frame.get("/", method: "PUT", ("a", ""), ("b", "c d")), ["PUT / -", "host: h", "a: ", "b: c d"]),
        (Frame.get("/", ("cookie", "a=b")), ["GET / -", "host: h", "cookie: a=b"]),
        // RFC 9113, section 8.2.3
        (
            Frame.get(
                "/p?q",
                ("x", "1"),
                ("cookie", "a=b"),
                ("y", "2"),
                ("cookie", "c=d"),
                ("cookie", "e"),
                ("z", "3")
            ),
            ["GET /p q", "host: h", "x: 1", "cookie: a=b; c=d; e", "y: 2", "z: 3"]
        ),
        // RFC 8441, section 5.1
        (
            [(":protocol", "WebSocket")] + Frame.get("/a?b", method: "CONNECT", ("origin", "o")),
            ["GET /a b", "host: h", "origin: o", "upgrade: WebSocket"]
        ),
        // :authority need not come last
        (
            [
                (":method", "GET"), (":authority", "h"), (":path", "/x"), (":scheme", "https"), ("cookie", "a"),
                ("cookie", "b"),
            ], ["GET /x -", "host: h", "cookie: a; b"]
        ),
    ])
    func `A header list becomes a request`(_ fields: [(String, String)], _ expected: [String]) throws {
        #expect(Self.summary(try Self.make(fields).get()) == expected)
    }

    @Test(arguments: [
        (Frame.get("/", authority: "a", ("host", "b")), HeaderList.ListError.malformed),
        (Frame.get("/", method: "CONNECT"), .refused(.connectNotSupported)),
        ([(":method", "CONNECT"), (":authority", "h:1")], .refused(.connectNotSupported)),
        ([(":protocol", "x")] + Frame.get("/", method: "CONNECT"), .refused(.connectNotSupported)),
        (Frame.get("/", ("expect", "x")), .refused(.unknownExpectation)),
    ])
    func `A header list that no request may have is refused`(
        _ fields: [(String, String)],
        _ failure: HeaderList.ListError
    ) {
        #expect(throws: failure) { try Self.make(fields).get() }
    }

    @Test(arguments: [
        Frame.get("a"), Frame.get("http://h/"), Frame.get("/ "), Frame.get("/%"), Frame.get("/\u{E9}"), Frame.get("*"),
        Frame.get(""), Frame.get("/", authority: "a b"), Frame.get("/", authority: "u@h"),
        Frame.get("/", authority: ""),
        Frame.get("/", authority: nil, ("host", "h:x")), Frame.get("/", method: "G T"), Frame.get("/", method: ""),
        Frame.get("/", ("content-length", "1"), ("content-length", "1")), Frame.get("/", ("content-length", "+1")),
    ])
    func `A value that is malformed in HTTP/1 is malformed here`(_ fields: [(String, String)]) {
        guard case .failure(.refused(.malformed)) = Self.make(fields, hasBody: true) else {
            Issue.record("\(fields) is accepted")
            return
        }
    }

    @Test func `The framing follows from the length, and a body may be awaited`() throws {
        #expect(try Self.make(Frame.get()).get().framing == .none)
        let length = try Self.make(Frame.post("/", ("content-length", "5"), ("expect", "100-continue")), hasBody: true)
            .get()
        #expect(length.framing == .length(5))
        #expect(length.expectsContinue)
        #expect(try Self.make(Frame.post("/", ("expect", "100-continue"))).get().expectsContinue == false)
    }

    // MARK: Limits

    @Test func `The size of a list has 32 bytes for each field`() throws {
        var limits = ServerConfiguration.Limits()
        // :method GET, :scheme http, :path /, :authority h, and a: 7 + 3, 7 + 4, 5 + 1, 10 + 1, 1 + 9 and 5 times 32
        limits.head = 10 + 11 + 6 + 11 + 10 + 160
        let fields = Frame.get("/", ("a", "123456789"))
        #expect(throws: Never.self) { try Self.make(fields, limits: limits).get() }
        limits.head -= 1
        #expect(throws: HeaderList.ListError.refused(.headTooLarge(limit: limits.head))) {
            try Self.make(fields, limits: limits).get()
        }
    }

    @Test func `The number of fields is limited`() throws {
        let field = ("a", "b")
        #expect(throws: Never.self) { try Self.make(Frame.get() + Array(repeating: field, count: 100)).get() }
        #expect(throws: HeaderList.ListError.refused(.tooManyFields(limit: 100))) {
            try Self.make(Frame.get() + Array(repeating: field, count: 101)).get()
        }
    }

    @Test func `A target that is too long is refused`() {
        #expect(throws: HeaderList.ListError.refused(.targetTooLong(limit: 8192))) {
            try Self.make(Frame.get("/" + String(repeating: "a", count: 8192))).get()
        }
    }

    /// However much comes, no more is kept than a head may have; far beyond that it is an attack.
    @Test func `A bomb is detected, and little of it is stored`() {
        var list = HeaderList(limits: .init())
        let value = [UInt8](repeating: 0x61, count: 4000)
        var count = 0
        while !list.isBomb {
            list.add(bytes("a").span, value.span)
            count += 1
        }
        #expect(count == 4 * 32 * 1024 / 4033 + 1)
        #expect(list.storedBytes < 32 * 1024)
        #expect(throws: HeaderList.ListError.refused(.headTooLarge(limit: 32 * 1024))) { try list.head(hasBody: false) }
        list.removeAll()
        #expect(!list.isBomb)
        for _ in 0...400 { list.add(bytes("a").span, bytes("").span) }
        #expect(list.isBomb)
    }

    private static let long = String(repeating: "b", count: 280)

    /// A hundred fields with the same name or few names, and the same value, few values, or different ones.
    private static let repetitions: [[(String, String)]] = [
        (0..<100).map { (_: Int) in ("a", long) },
        (0..<100).map { (index: Int) in ("a\(index % 10)", "\(long)\(index % 7)") },
        (0..<100).map { (index: Int) in ("\(long)\(index % 7)", "\(index)") },
        (0..<100).map { (_: Int) in ("cookie", long) },
        (0..<100).map { (index: Int) in ("cookie", "\(long)\(index % 7)") },
    ]

    /// CVE-2026-49975: references of one byte each, to what the library's table holds.
    @Test(arguments: repetitions)
    func `Repeated fields are stored once`(_ fields: [(String, String)]) throws {
        var list = HeaderList(limits: .init())
        for (name, value) in Frame.get("/", authority: nil) + fields { list.add(bytes(name).span, bytes(value).span) }
        // The names, the numbers, seven long texts, and a cookie's first parts.
        #expect(list.storedBytes < 3 * 1024)
        let head = try list.head(hasBody: false)
        #expect(head.bytes.count == list.storedBytes)
        guard fields[0].0 == "cookie" else {
            #expect(RequestHeaders(head: head).map { "\($0.name): \($0.value)" } == fields.map { "\($0): \($1)" })
            return
        }
        // A part that repeats another says nothing.
        let crumbs = RequestHeaders(head: head)[.cookie]?.split(separator: "; ").map { String($0) } ?? []
        #expect(Set(crumbs) == Set(fields.map(\.1)))
    }

    /// With the largest limit that there may be, all offsets still fit.
    @Test func `The largest head that can be configured is accepted`() throws {
        var limits = ServerConfiguration.Limits()
        limits.head = 65_535
        limits.fields = 10_000
        let crumbs = (1000..<2000).map { ("cookie", "\($0)" + String(repeating: "c", count: 20)) }
        let head = try Self.make(Frame.get() + crumbs, limits: limits).get()
        #expect(RequestHeaders(head: head)[.cookie]?.utf8.count == 1000 * 26 - 2)
        let long = try Self.make(Frame.get("/", ("a", String(repeating: "b", count: 65_000))), limits: limits).get()
        #expect(RequestHeaders(head: long).map(\.value.utf8.count) == [1, 65_000])
    }

    @Test func `A list can be used again`() throws {
        var list = HeaderList(limits: .init())
        for _ in 0..<3 {
            list.removeAll()
            for (name, value) in Frame.get("/x", ("a", "b"), ("cookie", "c"), ("cookie", "d")) {
                list.add(bytes(name).span, bytes(value).span)
            }
            let head = try list.head(hasBody: false)
            #expect(Self.summary(head) == ["GET /x -", "host: h", "a: b", "cookie: c; d"])
        }
    }
}
