import Applin
import Backlot
import Testing

/// Rules about where actions lead.
@Suite(.timeLimit(.minutes(5))) struct LinkRuleTests {
    @Test(arguments: cases)
    func `The bad page has the finding, the good one none`(rule: RuleCase) throws {
        try rule.check()
    }

    private static let cases: [RuleCase] = [
        RuleCase(
            "a link without a slash (documented)",
            .documented,
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push:terms"]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push:/terms"]}}
                """,
            finding: """
                error: /p › button "Go" › push "terms"
                  push goes to "terms", but paths of pages begin with a slash.
                  Fix: Write "/terms".
                  [link-without-slash] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "a link without a slash (objects)",
            .objects,
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"push","page":"terms"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"push",
                "page":"/terms"}]}}
                """,
            finding: """
                error: /p › button "Go" › push "terms"
                  push goes to "terms", but paths of pages begin with a slash.
                  Fix: Write "/terms".
                  [link-without-slash] at /page/widget/actions/0/page
                """
        ),
        RuleCase(
            "a link to another server (documented)",
            .documented,
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go",
                "actions":["replace_all:https://example.com/"]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go",
                "actions":["launch_url:https://example.com/"]}}
                """,
            finding: """
                error: /p › button "Go" › replace_all "https://example.com/"
                  replace_all goes to "https://example.com/", but paths of pages begin with a slash.
                  Fix: Use launch_url for an address outside the app, and a path such as "/terms" for a page.
                  [link-without-slash] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "a link to another server (objects)",
            .objects,
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"replace_all",
                "page":"https://example.com/"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"launch_url",
                "url":"https://example.com/"}]}}
                """,
            finding: """
                error: /p › button "Go" › replace_all "https://example.com/"
                  replace_all goes to "https://example.com/", but paths of pages begin with a slash.
                  Fix: Use launch_url for an address outside the app, and a path such as "/terms" for a page.
                  [link-without-slash] at /page/widget/actions/0/page
                """
        ),
        RuleCase(
            "a push of the page itself (documented)",
            .documented,
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push:/p"]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["replace_all:/p"]}}
                """,
            finding: """
                error: /p › button "Go" › push "/p"
                  The page pushes itself, which clients answer with an error.
                  Fix: Use poll to refresh the page, or replace_all to show it alone.
                  [push-of-itself] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "a push of the page itself (objects)",
            .objects,
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"push","page":"/p"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"replace_all",
                "page":"/p"}]}}
                """,
            finding: """
                error: /p › button "Go" › push "/p"
                  The page pushes itself, which clients answer with an error.
                  Fix: Use poll to refresh the page, or replace_all to show it alone.
                  [push-of-itself] at /page/widget/actions/0/page
                """
        ),
        RuleCase(
            "a push to nowhere (documented)",
            .documented,
            app: ["/p": [.get, .post], "/terms": [.get], "/save": [.post], "/photo": [.put]],
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push:/trems?a=1"]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push:/terms?a=1"]}}
                """,
            finding: """
                error: /p › button "Go" › push "/trems?a=1"
                  push goes to "/trems", but nothing is there, so clients show an error.
                  Fix: Correct the path, or add a page there.
                  [dead-link] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "a push to nowhere (objects)",
            .objects,
            app: ["/p": [.get, .post], "/terms": [.get], "/save": [.post], "/photo": [.put]],
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"push",
                "page":"/trems?a=1"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"push",
                "page":"/terms?a=1"}]}}
                """,
            finding: """
                error: /p › button "Go" › push "/trems?a=1"
                  push goes to "/trems", but nothing is there, so clients show an error.
                  Fix: Correct the path, or add a page there.
                  [dead-link] at /page/widget/actions/0/page
                """
        ),
        RuleCase(
            "a push to an rpc (documented)",
            .documented,
            app: ["/p": [.get, .post], "/terms": [.get], "/save": [.post], "/photo": [.put]],
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push:/save"]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["push:/error_details"]}}
                """,
            finding: """
                error: /p › button "Go" › push "/save"
                  push goes to "/save", which answers POST but not GET, so clients show an error.
                  Fix: Correct the path, or let it answer GET.
                  [dead-link] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "a push to an rpc (objects)",
            .objects,
            app: ["/p": [.get, .post], "/terms": [.get], "/save": [.post], "/photo": [.put]],
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"push","page":"/save"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"push",
                "page":"/error_details"}]}}
                """,
            finding: """
                error: /p › button "Go" › push "/save"
                  push goes to "/save", which answers POST but not GET, so clients show an error.
                  Fix: Correct the path, or let it answer GET.
                  [dead-link] at /page/widget/actions/0/page
                """
        ),
        RuleCase(
            "a replace_all to nowhere (documented)",
            .documented,
            app: ["/p": [.get, .post], "/terms": [.get], "/save": [.post], "/photo": [.put]],
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["replace_all:/x"]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["replace_all:/terms"]}}
                """,
            finding: """
                error: /p › button "Go" › replace_all "/x"
                  replace_all goes to "/x", but nothing is there, so clients show an error.
                  Fix: Correct the path, or add a page there.
                  [dead-link] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "a replace_all to nowhere (objects)",
            .objects,
            app: ["/p": [.get, .post], "/terms": [.get], "/save": [.post], "/photo": [.put]],
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"replace_all",
                "page":"/x"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"replace_all",
                "page":"/terms"}]}}
                """,
            finding: """
                error: /p › button "Go" › replace_all "/x"
                  replace_all goes to "/x", but nothing is there, so clients show an error.
                  Fix: Correct the path, or add a page there.
                  [dead-link] at /page/widget/actions/0/page
                """
        ),
        RuleCase(
            "an rpc to nowhere (documented)",
            .documented,
            app: ["/p": [.get, .post], "/terms": [.get], "/save": [.post], "/photo": [.put]],
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:/sav"]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:/save"]}}
                """,
            finding: """
                error: /p › button "Go" › rpc "/sav"
                  rpc posts to "/sav", but nothing is there, so clients show an error.
                  Fix: Correct the path, or add an rpc there.
                  [dead-rpc] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "an rpc to nowhere (objects)",
            .objects,
            app: ["/p": [.get, .post], "/terms": [.get], "/save": [.post], "/photo": [.put]],
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc","url":"/sav"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc","url":"/save"}]}}
                """,
            finding: """
                error: /p › button "Go" › rpc "/sav"
                  rpc posts to "/sav", but nothing is there, so clients show an error.
                  Fix: Correct the path, or add an rpc there.
                  [dead-rpc] at /page/widget/actions/0/url
                """
        ),
        RuleCase(
            "an rpc to a page (documented)",
            .documented,
            app: ["/p": [.get, .post], "/terms": [.get], "/save": [.post], "/photo": [.put]],
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:/terms"]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:save"]}}
                """,
            finding: """
                error: /p › button "Go" › rpc "/terms"
                  rpc posts to "/terms", which answers GET but not POST, so clients show an error.
                  Fix: Correct the path, or let it answer POST.
                  [dead-rpc] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "an rpc to a page (objects)",
            .objects,
            app: ["/p": [.get, .post], "/terms": [.get], "/save": [.post], "/photo": [.put]],
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc","url":"/terms"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc","url":"save"}]}}
                """,
            finding: """
                error: /p › button "Go" › rpc "/terms"
                  rpc posts to "/terms", which answers GET but not POST, so clients show an error.
                  Fix: Correct the path, or let it answer POST.
                  [dead-rpc] at /page/widget/actions/0/url
                """
        ),
        RuleCase(
            "a photo to an rpc (documented)",
            .documented,
            app: ["/p": [.get, .post], "/terms": [.get], "/save": [.post], "/photo": [.put]],
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["take_photo:/save"]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["take_photo:/photo"]}}
                """,
            finding: """
                error: /p › button "Go" › take_photo "/save"
                  take_photo puts to "/save", which answers POST but not PUT, so clients show an error.
                  Fix: Correct the path, or let it answer PUT.
                  [dead-upload] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "a photo to an rpc (objects)",
            .objects,
            app: ["/p": [.get, .post], "/terms": [.get], "/save": [.post], "/photo": [.put]],
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"take_photo",
                "url":"/save"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"take_photo",
                "url":"/photo"}]}}
                """,
            finding: """
                error: /p › button "Go" › take_photo "/save"
                  take_photo puts to "/save", which answers POST but not PUT, so clients show an error.
                  Fix: Correct the path, or let it answer PUT.
                  [dead-upload] at /page/widget/actions/0/url
                """
        ),
        RuleCase(
            "a photo to nowhere (documented)",
            .documented,
            app: ["/p": [.get, .post], "/terms": [.get], "/save": [.post], "/photo": [.put]],
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["choose_photo:/x"]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["choose_photo:/photo"]}}
                """,
            finding: """
                error: /p › button "Go" › choose_photo "/x"
                  choose_photo puts to "/x", but nothing is there, so clients show an error.
                  Fix: Correct the path, or add an upload there.
                  [dead-upload] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "a photo to nowhere (objects)",
            .objects,
            app: ["/p": [.get, .post], "/terms": [.get], "/save": [.post], "/photo": [.put]],
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"choose_photo",
                "url":"/x"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"choose_photo",
                "url":"/photo"}]}}
                """,
            finding: """
                error: /p › button "Go" › choose_photo "/x"
                  choose_photo puts to "/x", but nothing is there, so clients show an error.
                  Fix: Correct the path, or add an upload there.
                  [dead-upload] at /page/widget/actions/0/url
                """
        ),
        RuleCase(
            "an rpc to another host (documented)",
            .documented,
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc://example.com/x"]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:/x"]}}
                """,
            finding: """
                error: /p › button "Go" › rpc "//example.com/x"
                  "//example.com/x" is outside the app's base URL, so clients show an error.
                  Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
                  [url-outside-base] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "an rpc to another host (objects)",
            .objects,
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc",
                "url":"//example.com/x"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc","url":"/x"}]}}
                """,
            finding: """
                error: /p › button "Go" › rpc "//example.com/x"
                  "//example.com/x" is outside the app's base URL, so clients reject the whole page.
                  Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
                  [url-outside-base] at /page/widget/actions/0/url
                """
        ),
        RuleCase(
            "an rpc above the base URL (documented)",
            .documented,
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:/a/../../x"]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:/a/../x"]}}
                """,
            finding: """
                error: /p › button "Go" › rpc "/a/../../x"
                  "/a/../../x" is outside the app's base URL, so clients show an error.
                  Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
                  [url-outside-base] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "an rpc above the base URL (objects)",
            .objects,
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc",
                "url":"/a/../../x"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc","url":"/a/../x"}]}}
                """,
            finding: """
                error: /p › button "Go" › rpc "/a/../../x"
                  "/a/../../x" is outside the app's base URL, so clients reject the whole page.
                  Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
                  [url-outside-base] at /page/widget/actions/0/url
                """
        ),
        RuleCase(
            "an rpc with another scheme (documented)",
            .documented,
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:ftp://example.com/x"]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:/x/y:z"]}}
                """,
            finding: """
                error: /p › button "Go" › rpc "ftp://example.com/x"
                  "ftp://example.com/x" is outside the app's base URL, so clients show an error.
                  Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
                  [url-outside-base] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "an rpc with another scheme (objects)",
            .objects,
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc",
                "url":"ftp://example.com/x"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc","url":"/x/y:z"}]}}
                """,
            finding: """
                error: /p › button "Go" › rpc "ftp://example.com/x"
                  "ftp://example.com/x" is outside the app's base URL, so clients reject the whole page.
                  Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
                  [url-outside-base] at /page/widget/actions/0/url
                """
        ),
        RuleCase(
            "a photo to an absolute URL (documented)",
            .documented,
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go",
                "actions":["choose_photo:https://example.com/x"]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["choose_photo:/x"]}}
                """,
            finding: """
                warning: /p › button "Go" › choose_photo "https://example.com/x"
                  "https://example.com/x" is absolute: clients reject the page unless it is below the app's base URL.
                  Fix: Write the path below the base URL, such as "/save".
                  [absolute-url] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "a photo to an absolute URL (objects)",
            .objects,
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"choose_photo",
                "url":"https://example.com/x"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"choose_photo",
                "url":"/x"}]}}
                """,
            finding: """
                warning: /p › button "Go" › choose_photo "https://example.com/x"
                  "https://example.com/x" is absolute: clients reject the page unless it is below the app's base URL.
                  Fix: Write the path below the base URL, such as "/save".
                  [absolute-url] at /page/widget/actions/0/url
                """
        ),
        RuleCase(
            "an rpc outside a known base URL (documented)",
            .documented,
            baseURL: "https://example.com/travel",
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":["rpc:https://example.com/x"]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go",
                "actions":["rpc:https://example.com/travel/x"]}}
                """,
            finding: """
                error: /p › button "Go" › rpc "https://example.com/x"
                  "https://example.com/x" is outside the app's base URL, so clients show an error.
                  Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
                  [url-outside-base] at /page/widget/actions/0
                """
        ),
        RuleCase(
            "an rpc outside a known base URL (objects)",
            .objects,
            baseURL: "https://example.com/travel",
            bad: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc",
                "url":"https://example.com/x"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"rpc",
                "url":"https://example.com/travel/x"}]}}
                """,
            finding: """
                error: /p › button "Go" › rpc "https://example.com/x"
                  "https://example.com/x" is outside the app's base URL, so clients reject the whole page.
                  Fix: Write a path below the base URL, such as "/save"; to reach another server, let yours call it.
                  [url-outside-base] at /page/widget/actions/0/url
                """
        ),
    ]
}
