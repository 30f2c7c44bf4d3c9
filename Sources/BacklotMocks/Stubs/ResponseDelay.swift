import Backlot

/// The delay of a response.
package struct ResponseDelay: Sendable, Equatable {
    /// A delay that is random for each response.
    enum Distribution: Sendable, Equatable {
        /// Any delay from the first to the second, in milliseconds, with equal probability.
        case uniform(lower: Int, upper: Int)
        /// Half of the delays are below the median, in milliseconds, with a long tail up to the maximum.
        case lognormal(median: Double, sigma: Double, maximum: Int?)
        /// Always the same, in milliseconds.
        case fixed(Int)
    }

    /// The longest allowed delay: an hour, in milliseconds.
    package static let longest = 3_600_000

    /// The delay of every response, in milliseconds.
    var fixed = 0
    /// A delay that is added to it; nil for none.
    var distribution: Distribution?

    /// No delay.
    static let none = ResponseDelay()

    /// The delay, in milliseconds.
    func milliseconds(using random: inout some RandomNumberGenerator) -> Int {
        let drawn: Double =
            switch distribution {
            case nil: 0
            case .fixed(let milliseconds): Double(milliseconds)
            case .uniform(let lower, let upper): Double(Int.random(in: lower...upper, using: &random))
            case .lognormal(let median, let sigma, let maximum):
                min(median * Exponential.exp(sigma * Self.normal(using: &random)), Double(maximum ?? Self.longest))
            }
        return min(fixed + Int(min(drawn, Double(Self.longest))), Self.longest)
    }

    /// A normal deviate: the sum of twelve uniform ones, minus six (Irwin and Hall), is good enough for delays.
    private static func normal(using random: inout some RandomNumberGenerator) -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
    }
}

/// The exponential function, which the standard library lacks.
enum Exponential {
    /// eˣ, to 12 digits: the series near 0, squared as often as x was halved.
    static func exp(_ x: Double) -> Double {
        let x = min(max(x, -700), 700)
        let near = x / 1024
        var (term, sum) = (1.0, 1.0)
        for index in 1...12 {
            term *= near / Double(index)
            sum += term
        }
        return (0..<10).reduce(sum) { value, _ in value * value }
    }
}

extension ResponseDelay {
    static let kinds =
        [
            Kind("uniform", as: [.distribution], "Any delay from lower to upper.", keys: uniformKeys),
            Kind("lognormal", as: [.distribution], "Around the median, with a long tail.", keys: lognormalKeys),
            Kind("fixed", as: [.distribution], "Always the same.", keys: fixedKeys),
            Kind("dribble", as: [.dribble], "A body in pieces.", keys: dribbleKeys),
        ]
    private static let dribbleKeys: [Key] = [
        .required("numberOfChunks", .integer(1...10_000), "The number of pieces."),
        .required("totalDuration", .milliseconds, "The time for all of them, in milliseconds."),
    ]
    private static let uniformKeys: [Key] = [
        .required("lower", .milliseconds, "The shortest, in milliseconds."),
        .required("upper", .milliseconds, "The longest, in milliseconds."),
    ]
    private static let fixedKeys: [Key] = [.required("milliseconds", .milliseconds, "The delay, in milliseconds.")]
    private static let lognormalKeys: [Key] = [
        .required("median", .number(0...Double(longest)), "The median, in milliseconds."),
        .required("sigma", .number(0...10), "The spread of the delays."),
        .optional("maxValue", .milliseconds, "The longest, in milliseconds."),
    ]

    /// Reads a delay that is the same for each response, and a random one.
    init(fixed: JSONValue?, drawn: LocatedValue?) throws(StubError) {
        self.fixed = fixed?.int ?? 0
        guard let drawn else { return }
        let value = drawn.value
        func milliseconds(_ key: String) -> Int { value[key]?.int ?? 0 }
        switch value["type"]?.string {
        case "uniform":
            let (lower, upper) = (milliseconds("lower"), milliseconds("upper"))
            guard lower <= upper else {
                throw (drawn["upper"] ?? drawn).problem("the upper delay, \(upper), is below the lower one")
            }
            distribution = .uniform(lower: lower, upper: upper)
        case "lognormal":
            distribution = .lognormal(
                median: value["median"]?.number?.double ?? 0,
                sigma: value["sigma"]?.number?.double ?? 0,
                maximum: value["maxValue"]?.int
            )
        default: distribution = .fixed(milliseconds("milliseconds"))
        }
    }
}

/// A body that comes in pieces, over some time.
struct ResponseDribble: Sendable, Equatable {
    /// The number of pieces.
    var pieces: Int
    /// The time for all pieces, in milliseconds.
    var milliseconds: Int

    /// Reads one; nil if it is missing.
    init?(_ value: JSONValue?) {
        guard let pieces = value?["numberOfChunks"]?.int, let duration = value?["totalDuration"]?.int else {
            return nil
        }
        (self.pieces, milliseconds) = (pieces, duration)
    }
}

extension MockBackend {
    /// The response with a body that is sent in pieces.
    func dribbled(_ response: Response, _ dribble: ResponseDribble) -> Response {
        guard case .bytes(let bytes) = response.body, !bytes.isEmpty else { return response }
        var response = response
        // No compression may hold pieces back to send more at once.
        response.headers.append(HTTPField(name: .cacheControl, value: "no-transform"))
        response.body = .stream(length: bytes.count) { writer in
            let pieces = min(dribble.pieces, bytes.count)
            for piece in 0..<pieces {
                try await Task.sleep(for: .milliseconds(dribble.milliseconds) / pieces)
                let (start, end) = (bytes.count * piece / pieces, bytes.count * (piece + 1) / pieces)
                try await writer.write(Array(bytes[start..<end]))
            }
        }
        return response
    }
}
