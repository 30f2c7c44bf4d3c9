import Applin
import Backlot
import Testing

/// Rules about the URLs on a page.
@Suite(.timeLimit(.minutes(5))) struct URLRuleTests {
    @Test(arguments: cases)
    func `The bad page has the finding, the good one none`(rule: RuleCase) throws {
        try rule.check()
    }

    private static let cases = RuleCase.cases(
        """
        a colon in an rpc's path [objects]
        - [{"typ":"rpc","url":"/8:30"}]
        + [{"typ":"rpc","url":"/8%3A30"}]
        error: /p › button "Go" › rpc "/8:30"
          In "/8:30", clients take what stands before the colon for the scheme of another URL, so clients reject \
        the whole page.
          Fix: Write %3A instead of the colon: "/8%3A30".
          [colon-in-path] at /page/widget/actions/0/url

        a colon in an upload's path [documented]
        - ["take_photo:/a:b"]
        + ["take_photo:/a/b:c"]
        error: /p › button "Go" › take_photo "/a:b"
          In "/a:b", clients take what stands before the colon for the scheme of another URL, so clients show an \
        error.
          Fix: Write %3A instead of the colon: "/a%3Ab".
          [colon-in-path] at /page/widget/actions/0

        a colon in a page's path [objects]
        - [{"typ":"push","page":"/a:b"}]
        + [{"typ":"push","page":"/a?at=8:30"}]
        error: /p › button "Go" › push "/a:b"
          In "/a:b", clients take what stands before the colon for the scheme of another URL, so clients show an \
        error.
          Fix: Write %3A instead of the colon: "/a%3Ab".
          [colon-in-path] at /page/widget/actions/0/page

        launch_url without a URL [objects]
        - [{"typ":"launch_url","url":""}]
        + [{"typ":"launch_url","url":"tel:+15551234"}]
        error: /p › button "Go" › launch_url
          "url" is empty, so clients reject the whole page.
          Fix: Write an address such as "https://example.com/a".
          [malformed-url] at /page/widget/actions/0/url

        launch_url with what is no URL [documented]
        - ["launch_url:1a:b"]
        + ["launch_url:https://example.com/"]
        error: /p › button "Go" › launch_url "1a:b"
          "1a:b" can't be read as a URL, so clients reject the whole page.
          Fix: Write an address such as "https://example.com/a".
          [malformed-url] at /page/widget/actions/0

        launch_url with a blank [objects]
        - [{"typ":"launch_url","url":"https://example.com/a b"}]
        + [{"typ":"launch_url","url":"https://example.com/a%20b"}]
        warning: /p › button "Go" › launch_url "https://example.com/a b"
          "https://example.com/a b" has characters that no URL may hold, which clients on iOS before 17 can't read.
          Fix: Write "https://example.com/a%20b".
          [unescaped-url] at /page/widget/actions/0/url

        an image without a URL
        - {"typ":"plain_page","widget":{"typ":"image","url":"","aspect_ratio":1,"disposition":"fit"}}
        + {"typ":"plain_page","widget":{"typ":"image","url":"/a.png","aspect_ratio":1,"disposition":"fit"}}
        error: /p › image
          "url" is empty, so clients reject the whole page.
          Fix: Write an address such as "https://example.com/a".
          [malformed-url] at /page/widget/url

        a photo_url without a URL
        - {"typ":"plain_page","widget":{"typ":"nav_button","text":"A","photo_url":"","actions":[]}}
        + {"typ":"plain_page","widget":{"typ":"nav_button","text":"A","photo_url":null,"actions":[]}}
        error: /p › nav_button "A"
          "photo_url" is empty, so clients reject the whole page.
          Fix: Remove "photo_url", or write the picture's address.
          [malformed-url] at /page/widget/photo_url

        an image at what is no URL
        - {"typ":"plain_page","widget":{"typ":"image","url":"1:2","aspect_ratio":1,"disposition":"fit"}}
        + {"typ":"plain_page","widget":{"typ":"image","url":"/1:2","aspect_ratio":1,"disposition":"fit"}}
        error: /p › image
          "1:2" can't be read as a URL, so clients reject the whole page.
          Fix: Write an address such as "https://example.com/a".
          [malformed-url] at /page/widget/url

        a photo's ratio that no Float holds [objects]
        - [{"typ":"take_photo","url":"/a","aspect_ratio":1e+39}]
        + [{"typ":"take_photo","url":"/a","aspect_ratio":1e+38}]
        error: /p › button "Go" › take_photo "/a"
          "aspect_ratio" is 1e+39, but must be a number of 32 bits: clients reject the whole page.
          Fix: Make "aspect_ratio" a number of 32 bits.
          [number-out-of-range] at /page/widget/actions/0/aspect_ratio
        """
    )
}
