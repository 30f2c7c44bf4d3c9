import Applin
import Testing

/// Rules about the page itself.
@Suite(.timeLimit(.minutes(5))) struct PageRuleTests {
    @Test(arguments: cases)
    func `The bad page has the finding, the good one none`(rule: RuleCase) throws {
        try rule.check()
    }

    private static let cases: [RuleCase] =
        RuleCase.cases(
            paths: (bad: "new_account", good: "/new_account"),
            """
            a path without a slash
            - {"typ":"plain_page","widget":{"typ":"text","text":"Hi"}}
            + {"typ":"plain_page","widget":{"typ":"text","text":"Hi"}}
            error: new_account
              The page's path is "new_account", but paths of pages begin with a slash.
              Fix: Serve it as "/new_account".
              [page-path-without-slash] at /page
            """
        )
        + RuleCase.cases(
            paths: (bad: "/support", good: "/help"),
            """
            a path of the client
            - {"typ":"plain_page","widget":{"typ":"text","text":"Hi"}}
            + {"typ":"plain_page","widget":{"typ":"text","text":"Hi"}}
            warning: /support
              Clients show their own page for "/support", and never request this one.
              Fix: Serve it under another path.
              [reserved-page-path] at /page
            """
        )
        + RuleCase.cases(
            """
            poll_seconds of 0
            - {"typ":"nav_page","title":"P","poll_seconds":0,"widget":{"typ":"text","text":"Hi"}}
            + {"typ":"nav_page","title":"P","poll_seconds":1,"widget":{"typ":"text","text":"Hi"}}
            warning: /p
              Clients ignore a "poll_seconds" of 0, so the page doesn't poll.
              Fix: Write 1 or more, or remove it.
              [poll-seconds-zero] at /page/poll_seconds

            stream
            - {"typ":"nav_page","title":"P","stream":true,"widget":{"typ":"text","text":"Hi"}}
            + {"typ":"nav_page","title":"P","stream":false,"widget":{"typ":"text","text":"Hi"}}
            warning: /p
              A "stream" of true makes clients stop polling, and they stream nothing either.
              Fix: Remove it, and use "poll_seconds".
              [stream-true] at /page/stream

            a form as start
            - {"typ":"nav_page","title":"P","start":{"typ":"form","widgets":[]},"widget":{"typ":"text",
              "text":"Hi"}}
            + {"typ":"nav_page","title":"P","start":{"typ":"empty"},"widget":{"typ":"text","text":"Hi"}}
            error: /p › form
              A back_button or an empty may stand under "start", but this is a form, so clients reject the whole page.
              Fix: Write a back_button or an empty here, or remove "start".
              [bad-start-widget] at /page/start

            an end
            - {"typ":"nav_page","title":"P","end":{"typ":"text","text":"End"},"widget":{"typ":"text","text":"Hi"}}
            + {"typ":"nav_page","title":"P","end":{"typ":"empty"},"widget":{"typ":"text","text":"Hi"}}
            warning: /p › text "End"
              Clients never show the "end" of a nav_page.
              Fix: Move it into the page's "widget".
              [end-never-shown] at /page/end

            a back_button in a form
            - {"typ":"nav_page","title":"P","widget":{"typ":"form","widgets":[{"typ":"back_button",
              "actions":[]}]}}
            + {"typ":"nav_page","title":"P","start":{"typ":"back_button","actions":[]},"widget":{"typ":"text",
              "text":"Hi"}}
            error: /p › form › back_button
              A back_button is only allowed in a nav_page's "start".
              Fix: Move it there, or make it a button.
              [misplaced-back-button] at /page/widget/widgets/0

            a back_button as the widget
            - {"typ":"plain_page","widget":{"typ":"back_button","actions":[]}}
            + []
            error: /p › back_button
              A back_button is only allowed in a nav_page's "start".
              Fix: Move it there, or make it a button.
              [misplaced-back-button] at /page/widget
            """
        )
}
