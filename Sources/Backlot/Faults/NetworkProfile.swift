/// A network between clients and the server: its speed, its latency and its losses.
///
/// It delays and loses requests and responses, not packets. Name lookups, connection set-up and handshakes run at full speed.
///
/// ```swift
/// board.set(NetworkProfile(downlink: 50_000, latency: .milliseconds(400)), for: .anyone)
/// ```
public struct NetworkProfile: Sendable, Equatable {
    /// The permitted throughputs, in bytes per second.
    public static let throughputs = 1...1_000_000_000
    /// The permitted latencies and jitters, in milliseconds.
    public static let latencies = 0...60_000
    /// The permitted shares of lost exchanges, and of lost pieces, in percent.
    public static let losses = 0...100

    /// Whether no request reaches the server: connections close without a response.
    public var isOffline: Bool
    /// The throughput of responses with their heads, in bytes per second; nil for full speed. All responses to a client share it.
    public var downlink: Int?
    /// The throughput of requests with their heads, in bytes per second; nil for full speed. All requests of a client share it.
    public var uplink: Int?
    /// The time of a round trip: half passes before the handler gets a request, half before its response begins.
    public var latency: Duration
    /// The largest deviation of a round trip from the latency.
    public var jitter: Duration
    /// The share of lost pieces of requests and responses, in percent. A lost piece is sent again after a round trip, or after 200
    /// ms if that is longer. Its exchange waits for it.
    public var loss: Int
    /// The share of exchanges that are cut off, in percent. In half of them the handler never gets the request. In the other half
    /// the handler runs and only its response is lost.
    public var cuts: Int

    /// Creates a network. With the default values, it doesn't slow or lose anything.
    ///
    /// The numbers must lie within the bounds above.
    public init(
        isOffline: Bool = false,
        downlink: Int? = nil,
        uplink: Int? = nil,
        latency: Duration = .zero,
        jitter: Duration = .zero,
        loss: Int = 0,
        cuts: Int = 0
    ) {
        self.isOffline = isOffline
        self.downlink = downlink
        self.uplink = uplink
        self.latency = latency
        self.jitter = jitter
        self.loss = loss
        self.cuts = cuts
        for number in Self.numbers {
            guard let value = number.value(self) else { continue }
            precondition(number.range.contains(value), "\(number.key) must be \(number.range), but is \(value)")
        }
    }

    /// The profiles by name. The throughputs and latencies of `4g`, `3g`, `slow-3g` and `edge` are those of WebPageTest.
    public static let known: [(name: String, profile: NetworkProfile)] = [
        ("online", NetworkProfile()),
        ("4g", NetworkProfile(downlink: 1_125_000, uplink: 1_125_000, latency: .milliseconds(170))),
        ("3g", NetworkProfile(downlink: 200_000, uplink: 96_000, latency: .milliseconds(300))),
        ("slow-3g", NetworkProfile(downlink: 50_000, uplink: 50_000, latency: .milliseconds(400))),
        ("edge", NetworkProfile(downlink: 30_000, uplink: 25_000, latency: .milliseconds(840))),
        (
            "lossy",
            NetworkProfile(
                downlink: 200_000,
                uplink: 96_000,
                latency: .milliseconds(300),
                jitter: .milliseconds(100),
                loss: 5,
                cuts: 20
            )
        ),
        ("offline", NetworkProfile(isOffline: true)),
    ]
}

extension NetworkProfile {
    /// A value of a profile that is a number, with its key in texts.
    package struct Number: Sendable {
        package let key: String
        package let range: ClosedRange<Int>
        /// The value in a profile; nil if unset.
        let value: @Sendable (NetworkProfile) -> Int?
        package let set: @Sendable (inout NetworkProfile, Int) -> Void
    }

    package static let numbers = [
        Number(key: "downlink", range: throughputs, value: { $0.downlink }, set: { $0.downlink = $1 }),
        Number(key: "uplink", range: throughputs, value: { $0.uplink }, set: { $0.uplink = $1 }),
        Number(
            key: "latency",
            range: latencies,
            value: { Int($0.latency.milliseconds) },
            set: { $0.latency = .milliseconds($1) }
        ),
        Number(
            key: "jitter",
            range: latencies,
            value: { Int($0.jitter.milliseconds) },
            set: { $0.jitter = .milliseconds($1) }
        ),
        Number(key: "loss", range: losses, value: { $0.loss }, set: { $0.loss = $1 }),
        Number(key: "cuts", range: losses, value: { $0.cuts }, set: { $0.cuts = $1 }),
    ]

    /// The numbers that aren't zero or unset.
    private var changes: [(key: String, value: Int)] {
        Self.numbers.compactMap { number in number.value(self).flatMap { $0 > 0 ? (number.key, $0) : nil } }
    }
}

extension NetworkProfile: CustomStringConvertible {
    /// The profile as the text of a header field: its name, or else its values, such as `downlink=1000; latency=300`.
    public var description: String {
        if let known = Self.known.first(where: { $0.profile == self }) { return known.name }
        return ((isOffline ? ["offline"] : []) + changes.map { "\($0.key)=\($0.value)" }).joined(separator: "; ")
    }
}

extension NetworkProfile {
    /// The profile's values without its name. Unchanged values are left out.
    package var json: JSONObject {
        var object = JSONObject()
        for (key, value) in changes { object[key] = .number(JSONNumber(Int64(value))) }
        return object
    }

    /// The known profiles, each with its name.
    package static var list: JSONValue {
        .array(
            known.map { name, profile in
                var object = profile.json
                object["name"] = .string(name)
                return .object(object)
            }
        )
    }

    /// The permitted values, for error texts.
    package static let allowed =
        "write one of \(known.map(\.name).joined(separator: ", ")), or one or more of downlink and "
        + "uplink=\(throughputs.lowerBound)…\(throughputs.upperBound) (bytes per second), latency and "
        + "jitter=\(latencies.lowerBound)…\(latencies.upperBound) (milliseconds), loss and "
        + "cuts=\(losses.lowerBound)…\(losses.upperBound) (percent), or both, such as '3g; loss=5'"

    /// The profile with a name, in any letter case; nil for an unknown name.
    package init?(named name: String) {
        guard let known = Self.known.first(where: { $0.name == name.lowercased() }) else { return nil }
        self = known.profile
    }

    /// Reads a profile: a name such as `3g`, values such as `latency=300`, or both, such as `3g; loss=5`.
    ///
    /// - Throws: `FaultSyntaxError` with the problem and the permitted values.
    init(parsing text: String) throws(FaultSyntaxError) {
        self.init()
        let syntax = FaultSyntax(allowed: Self.allowed)
        for (key, value) in try syntax.pairs(in: text, firstKey: "profile") {
            switch key {
            case "profile":
                guard let known = NetworkProfile(named: value) else {
                    let hint = Suggestion.hint(for: value, among: Self.known.map(\.name))
                    throw syntax.error("the network '\(value)' is unknown\(hint)")
                }
                self = known
            default:
                guard let number = Self.numbers.first(where: { $0.key == key }) else {
                    throw syntax.error("'\(key)' is unknown")
                }
                number.set(&self, try syntax.number(key, value, in: number.range))
            }
        }
    }
}
