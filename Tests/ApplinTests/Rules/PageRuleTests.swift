import Applin
import Testing

/// Rules about the page itself.
@Suite(.timeLimit(.minutes(5))) struct PageRuleTests {
    @Test(arguments: cases)
    func `The bad page has the finding, the good one none`(rule: RuleCase) throws {
        try rule.check()
    }

    private static let cases: [RuleCase] = [
        RuleCase(
            "a path without a slash",
            paths: (bad: "new_account", good: "/new_account"),
            bad: """
                {"typ":"plain_page","widget":{"typ":"text","text":"Hi"}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"text","text":"Hi"}}
                """,
            finding: """
                error: new_account
                  The page's path is "new_account", but paths of pages begin with a slash.
                  Fix: Serve it as "/new_account".
                  [page-path-without-slash] at /page
                """
        ),
        RuleCase(
            "a path of the client",
            paths: (bad: "/support", good: "/help"),
            bad: """
                {"typ":"plain_page","widget":{"typ":"text","text":"Hi"}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"text","text":"Hi"}}
                """,
            finding: """
                warning: /support
                  Clients show their own page for "/support", and never ask for this one.
                  Fix: Serve it under another path.
                  [reserved-page-path] at /page
                """
        ),
        RuleCase(
            "poll_seconds of 0",
            bad: """
                {"typ":"nav_page","title":"P","poll_seconds":0,"widget":{"typ":"text","text":"Hi"}}
                """,
            good: """
                {"typ":"nav_page","title":"P","poll_seconds":1,"widget":{"typ":"text","text":"Hi"}}
                """,
            finding: """
                warning: /p
                  Clients ignore a "poll_seconds" of 0, so the page doesn't poll.
                  Fix: Write 1 or more, or remove it.
                  [poll-seconds-zero] at /page/poll_seconds
                """
        ),
        RuleCase(
            "stream",
            bad: """
                {"typ":"nav_page","title":"P","stream":true,"widget":{"typ":"text","text":"Hi"}}
                """,
            good: """
                {"typ":"nav_page","title":"P","stream":false,"widget":{"typ":"text","text":"Hi"}}
                """,
            finding: """
                warning: /p
                  A "stream" of true makes clients stop polling, and they stream nothing either.
                  Fix: Remove it, and use "poll_seconds".
                  [stream-true] at /page/stream
                """
        ),
        RuleCase(
            "a form as start",
            bad: """
                {"typ":"nav_page","title":"P","start":{"typ":"form","widgets":[]},"widget":{"typ":"text",
                "text":"Hi"}}
                """,
            good: """
                {"typ":"nav_page","title":"P","start":{"typ":"empty"},"widget":{"typ":"text","text":"Hi"}}
                """,
            finding: """
                error: /p › form
                  A back_button or an empty may stand under "start", but this is a form, so clients reject the whole page.
                  Fix: Write a back_button or an empty here, or remove "start".
                  [bad-start-widget] at /page/start
                """
        ),
        RuleCase(
            "an end",
            bad: """
                {"typ":"nav_page","title":"P","end":{"typ":"text","text":"End"},"widget":{"typ":"text","text":"Hi"}}
                """,
            good: """
                {"typ":"nav_page","title":"P","end":{"typ":"empty"},"widget":{"typ":"text","text":"Hi"}}
                """,
            finding: """
                warning: /p › text "End"
                  Clients never show the "end" of a nav_page.
                  Fix: Move it into the page's "widget".
                  [end-never-shown] at /page/end
                """
        ),
        RuleCase(
            "a back_button in a form",
            bad: """
                {"typ":"nav_page","title":"P","widget":{"typ":"form","widgets":[{"typ":"back_button",
                "actions":[]}]}}
                """,
            good: """
                {"typ":"nav_page","title":"P","start":{"typ":"back_button","actions":[]},"widget":{"typ":"text",
                "text":"Hi"}}
                """,
            finding: """
                error: /p › form › back_button
                  A back_button may only stand in a nav_page's "start".
                  Fix: Move it there, or make it a button.
                  [misplaced-back-button] at /page/widget/widgets/0
                """
        ),
        RuleCase(
            "a back_button as the widget",
            bad: """
                {"typ":"plain_page","widget":{"typ":"back_button","actions":[]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[]}}
                """,
            finding: """
                error: /p › back_button
                  A back_button may only stand in a nav_page's "start".
                  Fix: Move it there, or make it a button.
                  [misplaced-back-button] at /page/widget
                """
        ),
    ]
}
