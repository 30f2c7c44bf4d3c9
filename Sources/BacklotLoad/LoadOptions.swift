public import BacklotClients
internal import BacklotHTTP

/// The options of a load.
///
/// ```swift
/// var options = LoadOptions()
/// options.phones = 10_000
/// options.rate = 2000
/// let report = try await Load("http://127.0.0.1:8080/", options: options).report()
/// ```
public struct LoadOptions: Sendable {
    /// The number of phones: 1 to 1,000,000.
    public var phones = 100
    /// The length of the load, without the wait for the last responses.
    public var duration = Duration.seconds(30)
    /// The number of steps per second that all phones begin together; nil to derive it from the think time.
    public var rate: Double?
    /// The average time between the beginnings of a phone's steps. The time varies from half to one and a half times the average;
    /// with a rate, only by a tenth.
    public var think = Duration.seconds(10)
    /// The time until all phones are launched; nil for the average time between two steps, which keeps the rate constant from
    /// the beginning.
    public var ramp: Duration?
    /// The number of groups of phones that are launched together during the ramp; nil to launch one after the other.
    public var waves: Int?
    /// The condition that ends the load early; nil without one.
    public var abort: AbortCondition?
    /// Whether phones refresh pages with `poll_seconds`.
    public var polls = true
    /// The seed of the phones' random choices. With the same seed, each phone makes the same choices if the server sends the same
    /// responses at the same times.
    public var seed: UInt64 = 1
    /// The maximum number of connections; nil for 1000, or for the system's limit if that is lower.
    public var connections: Int?
    /// The number of threads that send requests; nil for one, or more above 20,000 steps per second.
    public var threads: Int?
    /// The limits of each response.
    public var limits = ClientLimits()
    /// The URL of the server's metrics; nil for `/metrics` on the loaded server.
    public var metrics: HTTPURL?

    /// Creates the default options: a request may take 10 seconds, and a response 4 MiB.
    public init() {
        limits.total = .seconds(10)
        limits.idle = .seconds(10)
        limits.body = 4 * 1024 * 1024
    }

    /// The number of connections that the system allows beside the other files of this process.
    static var allowedConnections: Int { max(1, DescriptorLimit.raise() - 100) }

    var mostConnections: Int { connections ?? min(1000, Self.allowedConnections) }

    /// The average time between two steps of a phone.
    var interval: Duration {
        guard let rate else { return think }
        return .nanoseconds(Int64(min(Double(phones) / rate, 1e9) * 1e9))
    }

    /// The approximate number of steps per second that all phones begin.
    var stepsPerSecond: Double { rate ?? Double(phones) / max(think.inSeconds, 1e-6) }
}

/// A condition that ends a load early and counts as a server error: `p99>200ms` or `errors>1%`.
public struct AbortCondition: Sendable, Equatable, CustomStringConvertible {
    enum Figure: Equatable {
        case percentile(Double)
        case errors
    }

    /// A text that isn't a condition.
    public struct ParsingError: Error, Equatable, CustomStringConvertible {
        /// The mistake, and how to correct it.
        public let description: String
    }

    let figure: Figure
    /// The limit: nanoseconds for a percentile, a fraction of 1 for errors.
    let limit: Double
    /// The condition in its normalized spelling.
    public let description: String

    /// Reads a condition: a percentile such as `p50`, `p90`, `p99` or `p99.9` with a time in `us`, `ms` or `s`, or `errors` with
    /// a percentage.
    ///
    /// - Throws: `ParsingError`.
    public init(_ text: String) throws(ParsingError) {
        let parts = text.filter { $0 != " " }.split(separator: ">", omittingEmptySubsequences: false)
        let usage = "write a percentile and a time, such as p99>200ms, or errors>1%"
        guard parts.count == 2 else { throw .init(description: "'\(text.cut(to: 60))' isn't a condition: \(usage)") }
        let (name, value) = (parts[0].lowercased(), parts[1].lowercased())
        let digits = value.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits), number.isFinite else {
            throw ParsingError(description: "'\(value.cut(to: 30))' isn't a limit: \(usage)")
        }
        let unit = value.dropFirst(digits.count)
        if name == "errors" {
            guard unit == "%", (0...100).contains(number) else {
                throw ParsingError(description: "'\(value.cut(to: 30))' isn't an error limit: \(usage)")
            }
            (figure, limit) = (.errors, number / 100)
        } else {
            guard name.hasPrefix("p"), let percent = Double(name.dropFirst()), percent > 0, percent <= 100 else {
                throw ParsingError(description: "'\(name.cut(to: 30))' isn't a figure: \(usage)")
            }
            let units: [Substring: Double] = ["us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9]
            guard let factor = units[unit], number > 0, number * factor < 3.6e12 else {
                throw ParsingError(description: "'\(value.cut(to: 30))' isn't a time up to an hour: \(usage)")
            }
            (figure, limit) = (.percentile(percent), number * factor)
        }
        description = "\(name)>\(value)"
    }

    /// The reason why the figures meet the condition; nil if they don't, or for fewer than 20 requests.
    ///
    /// - Parameters:
    ///   - latencies: the latencies of finished requests, and of requests that still wait.
    ///   - requests: the number of requests with a response or a failure.
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
