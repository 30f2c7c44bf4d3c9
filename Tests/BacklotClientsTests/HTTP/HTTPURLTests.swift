import BacklotTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPURLTests {
    @Test(arguments: [
        ("http://example.com", "http://example.com/"),
        ("HTTP://Example.COM:80/A?b#c", "http://example.com/A?b"),
        ("https://example.com:443/", "https://example.com/"),
        ("https://example.com:8443/travel/", "https://example.com:8443/travel/"),
        ("http://[::1]:8080/a", "http://[::1]:8080/a"),
        ("http://127.0.0.1?x=1", "http://127.0.0.1/?x=1"),
        ("http://h/a b/ü?q=ä %41%4", "http://h/a%20b/%C3%BC?q=%C3%A4%20%41%254"),
        ("http://h/a/./b/../c/..", "http://h/a/"),
        ("http://h/../../a", "http://h/a"),
        ("http://h:/a", "http://h/a"),
    ])
    func `A URL is read`(text: String, url: String) throws {
        #expect(try HTTPURL(text).description == url)
    }

    @Test(arguments: [
        ("example.com", "it doesn't begin with http:// or https://"),
        ("ftp://example.com/", "it doesn't begin with http:// or https://"),
        ("http://", "its host is ''"),
        ("http://ann@example.com/", "it has a user name"),
        ("http://a b/", "its host is 'a b'"),
        ("http://h:0/", "its port is '0'"),
        ("http://h:65536/", "its port is '65536'"),
        ("http://h:x/", "its port is 'x'"),
    ])
    func `What is no URL says why`(text: String, problem: String) {
        #expect(throws: ClientError.invalidURL(text, problem: problem)) { try HTTPURL(text) }
    }

    /// RFC 3986, section 5.4, as far as HTTP has it.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
        ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
        ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("https://h/x", "https://h/x"),
    ])
    func `A reference is resolved`(reference: String, url: String) throws {
        #expect(try HTTPURL("http://a/b/c/d;p?q").resolving(reference).description == url)
    }

    @Test func `A reference to another scheme is none of ours`() throws {
        let base = try HTTPURL("http://a/")
        #expect(throws: ClientError.self) { try base.resolving("mailto:ann@example.com") }
    }
}
