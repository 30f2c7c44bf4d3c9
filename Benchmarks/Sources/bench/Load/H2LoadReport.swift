import Foundation

/// What h2load prints at the end of a run.
struct H2LoadReport: Equatable {
    /// Answers that came back whole.
    var succeeded: Int
    /// Requests without one.
    var failed: Int
    /// Answers whose status is not 2xx.
    var otherThan2xx: Int
    /// Answers a second.
    var requestsPerSecond: Double

    /// Parses h2load's output; nil if the totals are missing from it.
    ///
    ///     finished in 3.00s, 106251.67 req/s, 49.24MB/s
    ///     requests: 318755 total, 319267 started, 318755 done, 318755 succeeded, 0 failed, 0 errored, 0 timeout
    ///     status codes: 318755 2xx, 0 3xx, 0 4xx, 0 5xx
    init?(parsing text: String) {
        var counts: [String: Int] = [:]
        var requestsPerSecond: Double?
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ",").map { $0.split(separator: " ") }
            if line.hasPrefix("finished in"), parts.count > 1 {
                requestsPerSecond = parts[1].first.flatMap { Double($0) }
            } else if line.hasPrefix("requests:") || line.hasPrefix("status codes:") {
                for words in parts where words.count > 1 {
                    counts[String(words[words.count - 1])] = Int(words[words.count - 2])
                }
            }
        }
        guard let requestsPerSecond, let succeeded = counts["succeeded"], let failed = counts["failed"],
            let errored = counts["errored"], let late = counts["timeout"]
        else { return nil }
        self.succeeded = succeeded
        // h2load counts what is errored among the failed.
        self.failed = max(failed, errored) + late
        otherThan2xx = ["3xx", "4xx", "5xx"].reduce(0) { $0 + (counts[$1] ?? 0) }
        self.requestsPerSecond = requestsPerSecond
    }

    /// How long each answer took, in seconds: the third of a log line's columns, in microseconds.
    static func durations(in log: String) -> [Double] {
        log.split(separator: "\n").compactMap { line in
            let columns = line.split(separator: "\t")
            return columns.count == 3 ? Double(columns[2]).map { $0 / 1_000_000 } : nil
        }
    }
}
