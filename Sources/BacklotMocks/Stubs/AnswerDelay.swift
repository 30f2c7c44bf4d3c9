import BacklotHTTP
import BacklotJSON

/// How long an answer is kept back.
struct AnswerDelay: Sendable, Equatable {
    /// A delay that is drawn for each answer.
    enum Distribution: Sendable, Equatable {
        /// Any from the first to the second, in milliseconds, equally often.
        case uniform(lower: Int, upper: Int)
        /// Half of the delays are below the median, in milliseconds, with a long tail up to the maximum.
        case lognormal(median: Double, sigma: Double, maximum: Int?)
        /// Always the same, in milliseconds.
        case fixed(Int)
    }

    /// The longest delay that can be asked for: an hour, in milliseconds.
    static let longest = 3_600_000

    /// The delay of every answer, in milliseconds.
    var fixed = 0
    /// A delay that is added to it; nil for none.
    var distribution: Distribution?

    /// No delay.
    static let none = AnswerDelay()

    /// How long to wait, in milliseconds.
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

    /// A normal deviate: the sum of twelve uniform ones, less six (Irwin and Hall), is as good as one for waiting.
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

extension AnswerDelay {
    init(_ field: Field, _ reading: inout StubReading) throws(StubProblem) {
        fixed = try field["fixedDelayMilliseconds"]?.int(in: 0...Self.longest) ?? 0
        guard let distribution = field["delayDistribution"] else { return }
        self.distribution = try Distribution(distribution, &reading)
    }

    /// Reads what stands alone under `delay`.
    init(webhook field: Field, _ reading: inout StubReading) throws(StubProblem) {
        distribution = try Distribution(field, &reading)
    }
}

extension AnswerDelay.Distribution {
    private static let longest = AnswerDelay.longest

    init(_ distribution: Field, _ reading: inout StubReading) throws(StubProblem) {
        guard let type = distribution["type"] else {
            throw distribution.problem("the key 'type' is missing: uniform, lognormal or fixed")
        }
        switch try type.word(of: ["uniform", "lognormal", "fixed"]) {
        case "uniform":
            try reading.check(distribution, knows: ["type", "lower", "upper"])
            let lower = try Self.required("lower", distribution).int(in: 0...Self.longest)
            let upper = try Self.required("upper", distribution).int(in: lower...Self.longest)
            self = .uniform(lower: lower, upper: upper)
        case "lognormal":
            try reading.check(distribution, knows: ["type", "median", "sigma", "maxValue"])
            self = .lognormal(
                median: try Self.required("median", distribution).double(in: 0...Double(Self.longest)),
                sigma: try Self.required("sigma", distribution).double(in: 0...10),
                maximum: try distribution["maxValue"]?.int(in: 0...Self.longest)
            )
        default:
            try reading.check(distribution, knows: ["type", "milliseconds"])
            self = .fixed(try Self.required("milliseconds", distribution).int(in: 0...Self.longest))
        }
    }

    private static func required(_ key: String, _ field: Field) throws(StubProblem) -> Field {
        guard let member = field[key] else { throw field.problem("the key '\(key)' is missing: a number") }
        return member
    }
}

/// A body that comes in pieces, over some time.
struct AnswerDribble: Sendable, Equatable {
    /// How many pieces.
    var pieces: Int
    /// How long they take together, in milliseconds.
    var milliseconds: Int
}

extension AnswerDribble {
    init(_ field: Field, _ reading: inout StubReading) throws(StubProblem) {
        try reading.check(field, knows: ["numberOfChunks", "totalDuration"])
        guard let pieces = field["numberOfChunks"], let duration = field["totalDuration"] else {
            throw field.problem("write {\"numberOfChunks\": 5, \"totalDuration\": 1000}, the duration in milliseconds")
        }
        self.pieces = try pieces.int(in: 1...10_000)
        milliseconds = try duration.int(in: 0...AnswerDelay.longest)
    }
}

extension MockBackend {
    /// The same answer, whose body comes in pieces.
    func dribbled(_ response: Response, _ dribble: AnswerDribble) -> Response {
        guard case .bytes(let bytes) = response.body, !bytes.isEmpty else { return response }
        var response = response
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
