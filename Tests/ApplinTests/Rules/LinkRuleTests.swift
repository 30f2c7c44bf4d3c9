import Applin
import Backlot
import Testing

/// Rules about where actions lead.
@Suite(.timeLimit(.minutes(5))) struct LinkRuleTests {
    @Test(arguments: cases)
    func `The bad page has the finding, the good one none`(rule: RuleCase) throws {
        try rule.check()
    }

    private static let cases: [RuleCase] =
        RuleCase.cases(
            """
            a link without a slash
            - [{"typ":"push","page":"terms"}]
            + [{"typ":"push","page":"/terms"}]
            error: /p › button "Go" › push "terms"
              push goes to "terms", but paths of pages begin with a slash.
              Fix: Write "/terms".
              [link-without-slash] at /page/widget/actions/0/page

            a link to another server
            - [{"typ":"replace_all","page":"https://example.com/"}]
            + [{"typ":"launch_url","url":"https://example.com/"}]
            error: /p › button "Go" › replace_all "https://example.com/"
              replace_all goes to "https://example.com/", but paths of pages begin with a slash.
              Fix: Use launch_url for an address outside the app, and a path such as "/terms" for a page.
              [link-without-slash] at /page/widget/actions/0/page

            a push of the page itself
            - [{"typ":"push","page":"/p"}]
            + [{"typ":"replace_all","page":"/p"}]
            error: /p › button "Go" › push "/p"
              The page pushes itself, so clients show an error.
              Fix: Use poll to refresh the page, or replace_all to show it alone.
              [push-of-itself] at /page/widget/actions/0/page

            an rpc to another host [documented]
            - ["rpc://example.com/x"]
            + ["rpc:/x"]
            error: /p › button "Go" › rpc "//example.com/x"
              "//example.com/x" is outside the app's base URL, so clients show an error.
              Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
              [url-outside-base] at /page/widget/actions/0

            an rpc to another host [objects]
            - [{"typ":"rpc","url":"//example.com/x"}]
            + [{"typ":"rpc","url":"/x"}]
            error: /p › button "Go" › rpc "//example.com/x"
              "//example.com/x" is outside the app's base URL, so clients reject the whole page.
              Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
              [url-outside-base] at /page/widget/actions/0/url

            an rpc above the base URL [documented]
            - ["rpc:/a/../../x"]
            + ["rpc:/a/../x"]
            error: /p › button "Go" › rpc "/a/../../x"
              "/a/../../x" is outside the app's base URL, so clients show an error.
              Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
              [url-outside-base] at /page/widget/actions/0

            an rpc above the base URL [objects]
            - [{"typ":"rpc","url":"/a/../../x"}]
            + [{"typ":"rpc","url":"/a/../x"}]
            error: /p › button "Go" › rpc "/a/../../x"
              "/a/../../x" is outside the app's base URL, so clients reject the whole page.
              Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
              [url-outside-base] at /page/widget/actions/0/url

            an rpc with another scheme [documented]
            - ["rpc:ftp://example.com/x"]
            + ["rpc:/x/y:z"]
            error: /p › button "Go" › rpc "ftp://example.com/x"
              "ftp://example.com/x" is outside the app's base URL, so clients show an error.
              Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
              [url-outside-base] at /page/widget/actions/0

            an rpc with another scheme [objects]
            - [{"typ":"rpc","url":"ftp://example.com/x"}]
            + [{"typ":"rpc","url":"/x/y:z"}]
            error: /p › button "Go" › rpc "ftp://example.com/x"
              "ftp://example.com/x" is outside the app's base URL, so clients reject the whole page.
              Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
              [url-outside-base] at /page/widget/actions/0/url

            a photo to an absolute URL
            - [{"typ":"choose_photo","url":"https://example.com/x"}]
            + [{"typ":"choose_photo","url":"/x"}]
            warning: /p › button "Go" › choose_photo "https://example.com/x"
              "https://example.com/x" is absolute: clients reject the page unless it is below the app's base URL.
              Fix: Write the path below the base URL, such as "/save".
              [absolute-url] at /page/widget/actions/0/url
            """
        )
        + RuleCase.cases(
            app: ["/p": [.get, .post], "/terms": [.get], "/save": [.post], "/photo": [.put], "/plots/{id}": [.get]],
            """
            the path of a route
            - [{"typ":"push","page":"/plots/{id}"}]
            + [{"typ":"push","page":"/terms"}]
            error: /p › button "Go" › push "/plots/{id}"
              push goes to "/plots/{id}", which has a parameter without a value, so clients show an error.
              Fix: Give the route its id:, and the action a value, as in push(plot, id: 7).
              [dead-link] at /page/widget/actions/0/page

            a push to nowhere
            - [{"typ":"push","page":"/trems?a=1"}]
            + [{"typ":"push","page":"/terms?a=1"}]
            error: /p › button "Go" › push "/trems?a=1"
              push goes to "/trems", but nothing is there, so clients show an error.
              Fix: Correct the path, or add a page there.
              [dead-link] at /page/widget/actions/0/page

            a push to an rpc
            - [{"typ":"push","page":"/save"}]
            + [{"typ":"push","page":"/error_details"}]
            error: /p › button "Go" › push "/save"
              push goes to "/save", which accepts POST but not GET, so clients show an error.
              Fix: Correct the path, or make it accept GET.
              [dead-link] at /page/widget/actions/0/page

            a replace_all to nowhere
            - [{"typ":"replace_all","page":"/x"}]
            + [{"typ":"replace_all","page":"/terms"}]
            error: /p › button "Go" › replace_all "/x"
              replace_all goes to "/x", but nothing is there, so clients show an error.
              Fix: Correct the path, or add a page there.
              [dead-link] at /page/widget/actions/0/page

            an rpc to nowhere
            - [{"typ":"rpc","url":"/sav"}]
            + [{"typ":"rpc","url":"/save"}]
            error: /p › button "Go" › rpc "/sav"
              rpc posts to "/sav", but nothing is there, so clients show an error.
              Fix: Correct the path, or add an rpc there.
              [dead-rpc] at /page/widget/actions/0/url

            an rpc to a page
            - [{"typ":"rpc","url":"/terms"}]
            + [{"typ":"rpc","url":"save"}]
            error: /p › button "Go" › rpc "/terms"
              rpc posts to "/terms", which accepts GET but not POST, so clients show an error.
              Fix: Correct the path, or make it accept POST.
              [dead-rpc] at /page/widget/actions/0/url

            a photo to an rpc
            - [{"typ":"take_photo","url":"/save"}]
            + [{"typ":"take_photo","url":"/photo"}]
            error: /p › button "Go" › take_photo "/save"
              take_photo puts to "/save", which accepts POST but not PUT, so clients show an error.
              Fix: Correct the path, or make it accept PUT.
              [dead-upload] at /page/widget/actions/0/url

            a photo to nowhere
            - [{"typ":"choose_photo","url":"/x"}]
            + [{"typ":"choose_photo","url":"/photo"}]
            error: /p › button "Go" › choose_photo "/x"
              choose_photo puts to "/x", but nothing is there, so clients show an error.
              Fix: Correct the path, or add an upload there.
              [dead-upload] at /page/widget/actions/0/url
            """
        )
        + RuleCase.cases(
            baseURL: "https://example.com/travel",
            """
            an rpc outside a known base URL [documented]
            - ["rpc:https://example.com/x"]
            + ["rpc:https://example.com/travel/x"]
            error: /p › button "Go" › rpc "https://example.com/x"
              "https://example.com/x" is outside the app's base URL, so clients show an error.
              Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
              [url-outside-base] at /page/widget/actions/0

            an rpc outside a known base URL [objects]
            - [{"typ":"rpc","url":"https://example.com/x"}]
            + [{"typ":"rpc","url":"https://example.com/travel/x"}]
            error: /p › button "Go" › rpc "https://example.com/x"
              "https://example.com/x" is outside the app's base URL, so clients reject the whole page.
              Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
              [url-outside-base] at /page/widget/actions/0/url
            """
        )
}
