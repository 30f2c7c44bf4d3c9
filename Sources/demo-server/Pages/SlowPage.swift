import Applin
import Backlot

/// Pages and rpcs that take their time.
struct SlowPage: DemoPage {
    let path = "/slow"
    let title = "Slow Answers"
    let subText = "Pages and rpcs, 1 to 60 seconds late"
    let misbehavingTargets = [
        "/slow/{ms}": "The page comes as many milliseconds late as its path says.",
        "/slow/{ms}/rpc": "The answer comes as many milliseconds late as its path says.",
        "/slow/{ms}/fail": "It fails as many milliseconds late as its path says.",
    ]

    /// The longest that anybody is kept waiting, in milliseconds.
    private static let maximum = 60_000

    func page(_ request: Request) async throws -> any Page {
        let isShown = try await Misbehaviour.isShown(request)
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
