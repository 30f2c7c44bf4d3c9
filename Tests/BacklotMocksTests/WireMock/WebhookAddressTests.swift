import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct WebhookAddressTests {
    @Test(arguments: [
        ("127.0.0.1:9000", "http://127.0.0.1:9000/a?b=c", true),
        ("127.0.0.1:9000", "http://127.0.0.1:9001/", false),
        ("127.0.0.1", "http://127.0.0.1:9001", true),
        ("Callbacks.example.com", "http://callbacks.EXAMPLE.com/x", true),
        ("callbacks.example.com", "http://evil.callbacks.example.com/", false),
        ("callbacks.example.com", "http://callbacks.example.com.evil/", false),
        ("[::1]:9000", "http://[::1]:9000/", true),
        ("[::1]", "http://[::1]:9/", true),
        ("127.0.0.1:80", "http://127.0.0.1/", true),
        ("127.0.0.1:443", "https://127.0.0.1/", true),
        ("127.0.0.1:80", "https://127.0.0.1/", false),
    ])
    func `An address admits what it names and nothing else`(address: String, url: String, admits: Bool) throws {
        let target = try #require(WebhookTarget(url))
        #expect(try #require(WebhookAddress(address)).admits(target) == admits)
    }

    @Test(arguments: ["", "a/b", "http://a", "a:b", "a:70000", "a b", "user@a", "a?b"])
    func `What is no address`(text: String) {
        #expect(WebhookAddress(text) == nil)
    }

    @Test(arguments: ["https://", "a", "http://", "http://a b/", "ftp://a/", "http://user@a/"])
    func `What can't be called`(text: String) {
        #expect(WebhookTarget(text) == nil)
    }

    @Test func `A target keeps its path and query, and leaves the fragment out; the log also lacks the query`() throws {
        #expect(try #require(WebhookTarget("http://a:90/b/c?d=/e#f")).path == "/b/c?d=/e")
        #expect(try #require(WebhookTarget("http://a?b")).path == "/?b")
        #expect(try #require(WebhookTarget("http://a/b/")).path == "/b/")
        #expect(try #require(WebhookTarget("https://a:443/b?token=c?d#e")).shownURL == "https://a/b")
    }
}
