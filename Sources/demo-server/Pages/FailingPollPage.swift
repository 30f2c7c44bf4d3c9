import Applin
import Backlot

/// A page that comes, is polled once, and from then on fails.
struct FailingPollPage: DemoPage {
    let path = "/failing_poll"
    let title = "Failing Poll"
    let subText = "Fails at the second poll and after"
    let misbehaviour: String? = "It fails at its second poll."
    let counter: PollCounter

    func page(_ request: Request) async throws -> any Page {
        // With an input on the page, a poll is a POST; a GET is somebody who opens the page anew.
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
        .pollSeconds(3)
    }
}
