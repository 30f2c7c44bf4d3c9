public import Backlot
internal import BacklotChecks
internal import BacklotClients

extension LoadReport: CustomStringConvertible {
    private static let mostSteps = 30

    /// The figures as tables, followed by the findings.
    public var description: String {
        if let unreachable { return "\(url) can't be reached: \(unreachable)." }
        var lines = [
            "\(url): \(phones.grouped) phones, \(flows.joined(separator: ", ").excerpt(upTo: 400)), "
                + "\(duration.inSeconds.rounded(to: 1)) s"
        ]
        switch end {
        case .time: break
        case .abort: lines.append("Ended early: \(options.abort?.description ?? "").")
        case .interrupted: lines.append("Interrupted: these are the figures until then.")
        }
        if let unlaunched { lines.append(unlaunched) }
        lines.append("")
        lines.append(
            "requests  \(requests.grouped), \(requestsPerSecond.rounded(to: requestsPerSecond < 100 ? 1 : 0)) a second; "
                + "errors \(errors.grouped)"
                + (statuses.isEmpty ? "" : "; statuses \(statusList)")
        )
        lines.append(
            "bytes     \(bytesReceived.bytes) received, \(bytesSent.bytes) sent"
        )
        if serverSeconds != nil || serverMemory != nil {
            lines.append("server    \(serverLine)")
        } else if let metrics = options.metrics {
            lines.append("server    \(metrics) sent no processor time or memory in Prometheus's format (--metrics)")
        }
        lines.append(
            "phones    \(clientMicroseconds.rounded(to: 1)) µs of processor time a request; "
                + "requests sent late by at most \(milliseconds: figures.lateness.value(99)) ms (p99)"
        )
        if withoutResponse + unbegun > 0 {
            lines.append(
                "at the end \(withoutResponse.grouped) requests had no response, and \(unbegun.grouped) had not begun"
            )
        }
        lines.append("")
        lines += Self.table(rows)
        if !findings.isEmpty {
            lines.append("")
            lines += findings.map(\.details)
        }
        return lines.joined(separator: "\n")
    }

    var statusList: String {
        statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.grouped)" }.joined(separator: ", ")
    }

    var serverLine: String {
        var parts: [String] = []
        if let serverSeconds {
            let each = requests > 0 ? serverSeconds * 1e6 / Double(requests) : 0
            parts.append("\(serverSeconds.rounded(to: 1)) s of processor time, \(each.rounded(to: 1)) µs a request")
        }
        if let serverMemory { parts.append("at most \(serverMemory.bytes) of memory") }
        return parts.joined(separator: "; ")
    }

    private var rows: [[String]] {
        let head = ["latency in ms", "count", "errors", "p50", "p90", "p99", "p99.9", "p99.99", "max"]
        func row(_ name: String, _ errors: Int, _ latency: Latency) -> [String] {
            [name, latency.count.grouped, errors.grouped]
                + [50, 90, 99, 99.9, 99.99].map { latency.percentile($0).milliseconds } + [latency.max.milliseconds]
        }
        let shown = steps.prefix(Self.mostSteps).map { row($0.name.excerpt(upTo: 40), $0.errors, $0.latency) }
        let rest = steps.count > Self.mostSteps ? [["… \(steps.count - Self.mostSteps) more"]] : []
        return [head, row("all requests", errors, latency)] + shown + rest
    }

    /// Formats rows in columns: the first is aligned left, the others right.
    static func table(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let blanks = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + (row.count > 1 ? blanks : "") : blanks + cell
            }
            .joined(separator: "  ")
        }
    }
}

extension Double {
    /// Milliseconds with three significant digits.
    var milliseconds: String { rounded(to: self < 10 ? 2 : self < 100 ? 1 : 0) }
}

extension Int {
    /// A number of bytes in a readable unit.
    var bytes: String {
        let value = Double(self)
        switch self {
        case ..<10_000: return "\(grouped) B"
        case ..<10_000_000: return "\((value / 1e3).rounded(to: 0)) kB"
        case ..<10_000_000_000: return "\((value / 1e6).rounded(to: 0)) MB"
        default: return "\((value / 1e9).rounded(to: 1)) GB"
        }
    }
}

