import Applin
import Backlot

/// Pages and rpcs that take their time.
struct SlowPage: SessionPage {
    let path = "/slow"
    let title = "Slow Answers"
    let subText = "Pages and rpcs, 1 to 60 seconds late"
    let misbehavingTargets = [
        "/slow/{ms}": "The page comes as many milliseconds late as its path says.",
        "/slow/{ms}/rpc": "The answer comes as many milliseconds late as its path says.",
        "/slow/{ms}/fail": "It fails as many milliseconds late as its path says.",
    ]

    /// The longest delay that a client can ask for, in milliseconds.
    private static let maximum = 60_000
    /// The most requests that wait at a time; further ones are 503.
    private static let mostWaiting = 1024

    func page(_ request: Request, _ session: Session) throws -> any Page {
        let isShown = Misbehaviour.isShown(session)
        return navPage(title) {
            scroll {
                column {
                    Misbehaviour.toggle(isShown)
                    for seconds in [1, 5, 20, 60] {
                        formSection("\(seconds) s") {
                            if isShown {
                                navButton("Page") { push("/slow/\(seconds)000") }
                            }
                            navButton("rpc") { rpc("/slow/\(seconds)000/rpc") }
                            navButton("rpc that fails then") { rpc("/slow/\(seconds)000/fail") }
                        }
                    }
                }
            }
        }
    }

    func addTargets(to app: ApplinApp) {
        // A handler that waits costs some kilobytes for up to a minute.
        app.group(ConcurrencyLimit(Self.mostWaiting)) { app in
            app.page("/slow/{ms}", samples: ["/slow/1"]) { request in
                let milliseconds = try await Self.wait(request)
                return navPage("Slow") {
                    scroll {
                        form {
                            text("This page came \(milliseconds) ms late.")
                        }
                    }
                }
            }
            app.rpc("/slow/{ms}/rpc") { try await Self.wait($0) }
            app.rpc("/slow/{ms}/fail") { request in
                let milliseconds = try await Self.wait(request)
                throw UserError("This rpc waited \(milliseconds) ms, and then refused.")
            }
        }
    }

    /// Waits for as long as the path says.
    @discardableResult
    private static func wait(_ request: Request) async throws -> Int {
        guard let milliseconds = request.parameters["ms"].flatMap(Int.init), (0...maximum).contains(milliseconds) else {
            throw StatusError(.badRequest, "the delay is in milliseconds, from 0 to \(maximum)")
        }
        try await Task.sleep(for: .milliseconds(milliseconds))
        return milliseconds
    }
}

/// A page that comes, is polled once, and from then on fails.
struct FailingPollPage: WaitingPage {
    let path = "/failing_poll"
    let title = "Failing Poll"
    let subText = "Fails at the second poll and after"
    let misbehaviour: String? = "It fails at its second poll."
    let counter: PollCounter

    func page(_ request: Request) async throws -> any Page {
        // The page has an input, so a poll is a POST. A GET means that a user opens the page again.
        let count = await counter.next(for: request.remoteAddress.host, isPoll: request.method == .post)
        guard count < 2 else {
            throw StatusError(.internalServerError, "Poll \(count) of this page fails. Open it again to begin anew.")
        }
        return navPage(title) {
            scroll {
                form {
                    text("This page polls every 3 seconds. From the second poll on it fails.")
                    text("Polls until now: \(count)")
                    checkbox("failing_poll_box").text("Makes a poll a POST")
                }
            }
        }
        .poll(every: .seconds(3))
    }
}

/// Counts how often clients have polled a page since they opened it.
actor PollCounter {
    /// The most clients that are counted. When there are more, all counts start again.
    private static let maximumCount = 1000

    private var counts: [String: Int] = [:]

    /// The number of a client's poll, from 1; 0 where it opens the page.
    func next(for client: String, isPoll: Bool) -> Int {
        if counts.count >= Self.maximumCount, counts[client] == nil { counts = [:] }
        let count = isPoll ? (counts[client] ?? 0) + 1 : 0
        counts[client] = count
        return count
    }
}
