public import BacklotClients
internal import BacklotHTTP

/// How a server is loaded.
public struct LoadOptions: Sendable {
    /// How many phones there are: 1 to 1,000,000.
    public var phones = 100
    /// How long it takes, without the wait for the last answers.
    public var duration = Duration.seconds(30)
    /// How many steps all phones begin in a second, together; nil for the think time to decide.
    public var rate: Double?
    /// The time between two steps of a phone, from beginning to beginning, on average; it lies between half of it and one and a half.
    /// With a rate it varies by a tenth alone.
    public var think = Duration.seconds(10)
    /// In which time all phones are launched; nil for the average time between two steps, so that the rate is the same from the
    /// beginning.
    public var ramp: Duration?
    /// In how many waves they are launched in that time; nil for one after the other.
    public var waves: Int?
    /// What ends it early; nil for nothing.
    public var abort: AbortCondition?
    /// Whether phones refresh pages with `poll_seconds`.
    public var polls = true
    /// Decides what phones do by chance: with the same number each phone makes the same choices, if the server's answers are the
    /// same and come at the same times.
    public var seed: UInt64 = 1
    /// How many connections there are at most; nil for 1000, or for as many as the system allows where those are fewer.
    public var connections: Int?
    /// How many threads send requests; nil for one, or more at more than 20,000 steps in a second.
    public var threads: Int?
    /// The limits of each answer.
    public var limits = ClientLimits()
    /// Where the server's metrics can be read; nil for `/metrics` on the server that is loaded.
    public var metrics: HTTPURL?

    /// The default options; a request may take 10 seconds, and an answer 4 MiB.
    public init() {
        limits.total = .seconds(10)
        limits.idle = .seconds(10)
        limits.body = 4 * 1024 * 1024
    }

    /// How many connections the system allows beside the other files of this process.
    static var allowedConnections: Int { max(1, DescriptorLimit.raise() - 100) }

    var mostConnections: Int { connections ?? min(1000, Self.allowedConnections) }

    /// The average time between two steps of a phone.
    var interval: Duration {
        guard let rate else { return think }
        return .nanoseconds(Int64(min(Double(phones) / rate, 1e9) * 1e9))
    }

    /// How many steps all phones begin in a second, about.
    var stepsPerSecond: Double { rate ?? Double(phones) / max(think.inSeconds, 1e-6) }
}

/// What ends a load early, and is an error of the server: `p99>200ms` or `errors>1%`.
public struct AbortCondition: Sendable, Equatable, CustomStringConvertible {
    enum Figure: Equatable {
        case percentile(Double)
        case errors
    }

    /// A text that is no condition.
    public struct ParsingError: Error, Equatable, CustomStringConvertible {
        /// What is wrong, and what to write.
        public let description: String
    }

    let figure: Figure
    /// In nanoseconds, or as a part of 1.
    let limit: Double
    /// The condition as it was written.
    public let description: String

    /// Reads a condition: `p50`, `p90`, `p99`, `p99.9` and the like with a time in `us`, `ms` or `s`; or `errors` with a number of
    /// percent.
    ///
    /// - Throws: `ParsingError`.
    public init(_ text: String) throws(ParsingError) {
        let parts = text.filter { $0 != " " }.split(separator: ">", omittingEmptySubsequences: false)
        let usage = "write a percentile and a time, such as p99>200ms, or errors>1%"
        guard parts.count == 2 else { throw .init(description: "'\(text.cut(to: 60))' is no condition: \(usage)") }
        let (name, value) = (parts[0].lowercased(), parts[1].lowercased())
        let digits = value.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits), number.isFinite else {
            throw ParsingError(description: "'\(value.cut(to: 30))' is no limit: \(usage)")
        }
        let unit = value.dropFirst(digits.count)
        if name == "errors" {
            guard unit == "%", (0...100).contains(number) else {
                throw ParsingError(description: "'\(value.cut(to: 30))' is no limit of errors: \(usage)")
            }
            (figure, limit) = (.errors, number / 100)
        } else {
            guard name.hasPrefix("p"), let percent = Double(name.dropFirst()), percent > 0, percent <= 100 else {
                throw ParsingError(description: "'\(name.cut(to: 30))' is no figure: \(usage)")
            }
            let units: [Substring: Double] = ["us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9]
            guard let factor = units[unit], number > 0, number * factor < 3.6e12 else {
                throw ParsingError(description: "'\(value.cut(to: 30))' is no time up to an hour: \(usage)")
            }
            (figure, limit) = (.percentile(percent), number * factor)
        }
        description = "\(name)>\(value)"
    }

    /// What the condition says of figures, where it is met; nil where it isn't, or of fewer than 20 requests.
    ///
    /// - Parameters:
    ///   - latencies: of requests, and of what is still open.
    ///   - requests: how many were answered, or have failed.
    func judged(_ latencies: Latencies, errors: Int, of requests: Int) -> String? {
        guard latencies.count >= 20 || errors >= 20 else { return nil }
        switch figure {
        case .percentile(let percent):
            let value = latencies.value(percent)
            return value > limit ? "p\(percent.short) is \(milliseconds: value) ms" : nil
        case .errors:
            let part = Double(errors) / Double(max(1, requests))
            return part > limit ? "\((part * 100).rounded(to: 1)) % of the requests fail" : nil
        }
    }
}
