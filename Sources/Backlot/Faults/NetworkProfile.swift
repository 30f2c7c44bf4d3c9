/// A network between clients and the server: how fast it is, how long a round trip takes, and what gets lost on the way.
///
/// What it does is done to requests and answers, not to packets: names are looked up, connections are opened and handshakes are made at
/// full speed.
public struct NetworkProfile: Sendable, Equatable {
    /// The throughputs that can be asked for, in bytes per second.
    public static let throughputs = 1...1_000_000_000
    /// The latencies and the jitters that can be asked for, in milliseconds.
    public static let latencies = 0...60_000
    /// The shares of exchanges, and of the pieces that they go in, that can get lost, in percent.
    public static let losses = 0...100

    /// Whether no request reaches the server: connections close without an answer.
    public var isOffline: Bool
    /// How fast answers come, their heads included, in bytes per second; nil for as fast as they can. All answers to a client
    /// share it.
    public var downlink: Int?
    /// How fast requests go out, in the same way.
    public var uplink: Int?
    /// How long a round trip takes: half of it passes before the handler gets a request, half of it before its answer begins.
    public var latency: Duration
    /// How much longer or shorter a round trip may be.
    public var jitter: Duration
    /// How many of the pieces in which requests and answers go get lost, in percent. A lost one holds up its exchange for a round
    /// trip, and at least 200 ms, until it was sent again.
    public var loss: Int
    /// How many exchanges are cut off, in percent: half of them before the handler gets the request, and half after it has done what
    /// was asked, so that only the answer is lost.
    public var cuts: Int

    /// A network; one that changes nothing, unless something is said.
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

    /// The profiles by their names. The throughputs and latencies of those with a G, and of EDGE, are those that WebPageTest uses.
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
    /// A key of a profile whose value is a number.
    package struct Number: Sendable {
        package let key: String
        package let range: ClosedRange<Int>
        /// The value of a profile; nil for none.
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

    /// What the network changes.
    private var changes: [(key: String, value: Int)] {
        Self.numbers.compactMap { number in number.value(self).flatMap { $0 > 0 ? (number.key, $0) : nil } }
    }
}

extension NetworkProfile: CustomStringConvertible {
    /// The profile as it is written in a header field: its name, or what it says: `downlink=1000; latency=300`.
    public var description: String {
        if let known = Self.known.first(where: { $0.profile == self }) { return known.name }
        return ((isOffline ? ["offline"] : []) + changes.map { "\($0.key)=\($0.value)" }).joined(separator: "; ")
    }
}

extension NetworkProfile {
    /// What the network is like, without a name: what it doesn't change is left out.
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

    /// What may be written, for messages.
    package static let allowed =
        "write one of \(known.map(\.name).joined(separator: ", ")), or one or more of downlink and "
        + "uplink=\(throughputs.lowerBound)…\(throughputs.upperBound) (bytes per second), latency and "
        + "jitter=\(latencies.lowerBound)…\(latencies.upperBound) (milliseconds), loss and "
        + "cuts=\(losses.lowerBound)…\(losses.upperBound) (percent), or both, such as '3g; loss=5'"

    /// The profile of a name, letter case apart; nil for an unknown one.
    package init?(named name: String) {
        guard let known = Self.known.first(where: { $0.name == name.lowercased() }) else { return nil }
        self = known.profile
    }

    /// Reads a profile: a name, what it is like, or a name and what differs from it: `3g`, `latency=300`, `3g; loss=5`.
    ///
    /// - Throws: `FaultSyntaxError`, which says what is wrong and what is allowed.
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
