internal import Backlot
internal import BacklotClients

/// Turns the figures of a load into findings, each with advice.
extension LoadReport {
    static func findings(
        _ figures: LoadFigures,
        _ load: Load,
        _ abortReason: String?,
        _ duration: Duration
    ) -> [Finding] {
        var findings: [Finding] = []
        func add(_ severity: Finding.Severity, _ rule: String, at path: String? = nil, _ message: String, _ fix: String)
        {
            let place = FindingPath(page: path ?? load.url.path)
            findings.append(Finding(severity, rule: rule, path: place, message: message, fix: fix))
        }
        if let abortReason, let abort = load.options.abort {
            let message = "The limit \(abort) is exceeded: \(abortReason)."
            add(.error, "abort-on", message, "Make the server faster, or load it less.")
        }
        for (kind, failure) in figures.failures.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
            let times = failure.count == 1 ? "1 request" : "\(failure.count.grouped) requests"
            let all = (figures.latencies.count - figures.unbegun).grouped
            let message = "\(times) failed, of \(all): \(failure.example)."
            add(.error, rule(kind), at: failure.path, message, fix(kind, load))
        }
        let missed = unreached(figures, load)
        if !missed.isEmpty, duration >= load.options.duration {
            let message =
                missed.count == 1 ? "1 step of the flows was" : "\(missed.count.grouped) steps of the flows were"
            add(
                .error,
                "steps-not-reached",
                message
                    + " never reached: \(missed.prefix(5).joined(separator: ", "))\(missed.count > 5 ? ", …" : "").",
                "Mend the step before, or let phones come further: a longer load (--seconds), a shorter ramp (--ramp), "
                    + "less time between steps (--think)."
            )
        }
        if figures.isOutOfDescriptors {
            let fix = "Raise the limit of open files with 'ulimit -n', or allow fewer connections."
            add(.warning, "too-few-descriptors", "The system refused further connections to this process.", fix)
        }
        if figures.droppedCookies > 0 {
            let dropped = figures.droppedCookies.grouped
            add(
                .warning,
                "many-cookies",
                "The server set more cookies than phones keep: \(dropped) were dropped.",
                "Set at most \(LoadClient.mostCookies) cookies of \(LoadClient.mostCookieBytes) bytes together."
            )
        }
        let late = figures.withoutResponse + figures.unbegun
        if late > max(1, figures.latencies.count / 100), duration >= load.options.duration {
            add(
                .error,
                "overloaded",
                "At the end \(late.grouped) requests were late or without a response: the server, or the machine of "
                    + "the phones, can't handle this load.",
                "Load it with fewer phones or a lower rate to find its limit."
            )
        }
        return findings
    }

    /// The steps of the given flows that no phone has begun. Waits and random steps don't count.
    private static func unreached(_ figures: LoadFigures, _ load: Load) -> [String] {
        load.flows.enumerated().flatMap { index, flow in
            let reached = index < figures.reached.count ? figures.reached[index] : 0
            let missed = flow.sample.dropFirst(reached).filter { !$0.isWait && $0.kind != .wander }
            return missed.map { ((load.flows.count > 1 ? "\(flow.name): " : "") + $0.description).excerpt(upTo: 100) }
        }
    }

    private static func rule(_ kind: String) -> String {
        if kind.hasPrefix("status-5") { return "server-error" }
        if kind.hasPrefix("status-") { return "unexpected-status" }
        return kind.hasPrefix("no-connection") ? "no-connection" : kind
    }

    private static func fix(_ kind: String, _ load: Load) -> String {
        switch kind {
        case "no-connection-\(SystemErrors.tooManyOpenFiles)":
            "This process may open too few files: raise the limit with 'ulimit -n', or allow fewer connections."
        case "no-connection-\(SystemErrors.addressNotAvailable)":
            "This machine has no more ports for connections to the server: let the server keep connections open."
        case "status-429": "The server limits its clients: exempt this address, or load it less."
        case _ where kind.hasPrefix("status-5"): "See the server's log."
        case _ where kind.hasPrefix("status-"): "Let the flow request existing paths."
        case _ where kind.hasPrefix("no-connection"):
            "Let the server accept more connections: a longer backlog, more descriptors."
        case "timed-out":
            "Make the server respond sooner, or allow more than \(load.options.limits.total) for a response."
        case "cut-short": "Let the server complete its responses before it closes connections."
        case "step-impossible": "Change the flow, or find out why the page isn't the one that the flow expects."
        case "no-page": "Send pages with the type application/vnd.applin_response."
        case "too-large": "Send less: phones have little memory."
        case "bad-redirect", "bad-link": "Lead to paths of the same server."
        default: "See the server's log."
        }
    }
}
