import Backlot
import Testing

@testable import Applin

@Suite struct SuggestionRuleTests {
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

@Suite struct URLTextRuleTests {
    @Test(arguments: [
        ("https://a", true), ("tel:1", true), ("a+b-c.d:e", true), ("/a:b", false), ("a", false), (":a", false),
        ("1a:b", false), ("", false),
    ])
    func `A scheme ends with the first colon`(url: String, hasScheme: Bool) {
        #expect(url.hasScheme == hasScheme)
    }

    @Test(arguments: [
        ("/../a", true), ("..", true), ("/a/../../b", true), ("/a/.././..", true), ("/a/../b", false),
        ("/a?x=/../..", false),
        ("/...", false), ("", false),
    ])
    func `Two dots lead up`(url: String, leadsUp: Bool) {
        #expect(url.leadsUp == leadsUp)
    }
}
