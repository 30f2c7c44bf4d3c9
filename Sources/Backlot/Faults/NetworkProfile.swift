internal import BacklotHTTP
package import BacklotJSON

/// A network between clients and the server: how fast it is, how long a round trip takes, and what gets lost on the way.
///
/// What it does is done to requests and answers, not to packets: names are looked up, connections are opened and handshakes are made at
/// full speed.
public struct NetworkProfile: Sendable, Equatable {
    /// The throughputs that can be asked for, in bytes per second.
    public static let throughputs = 1...1_000_000_000
    /// The latencies and the jitters that can be asked for, in milliseconds.
    public static let latencies = 0...60_000
    /// The shares of packets and connections that can get lost, in percent.
    public static let losses = 0...100

    /// Whether requests reach the server at all.
    public enum Reach: String, Sendable, CaseIterable {
        /// They do.
        case server = "online"
        /// A page that asks people to log in takes their place, until somebody does.
        case portal = "captive-portal"
        /// Their connections close without an answer.
        case nothing = "offline"
    }

    /// Whether requests reach the server.
    public var reach: Reach
    /// How fast answers come, their heads included, in bytes per second; nil for as fast as they can. All answers to a client
    /// share it.
    public var downlink: Int?
    /// How fast requests go out, in the same way.
    public var uplink: Int?
    /// How long a round trip takes: half of it passes before the handler gets a request, half of it before its answer begins.
    public var latency: Duration
    /// How much longer or shorter a round trip may be.
    public var jitter: Duration
    /// How many packets of 1,460 bytes get lost, in percent. A lost one holds up its exchange for a round trip, and at least 200 ms,
    /// until it was sent again.
    public var loss: Int
    /// How many exchanges are cut off, in percent: half of them before the handler gets the request, and half after it has done what
    /// was asked, so that only the answer is lost.
    public var cuts: Int

    /// A network; one that changes nothing, unless something is said.
    ///
    /// The numbers must lie within the bounds above.
    public init(
        _ reach: Reach = .server,
        downlink: Int? = nil,
        uplink: Int? = nil,
        latency: Duration = .zero,
        jitter: Duration = .zero,
        loss: Int = 0,
        cuts: Int = 0
    ) {
        for throughput in [downlink, uplink].compactMap({ $0 }) {
            precondition(
                Self.throughputs.contains(throughput),
                "a throughput must be \(Self.throughputs), but is \(throughput)"
            )
        }
        for time in [latency, jitter] {
            let most = Duration.milliseconds(Self.latencies.upperBound)
            precondition(time >= .zero && time <= most, "a latency must be 0 to \(most), but is \(time)")
        }
        for share in [loss, cuts] {
            precondition(Self.losses.contains(share), "a loss must be \(Self.losses) percent, but is \(share)")
        }
        self.reach = reach
        self.downlink = downlink
        self.uplink = uplink
        self.latency = latency
        self.jitter = jitter
        self.loss = loss
        self.cuts = cuts
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
        ("captive-portal", NetworkProfile(.portal)),
        ("offline", NetworkProfile(.nothing)),
    ]
}

extension NetworkProfile: CustomStringConvertible {
    /// The profile as it is written in a header field: its name, or what it says: `downlink=1000; latency=300`.
    public var description: String {
        if let known = Self.known.first(where: { $0.profile == self }) { return known.name }
        var parts = reach == .server ? [] : [reach.rawValue]
        if let downlink { parts.append("downlink=\(downlink)") }
        if let uplink { parts.append("uplink=\(uplink)") }
        if latency > .zero { parts.append("latency=\(latency.milliseconds)") }
        if jitter > .zero { parts.append("jitter=\(jitter.milliseconds)") }
        if loss > 0 { parts.append("loss=\(loss)") }
        if cuts > 0 { parts.append("cuts=\(cuts)") }
        return parts.joined(separator: "; ")
    }
}

extension NetworkProfile {
    /// What the network is like, without a name: what it doesn't change is left out.
    package var json: JSONObject {
        var object = JSONObject()
        func set(_ key: String, _ number: Int64) { if number > 0 { object[key] = .number(JSONNumber(number)) } }
        set("downlink", Int64(downlink ?? 0))
        set("uplink", Int64(uplink ?? 0))
        set("latency", latency.milliseconds)
        set("jitter", jitter.milliseconds)
        set("loss", Int64(loss))
        set("cuts", Int64(cuts))
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
            case "downlink": downlink = try syntax.number(key, value, in: Self.throughputs)
            case "uplink": uplink = try syntax.number(key, value, in: Self.throughputs)
            case "latency": latency = .milliseconds(try syntax.number(key, value, in: Self.latencies))
            case "jitter": jitter = .milliseconds(try syntax.number(key, value, in: Self.latencies))
            case "loss": loss = try syntax.number(key, value, in: Self.losses)
            case "cuts": cuts = try syntax.number(key, value, in: Self.losses)
            default: throw syntax.error("'\(key)' is unknown")
            }
        }
    }
}
