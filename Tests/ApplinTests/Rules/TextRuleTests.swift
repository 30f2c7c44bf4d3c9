import Backlot
import Testing

@testable import Applin

@Suite(.timeLimit(.minutes(5))) struct SuggestionRuleTests {
    private let keys = ["label", "error", "var_name", "initial_string", "max_lines", "max_chars"]

    @Test(arguments: [
        ("lable", "label"), ("Label", "label"), ("varname", "var_name"), ("intial_strng", "initial_string"),
        ("maxlines", "max_lines"), ("max_char", "max_chars"),
    ])
    func `A slip of the pen is recognised`(text: String, key: String) {
        #expect(Suggestion.nearest(to: text, among: keys) == key)
    }

    @Test(arguments: ["", "color", "l", "a_very_long_key_that_nobody_has_ever_heard_of", "🧀"])
    func `What is like nothing has no suggestion`(text: String) {
        #expect(Suggestion.nearest(to: text, among: keys) == nil)
    }
}

@Suite(.timeLimit(.minutes(5))) struct URLTextRuleTests {
    @Test(arguments: [
        ("https://a", true), ("tel:1", true), ("a+b-c.d:e", true), ("/a:b", false), ("a", false), (":a", false),
        ("1a:b", false), ("", false),
    ])
    func `A scheme ends with the first colon`(url: String, hasScheme: Bool) {
        #expect(url.hasScheme == hasScheme)
    }

    @Test(
        arguments: [
            ("/../a", .outside), ("..", .outside), ("/a/../../b", .outside), ("/a/.././..", .outside),
            ("/a/../b", .inside), ("/a?x=/../..", .inside), ("/...", .inside), ("", .inside), ("/", .inside),
            ("a b", .inside), ("//x/a", .outside), ("/a:b", .outside), ("/8:30", .unreadable), ("/x/8:30", .inside),
            ("http://exa mple.test/", .unreadable), ("http://[", .unreadable), ("https://example.com/", .unknown),
            ("mailto:a@b", .outside),
        ] as [(String, ClientURL.Place)]
    )
    func `A URL is put together with an unknown base URL`(url: String, place: ClientURL.Place) {
        #expect(ClientURL.place(of: url, base: nil) == place)
    }

    @Test(
        arguments: [
            ("/a", .inside), ("/../a", .outside), ("//travel/a", .inside), ("//other/a", .outside),
            ("http://client.test/travel/x", .inside),
            ("http://client.test/x", .outside), ("http://client.test:80/travel/x", .outside),
            ("ftp://client.test/", .outside),
        ] as [(String, ClientURL.Place)]
    )
    func `A URL is put together with a known base URL`(url: String, place: ClientURL.Place) {
        #expect(ClientURL.place(of: url, base: "http://client.test/travel/") == place)
    }
}
