import Backlot
import BacklotMocks
import HTTPTypes

/// Which exchanges become routes.
struct RecordingFilter: Sendable {
    /// What a request must be like; nil for any.
    var pattern: RequestPattern?
    /// Whether the same request may become several answers, in states.
    var keepsRepeats = true

    /// The exchanges that become routes.
    func kept(_ exchanges: [RecordedExchange]) -> [RecordedExchange] {
        var budget = MatchBudget.command
        var seen: Set<[UInt8]> = []
        return exchanges.filter { exchange in
            if let pattern {
                guard
                    let request = try? MockRequest(
                        exchange.method,
                        exchange.url,
                        headers: exchange.requestHeaders,
                        body: exchange.requestBody
                    ), pattern.matches(request, &budget)
                else { return false }
            }
            guard !keepsRepeats else { return true }
            return seen.insert(Array("\(exchange.method.rawValue) \(exchange.url)\n".utf8) + exchange.requestBody)
                .inserted
        }
    }
}
