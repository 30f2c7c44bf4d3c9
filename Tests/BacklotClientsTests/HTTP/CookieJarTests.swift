import BacklotTesting
import Testing

/// RFC 6265, section 5.
@Suite(.timeLimit(.minutes(5))) struct CookieJarTests {
    private let now = 1_000_000.0

    private func jar(_ fields: String..., from url: String = "http://example.com/travel/hotels") throws -> CookieJar {
        var jar = CookieJar()
        jar.take(fields, from: try HTTPURL(url), now: now)
        return jar
    }

    private func header(_ jar: CookieJar, _ url: String, later seconds: Double = 0) throws -> String? {
        jar.header(for: try HTTPURL(url), now: now + seconds)
    }

    @Test(arguments: [
        ("a=1", "http://example.com/travel/x", "a=1"),
        ("a=1", "http://example.com/travel", "a=1"),
        ("a=1", "http://example.com/travelling", nil),
        ("a=1", "http://example.com/", nil),
        ("a=1", "http://www.example.com/travel/", nil),
        ("a=1; Path=/", "http://example.com/x", "a=1"),
        ("a=1; path=/travel/", "http://example.com/travel", nil),
        ("a=1; Path=/travel/", "http://example.com/travel/x", "a=1"),
        ("a=1; Path=nonsense", "http://example.com/travel/x", "a=1"),
        ("a=1; Domain=example.com; Path=/", "http://www.example.com/", "a=1"),
        ("a=1; Domain=.example.com; Path=/", "http://www.example.com/", "a=1"),
        ("a=1; Domain=com; Path=/", "http://example.com/", nil),
        ("a=1; Domain=other.com; Path=/", "http://example.com/", nil),
        ("a=1; Domain=www.example.com; Path=/", "http://example.com/", nil),
        ("a=1; Secure; Path=/", "http://example.com/", nil),
        ("a=1; Secure; Path=/", "https://example.com/", "a=1"),
        ("  a  =  1 2  ; Path=/", "http://example.com/", "a=1 2"),
        ("a=; Path=/", "http://example.com/", "a="),
        ("a=b=c; Path=/", "http://example.com/", "a=b=c"),
        ("=1; Path=/", "http://example.com/", nil),
        ("nonsense", "http://example.com/", nil),
        ("a=1; Path=/; Max-Age=0", "http://example.com/", nil),
        ("a=1; Path=/; Max-Age=-5", "http://example.com/", nil),
        ("a=1; Path=/; Max-Age=x", "http://example.com/", "a=1"),
        ("a=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:01 GMT", "http://example.com/", nil),
        ("a=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=9", "http://example.com/", "a=1"),
        ("a=1; Path=/; Expires=never", "http://example.com/", "a=1"),
    ])
    func `A cookie goes where it belongs`(field: String, url: String, sent: String?) throws {
        #expect(try header(jar(field), url) == sent)
    }

    @Test func `A cookie ends when its time is over`() throws {
        let jar = try jar("a=1; Path=/; Max-Age=60", "b=2; Path=/")
        #expect(try header(jar, "http://example.com/", later: 59) == "a=1; b=2")
        #expect(try header(jar, "http://example.com/", later: 60) == "b=2")
    }

    @Test func `Longer paths come first, and of two equal ones the older cookie`() throws {
        let jar = try jar("a=1; Path=/", "b=2; Path=/travel", "c=3; Path=/")
        #expect(try header(jar, "http://example.com/travel") == "b=2; a=1; c=3")
    }

    @Test func `A new cookie takes the place of one with its name, domain and path`() throws {
        var jar = try jar("a=1; Path=/", "b=2; Path=/")
        jar.take(
            ["a=3; Path=/", "b=; Path=/; Max-Age=0", "a=4; Path=/x"],
            from: try HTTPURL("http://example.com/"),
            now: now
        )
        #expect(try header(jar, "http://example.com/") == "a=3")
        #expect(try jar.value(of: "a", for: HTTPURL("http://example.com/x")) == "4")
    }

    @Test func `Only cookies with an end outlive the app`() throws {
        var jar = try jar(
            "a=1; Path=/",
            "b=2; Path=/; Max-Age=60",
            "c=3; Path=/; Expires=Sun, 06 Nov 2094 08:49:37 GMT"
        )
        #expect(jar.cookies.map(\.isPersistent) == [false, true, true])
        jar.removeSessionCookies()
        #expect(try header(jar, "http://example.com/") == "b=2; c=3")
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("6 nov 1994 8:49:37", 784_111_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Wed, 29 Feb 2096 23:59:59 GMT", 3_981_398_399),
        ("Fri, 01 Jan 1601 00:00:00 GMT", -11_644_473_600),
    ])
    func `Dates are read in every form`(date: String, seconds: Double) throws {
        let jar = try jar("a=1; Max-Age=x; Path=/; Expires=\(date)")
        // The jar drops expired cookies. With the clock set back, no cookie has expired.
        var early = CookieJar()
        early.take(["a=1; Path=/; Expires=\(date)"], from: try HTTPURL("http://example.com/"), now: -20_000_000_000)
        #expect(early.cookies.first?.expiry == seconds)
        #expect(jar.cookies.isEmpty == (seconds <= now))
    }

    @Test(arguments: [
        "", "Sun, 06 Nov", "32 Jan 2030 00:00:00", "1 Jan 1600 00:00:00", "1 Foo 2030 00:00:00", "1 Jan 2030 24:00:00",
    ])
    func `What is no date doesn't end a cookie`(date: String) throws {
        #expect(try jar("a=1; Path=/; Expires=\(date)").cookies.first?.expiry == nil)
    }

    @Test func `The jar is bounded`() throws {
        var jar = CookieJar()
        let url = try HTTPURL("http://example.com/")
        for number in 0..<400 { jar.take(["c\(number)=1; Path=/"], from: url, now: now) }
        #expect(jar.cookies.count == 300)
        #expect(jar.cookies.first?.name == "c100")
        jar.take(["big=" + String(repeating: "x", count: 5000)], from: url, now: now)
        #expect(jar.value(of: "big", for: url) == nil)
    }

    @Test func `An address has no hosts below it`() throws {
        let jar = try jar("a=1; Domain=0.0.1; Path=/", from: "http://127.0.0.1/")
        #expect(jar.cookies.isEmpty)
        #expect(try header(self.jar("a=1", from: "http://127.0.0.1:80/"), "http://127.0.0.1:8080/") == "a=1")
    }
}
