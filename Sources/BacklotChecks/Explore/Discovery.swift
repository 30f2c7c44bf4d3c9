internal import Backlot
internal import BacklotClients
internal import BacklotHTTP

/// Something that has come to light in a step.
struct Discovery: Sendable {
    /// How a test sees it.
    enum Evidence: Sendable {
        /// The step throws.
        case failure
        case brokenAction
        case text(String)
        case deadEnd
        case lost(field: String, text: String)
        case growth
        case cookies(Int)
        case stack(Int)
        case slow(Duration)
        case foreign(String)
    }

    let finding: Finding
    /// What tells it from other findings, and is the same in the next run.
    let key: String
    let evidence: Evidence
    /// Whether it only counts when it comes again.
    var mustRepeat = false

    init(_ finding: Finding, about detail: String = "", _ evidence: Evidence) {
        self.finding = finding
        self.evidence = evidence
        key = "\(finding.rule) \(ExploreClass.path(finding.path.page)) \(detail)"
    }

    private static func make(
        _ severity: Finding.Severity,
        _ rule: String,
        _ page: String,
        _ message: String,
        fix: String,
        about detail: String = "",
        _ evidence: Evidence
    ) -> Discovery {
        let finding = Finding(
            severity,
            rule: rule,
            path: FindingPath(page: page.escapingControls.cut(to: 300)),
            message: message.excerpt(upTo: 1000),
            fix: fix
        )
        return Discovery(finding, about: detail, evidence)
    }

    static func failure(_ finding: Finding) -> Discovery {
        var discovery = Discovery(finding, .failure)
        // What has an id may have been removed by somebody else meanwhile.
        let page = finding.path.page
        discovery.mustRepeat = finding.rule == "app-error" && ExploreClass.path(page) != page.prefix { $0 != "?" }
        return discovery
    }

    /// The backend has gone.
    static func silence(after requests: Int) -> Discovery {
        make(
            .error,
            "no-answer",
            "/",
            "The backend answers no more: \(requests) requests in a row got no answer.",
            fix: "See whether it has crashed or hangs; its log may say why. The steps are those of the last session.",
            .failure
        )
    }

    static func brokenAction(_ text: String, _ page: String) -> Discovery {
        make(
            .error,
            "broken-action",
            page,
            "The client shows an error of the app: \(text)",
            fix: "Let the page name actions that can be done wherever it is reached from.",
            about: ExploreClass.label(text),
            .brokenAction
        )
    }

    static func deadEnd(_ page: String, _ device: Int) -> Discovery {
        make(
            .error,
            "dead-end",
            page,
            "Nothing on the page leads away from it, and nothing changes it: the user can only end the app.",
            fix: "Give the page a button that leads on, or open it with push, so that it has a back button.",
            .deadEnd
        )
    }

    static func lost(_ field: String, _ text: String, now: String?, _ page: String, afterError: Bool) -> Discovery {
        let event = afterError ? "after an error" : "after coming back"
        let change =
            now.map { "the field \(field.cut(to: 60).inQuotes) holds \($0.cut(to: 60).inQuotes)" }
            ?? "the field \(field.cut(to: 60).inQuotes) is gone"
        return make(
            .error,
            "lost-input",
            page,
            "What the user typed is lost \(event): instead of \(text.cut(to: 60).inQuotes), \(change).",
            fix: "Keep the field and its variable while the input isn't saved, and reset variables only after the rpc.",
            about: field,
            .lost(field: field, text: text)
        )
    }

    static func foreignData(_ marker: String, _ page: String, _ device: Int) -> Discovery {
        var discovery = make(
            .error,
            "other-session-data",
            page,
            "The answer has \(marker.inQuotes), which another session has typed and this one hasn't.",
            fix: "Read what belongs to the session of the request. Where all users may see it, expect this finding.",
            .foreign(marker)
        )
        // Once it may be that both have used the same account.
        discovery.mustRepeat = true
        return discovery
    }

    static func text(_ excerpt: String, _ what: String, _ page: String, in text: String) -> Discovery {
        make(
            .error,
            "developer-text",
            page,
            "The user reads \(what): \(excerpt.excerpt(upTo: 100).inQuotes), in \(text.excerpt(upTo: 200).inQuotes).",
            fix: "Show words that are meant for users, and write the rest to the log.",
            about: what,
            .text(excerpt)
        )
    }

    static func growth(_ page: String, from first: Int, to last: Int, times: Int) -> Discovery {
        var discovery = make(
            .warning,
            "answer-grows",
            page,
            "The answer grows each time that it is asked for, though nothing was changed: from \(first) to \(last) bytes in "
                + "\(times) times.",
            fix: "Answer the same to the same question, and keep the lists that a session collects bounded.",
            .growth
        )
        discovery.mustRepeat = true
        return discovery
    }

    static func cookies(_ count: Int, _ page: String) -> Discovery {
        make(
            .warning,
            "cookies-grow",
            page,
            "The client has \(count) cookies, and each answer adds another: servers soon refuse requests with so many.",
            fix: "Set one cookie under one name, and keep data on the server.",
            .cookies(count)
        )
    }

    static func stack(_ count: Int, _ page: String) -> Discovery {
        make(
            .warning,
            "stack-grows",
            page,
            "\(count) pages of the same kind lie on top of each other: the way back takes as many taps.",
            fix: "Replace the page instead of pushing the next, or show more on the same page.",
            .stack(count)
        )
    }

    static func slow(_ time: Duration, bound: Duration, _ page: String) -> Discovery {
        var discovery = make(
            .warning,
            "slow-step",
            page,
            "The answer took \(time.milliseconds) ms, longer than \(bound.milliseconds) ms.",
            fix: "Answer sooner: do slow work before it is asked for, or show its state and let the page poll.",
            .slow(bound)
        )
        discovery.mustRepeat = true
        return discovery
    }
}
