import Applin
import Backlot
import Testing

/// Rules about the URLs on a page.
@Suite(.timeLimit(.minutes(5))) struct URLRuleTests {
    @Test(arguments: cases)
    func `The bad page has the finding, the good one none`(rule: RuleCase) throws {
        try rule.check()
    }

    private static func button(_ actions: String) -> String {
        #"{"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[\#(actions)]}}"#
    }

    private static let cases: [RuleCase] = [
        RuleCase(
            "a colon in an rpc's path (objects)",
            .objects,
            bad: button(#"{"typ":"rpc","url":"/8:30"}"#),
            good: button(#"{"typ":"rpc","url":"/8%3A30"}"#),
            finding: """
                error: /p › button "Go" › rpc "/8:30"
                  In "/8:30", clients take what stands before the colon for the scheme of another URL, so clients reject \
                the whole page.
                  Fix: Write %3A instead of the colon: "/8%3A30".
                  [colon-in-path] at /page/widget/actions/0/url
                """
        ),
        RuleCase(
            "a colon in an upload's path (documented)",
            .documented,
            bad: button(#""take_photo:/a:b""#),
            good: button(#""take_photo:/a/b:c""#),
            finding: """
                error: /p › button "Go" › take_photo "/a:b"
                  In "/a:b", clients take what stands before the colon for the scheme of another URL, so clients show an \
                error.
                  Fix: Write %3A instead of the colon: "/a%3Ab".
                  [colon-in-path] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "a colon in a page's path",
            .objects,
            bad: button(#"{"typ":"push","page":"/a:b"}"#),
            good: button(#"{"typ":"push","page":"/a?at=8:30"}"#),
            finding: """
                error: /p › button "Go" › push "/a:b"
                  In "/a:b", clients take what stands before the colon for the scheme of another URL, so clients show an \
                error.
                  Fix: Write %3A instead of the colon: "/a%3Ab".
                  [colon-in-path] at /page/widget/actions/0/page
                """
        ),
        RuleCase(
            "launch_url without a URL",
            .objects,
            bad: button(#"{"typ":"launch_url","url":""}"#),
            good: button(#"{"typ":"launch_url","url":"tel:+15551234"}"#),
            finding: """
                error: /p › button "Go" › launch_url
                  "url" is empty, so clients reject the whole page.
                  Fix: Write an address such as "https://example.com/a".
                  [malformed-url] at /page/widget/actions/0/url
                """
        ),
        RuleCase(
            "launch_url with what is no URL",
            .documented,
            bad: button(#""launch_url:1a:b""#),
            good: button(#""launch_url:https://example.com/""#),
            finding: """
                error: /p › button "Go" › launch_url "1a:b"
                  "1a:b" can't be read as a URL, so clients reject the whole page.
                  Fix: Write an address such as "https://example.com/a".
                  [malformed-url] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "launch_url with a blank",
            .objects,
            bad: button(#"{"typ":"launch_url","url":"https://example.com/a b"}"#),
            good: button(#"{"typ":"launch_url","url":"https://example.com/a%20b"}"#),
            finding: """
                warning: /p › button "Go" › launch_url "https://example.com/a b"
                  "https://example.com/a b" has characters that no URL may hold, which clients on iOS before 17 can't read.
                  Fix: Write "https://example.com/a%20b".
                  [unescaped-url] at /page/widget/actions/0/url
                """
        ),
        RuleCase(
            "an image without a URL",
            bad: #"{"typ":"plain_page","widget":{"typ":"image","url":"","aspect_ratio":1,"disposition":"fit"}}"#,
            good: #"{"typ":"plain_page","widget":{"typ":"image","url":"/a.png","aspect_ratio":1,"disposition":"fit"}}"#,
            finding: """
                error: /p › image
                  "url" is empty, so clients reject the whole page.
                  Fix: Write an address such as "https://example.com/a".
                  [malformed-url] at /page/widget/url
                """
        ),
        RuleCase(
            "a photo_url without a URL",
            bad: #"{"typ":"plain_page","widget":{"typ":"nav_button","text":"A","photo_url":"","actions":[]}}"#,
            good: #"{"typ":"plain_page","widget":{"typ":"nav_button","text":"A","photo_url":null,"actions":[]}}"#,
            finding: """
                error: /p › nav_button "A"
                  "photo_url" is empty, so clients reject the whole page.
                  Fix: Remove "photo_url", or write the picture's address.
                  [malformed-url] at /page/widget/photo_url
                """
        ),
        RuleCase(
            "an image at what is no URL",
            bad: #"{"typ":"plain_page","widget":{"typ":"image","url":"1:2","aspect_ratio":1,"disposition":"fit"}}"#,
            good: #"{"typ":"plain_page","widget":{"typ":"image","url":"/1:2","aspect_ratio":1,"disposition":"fit"}}"#,
            finding: """
                error: /p › image
                  "1:2" can't be read as a URL, so clients reject the whole page.
                  Fix: Write an address such as "https://example.com/a".
                  [malformed-url] at /page/widget/url
                """
        ),
        RuleCase(
            "a photo's ratio that no Float holds",
            .objects,
            bad: button(#"{"typ":"take_photo","url":"/a","aspect_ratio":1e39}"#),
            good: button(#"{"typ":"take_photo","url":"/a","aspect_ratio":1e38}"#),
            finding: """
                error: /p › button "Go" › take_photo "/a"
                  "aspect_ratio" is 1e+39, but must be a number of 32 bits: clients reject the whole page.
                  Fix: Make "aspect_ratio" a number of 32 bits.
                  [number-out-of-range] at /page/widget/actions/0/aspect_ratio
                """
        ),
    ]
}
