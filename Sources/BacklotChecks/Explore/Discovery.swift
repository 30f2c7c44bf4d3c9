internal import Backlot
internal import BacklotClients

/// A finding that a step revealed, with the data for its test.
struct Discovery: Sendable {
    /// Makes a test's expectation from the name of a client's variable.
    typealias Expectation = @Sendable (_ app: String) -> String

    let finding: Finding
    /// A key that distinguishes the discovery from others, and is the same in the next run.
    let key: String
    /// The test's expectation; nil if the step itself throws.
    let expectation: Expectation?
    /// Whether the expectation suits the clients of all protocols; otherwise it only suits `ApplinClient`.
    private(set) var suitsAllClients = false
    /// The text that another session typed; nil for other findings.
    var foreignMarker: String?
    /// Whether the discovery only counts if it occurs again.
    var mustRepeat = false

    private init(_ finding: Finding, about detail: String = "", _ expectation: Expectation?) {
        self.finding = finding
        self.expectation = expectation
        key = "\(finding.rule) \(ExploreClass.path(finding.path.page)) \(detail)"
    }

    private static func make(
        _ severity: Finding.Severity,
        _ rule: String,
        _ page: String,
        _ message: String,
        fix: String,
        about detail: String = "",
        mustRepeat: Bool = false,
        suitsAllClients: Bool = false,
        _ expectation: Expectation?
    ) -> Discovery {
        let path = FindingPath(page: page.escapingControls.cut(to: 300))
        let finding = Finding(severity, rule: rule, path: path, message: message.excerpt(upTo: 1000), fix: fix)
        var discovery = Discovery(finding, about: detail, expectation)
        discovery.mustRepeat = mustRepeat
        discovery.suitsAllClients = suitsAllClients
        return discovery
    }

    static func failure(_ finding: Finding) -> Discovery {
        let expectation: Expectation = { app in "\(app).findings.isEmpty" }
        var discovery = Discovery(finding, finding.severity == .error ? nil : expectation)
        // Another session may have removed an item with an id.
        let page = finding.path.page
        discovery.mustRepeat = finding.rule == "app-error" && ExploreClass.path(page) != page.prefix { $0 != "?" }
        return discovery
    }

    /// The backend stopped responding.
    static func silence(after requests: Int) -> Discovery {
        make(
            .error,
            "no-answer",
            "/",
            "The backend stopped responding: \(requests) requests in a row got no response.",
            fix: "See whether it has crashed or hangs; its log may say why. The steps are those of the last session.",
            nil
        )
    }

    static func brokenAction(_ text: String, _ page: String) -> Discovery {
        make(
            .error,
            "broken-action",
            page,
            "The client shows an error of the app: \(text)",
            fix: "Give the page only actions that work from every page that leads to it.",
            about: ExploreClass.label(text)
        ) { app in "\(app).errorKind != .app" }
    }

    static func deadEnd(_ page: String, _ device: Int) -> Discovery {
        make(
            .error,
            "dead-end",
            page,
            "The user can't leave the page, and the page can't change: only ending the app helps.",
            fix: "Give the page a button to another page, or open it with push, so that it has a back button."
        ) { app in "!\(app).buttons.isEmpty" }
    }

    static func lost(_ field: String, _ text: String, now: String?, _ page: String, afterError: Bool) -> Discovery {
        let event = afterError ? "after an error" : "after coming back"
        let change = now.map { "holds \($0.cut(to: 60).inQuotes)" } ?? "is gone"
        return make(
            .error,
            "lost-input",
            page,
            "The user's text is lost \(event): instead of \(text.cut(to: 60).inQuotes), the field "
                + "\(field.cut(to: 60).inQuotes) \(change).",
            fix: "Keep the field and its variable while the input isn't saved, and reset variables only after the rpc.",
            about: field
        ) { app in
            let literal = text.shortLiteral
            let value = literal == text.swiftLiteral ? literal : ".string(\(literal))"
            return "\(app).sentValue(of: \(field.swiftLiteral)) == \(value)"
        }
    }

    static func foreignData(_ marker: String, _ page: String, _ device: Int) -> Discovery {
        // If it occurs only once, both sessions may have used the same account.
        var discovery = make(
            .error,
            "other-session-data",
            page,
            "The response contains \(marker.inQuotes), which another session typed and this one didn't.",
            fix: "Use only data of the request's session. If all users may see it, expect this finding.",
            mustRepeat: true,
            suitsAllClients: true
        ) { app in "!\(app).screen.lowercased().contains(\(marker.swiftLiteral))" }
        discovery.foreignMarker = marker
        return discovery
    }

    static func text(_ excerpt: String, _ what: String, _ page: String, in text: String) -> Discovery {
        make(
            .error,
            "developer-text",
            page,
            "The user reads \(what): \(excerpt.excerpt(upTo: 100).inQuotes), in \(text.excerpt(upTo: 200).inQuotes).",
            fix: "Show texts that are written for users, and write the rest to the log.",
            about: what,
            suitsAllClients: true
        ) { app in "!\(app).screen.contains(\(excerpt.swiftLiteral))" }
    }

    static func growth(_ page: String, from first: Int, to last: Int, times: Int) -> Discovery {
        make(
            .warning,
            "answer-grows",
            page,
            "The response grows with each request, though nothing was changed: from \(first) to \(last) bytes in "
                + "\(times) requests.",
            fix: "Send the same response to the same request, and bound the lists that a session collects.",
            mustRepeat: true
        ) { app in
            "\(app).lastRequest?.response?.body.count == \(app).requests.dropLast().last?.response?.body.count"
        }
    }

    static func cookies(_ count: Int, _ page: String) -> Discovery {
        make(
            .warning,
            "cookies-grow",
            page,
            "The client has \(count) cookies, and each response adds another: servers soon reject requests with so many.",
            fix: "Set one cookie under one name, and keep data on the server."
        ) { app in "\(app).cookies.count < \(count)" }
    }

    static func stack(_ count: Int, _ page: String) -> Discovery {
        make(
            .warning,
            "stack-grows",
            page,
            "\(count) pages of the same kind lie on top of each other: the way back takes as many taps.",
            fix: "Replace the page instead of pushing the next, or show more on the same page.",
            suitsAllClients: true
        ) { app in "\(app).stack.count < \(count)" }
    }

    static func slow(_ time: Duration, bound: Duration, _ page: String) -> Discovery {
        make(
            .warning,
            "slow-step",
            page,
            "The response took \(time.milliseconds) ms, longer than \(bound.milliseconds) ms.",
            fix: "Respond sooner: do slow work before the request, or show its state and let the page poll.",
            mustRepeat: true
        ) { app in
            "\(app).requests.allSatisfy { $0.response?.total ?? .zero < .milliseconds(\(bound.milliseconds)) }"
        }
    }
}