extension LoadReport {
    /// The report for programs. Keys keep their names and meanings from version to version; new keys may be added.
    ///
    /// | key | value |
    /// |---|---|
    /// | `url` | the URL of the load |
    /// | `unreachable` | the reason why there was no connection, or null |
    /// | `phones`, `flows` | the number of launched phones, and the names of their flows |
    /// | `phones_not_launched` | the number of phones that weren't launched, mostly because the ramp is longer than the load |
    /// | `seconds` | the length of the load |
    /// | `stopped_by` | null if the time was over, otherwise `abort-on` or `interrupted` |
    /// | `requests`, `errors`, `requests_per_second` | the numbers of requests and of failures, and the rate |
    /// | `latency` | `count`, `mean`, `p50` … `p99`, `p99.9`, `p99.99`, `max`, in milliseconds |
    /// | `steps` | objects with `name`, `errors`, and `latency` |
    /// | `statuses` | the number of responses for each status |
    /// | `bytes_received`, `bytes_sent` | numbers |
    /// | `unanswered`, `unbegun` | the requests without a response at the end, and those that had not begun |
    /// | `client` | `cpu_seconds`, `microseconds_per_request`, `late_p99` (milliseconds) |
    /// | `server` | `cpu_seconds` and `memory_bytes`, each null if the server doesn't publish it |
    /// | `intervals` | for each second: `at`, `phones`, `requests`, `errors`, `p50`, `p99`, `max`, `cpu`, `memory_bytes` |
    /// | `findings` | the findings, in the format of the other tools |
    public var json: JSONValue {
        [
            "url": .string("\(url)"),
            "unreachable": .text(unreachable),
            "phones": .count(phones),
            "phones_not_launched": .count(options.phones - phones),
            "flows": .texts(flows),
            "seconds": .decimal(duration.inSeconds),
            "stopped_by": end == .time ? .null : .string(end.rawValue),
            "requests": .count(requests),
            "errors": .count(errors),
            "requests_per_second": .decimal(requestsPerSecond),
            "latency": latency.json,
            "steps": .array(
                steps.map { ["name": .string($0.name), "errors": .count($0.errors), "latency": $0.latency.json] }
            ),
            "statuses": .object(
                statuses.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { $0["\($1.key)"] = .count($1.value) }
            ),
            "bytes_received": .count(bytesReceived),
            "bytes_sent": .count(bytesSent),
            "unanswered": .count(withoutResponse),
            "unbegun": .count(unbegun),
            "client": [
                "cpu_seconds": .decimal(clientCPU.inSeconds),
                "microseconds_per_request": .decimal(clientMicroseconds),
                "late_p99": .decimal(lateness.percentile(99)),
            ],
            "server": [
                "cpu_seconds": serverSeconds.map { .decimal($0) } ?? .null,
                "memory_bytes": serverMemory.map { .count($0) } ?? .null,
            ],
            "intervals": .array(seconds.map(\.json)),
            "findings": .array(findings.map { .object($0.json) }),
        ]
    }
}

extension LoadReport.Latency {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["count": .count(count), "mean": .decimal(mean)]
        for percent in LoadReport.percentiles { object["p\(percent.short)"] = .decimal(percentile(percent)) }
        object["max"] = .decimal(max)
        return .object(object)
    }
}

extension LoadProgress {
    fileprivate var json: JSONValue {
        [
            "at": .decimal(elapsed.inSeconds), "phones": .count(phones), "requests": .count(requests),
            "errors": .count(errors),
            "p50": .decimal(p50), "p99": .decimal(p99), "max": .decimal(max),
            "cpu": serverProcessors.map { .decimal($0) } ?? .null,
            "memory_bytes": serverMemory.map { .count($0) } ?? .null,
        ]
    }
}

extension JSONValue {
    fileprivate static func decimal(_ number: Double) -> JSONValue {
        JSONNumber((number * 1000).rounded() / 1000).map { .number($0) } ?? .null
    }
}
