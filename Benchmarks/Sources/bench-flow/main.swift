import BacklotJSON
import BacklotTesting

// Runs a flow of 20 steps through a headless client, in process, and prints what one flow takes:
// {"name":"flow of 20 steps","ns":1234567}. The fastest of many rounds counts, so that other work on the machine does
// not decide the figure.

/// Nanoseconds for one flow, on average over the fastest round.
func measure(rounds: Int, flowsInRound: Int) async throws -> Double {
    let router = notesRouter()
    var best = Double.infinity
    for _ in 0..<rounds {
        let start = ContinuousClock.now
        for _ in 0..<flowsInRound {
            // As a test does it: with the routes known, so that links are judged too.
            let app = try ApplinClient(router)
            let steps = try await runFlow(app)
            guard steps == 20, app.findings.isEmpty else { fatalError("\(steps) steps, \(app.findings)") }
        }
        best = min(best, (ContinuousClock.now - start) / .nanoseconds(flowsInRound))
    }
    return best
}

let nanoseconds = try await measure(rounds: 20, flowsInRound: 10)
var line = JSONWriter()
line.object {
    $0.field("name", "flow of 20 steps")
    $0.field("ns", nanoseconds.rounded())
}
print(String(decoding: line.bytes, as: UTF8.self))
