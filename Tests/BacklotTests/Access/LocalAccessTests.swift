import Logging
import TestSupport
import Testing

@testable import Backlot

/// Who is let in to what is not for the public.
@Suite(.timeLimit(.minutes(5))) struct LocalAccessTests {
    private static func request(_ fields: [(String, String)], at target: String = "/__admin") throws -> Request {
        var headers = HTTPFields()
        for (name, value) in fields {
            headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        return try Request(.get, target, headers: headers)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.8.9.10", true), ("localhost", true), ("::1", true), ("[::1]", true),
        ("::ffff:127.0.0.1", true), ("0.0.0.0", false), ("::", false), ("192.168.1.7", false), ("fe80::1", false),
        ("::ffff:10.0.0.1", false), ("example.com", false), ("", false),
    ])
    func `Without a token, only a server on a loopback address admits requests`(host: String, isAdmitted: Bool) throws {
        let access = LocalAccess(host: host)
        #expect(access.isPossible == isAdmitted)
        #expect(try access.admits(Self.request([("Host", "localhost:8080")])) == isAdmitted)
        #expect(try !LocalAccess(host: host, trustsProxies: true).admits(Self.request([("Host", "localhost:8080")])))
    }

    @Test(arguments: [
        ("localhost", true), ("localhost:8080", true), ("LOCALHOST:1", true), ("127.0.0.1", true),
        ("127.0.0.1:65535", true), ("[::1]", true), ("[::1]:8080", true), ("localhost:", true),
        ("localhost.", false), ("localhost.evil.example", false), ("127.0.0.1.evil.example", false),
        ("127.0.0.2", false), ("evil.example", false), ("evil.example:8080", false), ("[::2]", false),
        ("0.0.0.0", false),
        ("192.168.1.7:8080", false), ("localhost:80x", false),
    ])
    func `Only a Host of this machine is admitted`(host: String, isAdmitted: Bool) throws {
        let access = LocalAccess(host: "127.0.0.1")
        // Some of these are refused before anybody asks.
        guard let request = try? Self.request([("Host", host)]) else {
            #expect(!isAdmitted)
            return
        }
        #expect(access.admits(request) == isAdmitted)
        #expect(
            access.refusal(of: request) == (isAdmitted ? nil : StatusError(.notFound, "nothing answers at /__admin"))
        )
    }

    @Test(arguments: [
        ("Forwarded", "for=1.2.3.4"), ("forwarded", ""), ("X-Forwarded-For", "127.0.0.1"),
        ("x-forwarded-proto", "http"),
        ("X-Forwarded-Anything", "a"), ("X-FORWARDED-HOST", "localhost"), ("Origin", "https://evil.example"),
        ("Origin", "null"), ("Origin", "http://localhost:9090"), ("Origin", "https://localhost:8080"),
        ("Via", "1.1 proxy"), ("via", ""), ("X-Real-IP", "127.0.0.1"), ("x-real-ip", ""), ("X-Forwarded-", ""),
        ("Sec-Fetch-Site", "cross-site"), ("sec-fetch-site", "same-site"), ("Sec-Fetch-Site", ""),
        ("Sec-Fetch-Site", "Same-Origin"),
    ])
    func `Signs of a proxy or of another origin are refused`(name: String, value: String) throws {
        let request = try Self.request([("Host", "localhost:8080"), (name, value)])
        #expect(!LocalAccess(host: "127.0.0.1").admits(request))
        // With a token they don't matter.
        let authorized = try Self.request([("Host", "a.example"), (name, value), ("Authorization", "Bearer t")])
        #expect(LocalAccess(host: "127.0.0.1", token: "t").admits(authorized))
    }

    @Test(arguments: [
        ("X-Forwarded", "a"), ("Forwarded-For", "a"), ("Origin", "http://localhost:8080"), ("Vie", "1.1 a"),
        ("X-Real-IPs", "a"), ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "none"),
        ("User-Agent", "x-forwarded-for"),
    ])
    func `Fields that say nothing about proxies are ignored`(name: String, value: String) throws {
        let request = try Self.request([("Host", "localhost:8080"), (name, value)])
        #expect(LocalAccess(host: "127.0.0.1").admits(request))
    }

    @Test(arguments: ["Via", "Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "x-real-ip"])
    func `A request through a proxy keeps everybody out for ten minutes`(field: String) throws {
        let lines = LoggedLines()
        let time = Locked(ContinuousClock.now)
        let access = LocalAccess(host: "127.0.0.1", logger: lines.output.logger(label: "test", format: .text)) {
            time.withLock { $0 }
        }
        func wait(_ duration: Duration) { time.withLock { $0 += duration } }
        let local = try Self.request([("Host", "localhost")])
        let proxied = try Self.request([("Host", "localhost"), (field, "1.1 a")], at: "/notes")
        #expect(access.admits(local))
        access.watch(local)
        #expect(access.admits(local))
        access.watch(proxied)
        #expect(!access.admits(local) && !access.admits(proxied))
        wait(.seconds(599))
        #expect(!access.admits(local))
        // Copies know it too, and each such request counts from its own time.
        let copy = access
        copy.watch(proxied)
        wait(.seconds(599))
        #expect(!access.admits(local))
        wait(.seconds(1))
        #expect(access.admits(local) && copy.admits(local))
        #expect(!access.admits(proxied))
        #expect(!access.admits(local))
        let warning = "administration without a token is closed for ten minutes"
        let text = lines.text
        #expect(text.split(separator: "\n").count == 2, "\(text)")
        #expect(text.split(separator: "\n").allSatisfy { $0.contains(warning) && $0.contains("field \(field) says") })
    }

    @Test(arguments: [("Origin", "http://evil.example"), ("Sec-Fetch-Site", "cross-site"), ("Host", "evil.example")])
    func `A web page is refused, and closes nothing`(name: String, value: String) throws {
        let access = LocalAccess(host: "127.0.0.1")
        let fields = name == "Host" ? [(name, value)] : [("Host", "localhost"), (name, value)]
        #expect(try !access.admits(Self.request(fields)))
        access.watch(try Self.request(fields + (name == "Origin" ? [("X-Forwarded-For", "192.0.2.7")] : [])))
        #expect(try access.admits(Self.request([("Host", "localhost")])))
    }

    @Test func `With a token, and where nobody is let in, no proxy changes anything`() throws {
        let lines = LoggedLines()
        let logger = lines.output.logger(label: "test", format: .text)
        for access in [
            LocalAccess(host: "127.0.0.1", token: "t", logger: logger), LocalAccess(host: "0.0.0.0", logger: logger),
            LocalAccess(host: "127.0.0.1", trustsProxies: true, logger: logger),
        ] {
            access.watch(try Self.request([("Host", "localhost"), ("Via", "1.1 a")]))
            let authorized = try Self.request([("Host", "a.example"), ("Via", "1.1 a"), ("Authorization", "Bearer t")])
            #expect(access.admits(authorized) == access.needsToken)
        }
        logger.warning("nothing before this")
        #expect(lines.text.split(separator: "\n").count == 1)
    }

    /// What nginx sends with `proxy_pass http://127.0.0.1:8080;` alone, and what others send.
    @Test(arguments: [
        ("HTTP/1.1", "", 200), ("HTTP/1.0", "", 404), ("HTTP/1.0", "Connection: close\r\n", 404),
        ("HTTP/1.1", "Via: 1.1 a\r\n", 404), ("HTTP/1.1", "X-Real-IP: 10.0.0.1\r\n", 404),
        ("HTTP/1.1", "Sec-Fetch-Site: same-site\r\n", 404), ("HTTP/1.1", "Sec-Fetch-Site: none\r\n", 200),
    ])
    func `A proxy's request is refused over HTTP/1`(version: String, fields: String, status: Int) async throws {
        try await withServer(Self.adminHandler()) { address in
            let client = try await RawClient.connect(to: address)
            try await client.send("GET /__admin \(version)\r\nHost: 127.0.0.1:8080\r\n\(fields)\r\n")
            #expect(try await client.receive().status == status)
            await client.close()
        }
    }

    @Test(arguments: [
        ([], 200), ([("via", "2 a")], 404), ([("forwarded", "for=a")], 404), ([("x-forwarded-for", "a")], 404),
        ([("x-real-ip", "a")], 404), ([("sec-fetch-site", "cross-site")], 404), ([("sec-fetch-site", "none")], 200),
    ])
    func `A proxy's request is refused over HTTP/2`(fields: [(String, String)], status: Int) async throws {
        try await withServer(Self.adminHandler()) { address in
            let found = try await HTTP2Request("/__admin", fields).status(at: address)
            #expect(found == status)
        }
    }

    private static func adminHandler() -> any Handler {
        let router = Router()
        router.group("/__admin", LocalAccess(host: "127.0.0.1")) { $0.get("") { _ in .text("in") } }
        return router.handler()
    }

    @Test func `A URL as the target is for proxies`() throws {
        #expect(
            try !LocalAccess(host: "::1").admits(Self.request([("Host", "localhost")], at: "http://localhost/__admin"))
        )
    }

    @Test(arguments: [
        ("Bearer open-sesame", true), ("bearer open-sesame", true), ("BEARER  open-sesame", true),
        ("Bearer open-sesam", false), ("Bearer open-sesame2", false), ("Bearer Open-sesame", false), ("Bearer", false),
        ("Bearer ", false), ("Basic open-sesame", false), ("open-sesame", false),
    ])
    func `Only the right token is admitted`(authorization: String, isAdmitted: Bool) throws {
        for host in ["127.0.0.1", "0.0.0.0"] {
            let access = LocalAccess(host: host, trustsProxies: true, token: "open-sesame")
            #expect(access.isPossible)
            let request = try Self.request([("Host", "backlot.example"), ("Authorization", authorization.trimmed)])
            #expect(access.admits(request) == isAdmitted)
        }
    }

    @Test func `With a token nobody is let in without it, or with two`() throws {
        let access = LocalAccess(host: "127.0.0.1", token: "t")
        #expect(try !access.admits(Self.request([("Host", "localhost")])))
        let twice = [("Host", "localhost"), ("Authorization", "Bearer t"), ("Authorization", "Bearer t")]
        #expect(try !access.admits(Self.request(twice)))
    }

    @Test func `As a middleware it answers as if nothing were there`() async throws {
        let router = Router()
        router.group("/__admin", LocalAccess(host: "127.0.0.1")) { $0.get("") { _ in .text("in") } }
        let handler = router.handler()
        let response = try await handler(Self.request([("Host", "127.0.0.1:80")]))
        #expect(response.bodyText == "in")
        let inside = await #expect(throws: StatusError.self) {
            _ = try await handler(Self.request([("Host", "a.example")]))
        }
        let outside = await #expect(throws: StatusError.self) {
            _ = try await handler(Self.request([("Host", "a.example")], at: "/nowhere"))
        }
        #expect(inside?.reason == "nothing answers at /__admin" && outside?.reason == "nothing answers at /nowhere")
        #expect(inside?.status == outside?.status && inside?.headers == outside?.headers)
    }
}

extension String {
    /// Without blanks at the end, which no field's value has.
    fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()).trimmed : self }
}
