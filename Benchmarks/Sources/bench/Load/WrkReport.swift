import Foundation

/// What wrk prints at the end of a run.
struct WrkReport: Equatable {
    /// Answers that came back whole.
    var requests: Int
    /// Answers a second.
    var requestsPerSecond: Double
    /// Answers whose status is neither 2xx nor 3xx.
    var failedResponses: Int
    /// Connections that failed while connecting, reading or writing, and answers that took too long.
    var socketErrors: Int

    /// Parses wrk's output; nil if the totals are missing from it.
    init?(parsing text: String) {
        var requests: Int?
        var requestsPerSecond: Double?
        failedResponses = 0
        socketErrors = 0
        for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            let words = line.split(separator: " ")
            if words.count > 3, words[1] == "requests", words[2] == "in" {
                requests = Int(words[0])
            } else if line.hasPrefix("Requests/sec:") {
                requestsPerSecond = words.last.flatMap { Double($0) }
            } else if line.hasPrefix("Non-2xx or 3xx responses:") {
                guard let count = words.last.flatMap({ Int($0) }) else { return nil }
                failedResponses = count
            } else if line.hasPrefix("Socket errors:") {
                // "Socket errors: connect 0, read 1, write 2, timeout 3"
                let counts = words.compactMap { Int($0.trimmingCharacters(in: .punctuationCharacters)) }
                guard counts.count == 4 else { return nil }
                socketErrors = counts.reduce(0, +)
            }
        }
        guard let requests, let requestsPerSecond else { return nil }
        self.requests = requests
        self.requestsPerSecond = requestsPerSecond
    }
}
