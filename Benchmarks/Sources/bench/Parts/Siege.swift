import Glibc

/// What clients that hold connections, and make no use of them, cost the others: whether those are answered, and the memory.
struct Siege: Part {
    /// One way to hold what others need.
    private struct Attack {
        var title: String
        var connections: Int
        /// How many descriptors the server may have; nil for as many as this process may.
        var descriptors: Int?
        /// What each connection sends, or as much of it as the server takes.
        var bytes: [UInt8]
        /// The most resident memory, in megabytes; nil where the server's own budget for bodies bounds it.
        var mostMegabytes: Double?
    }

    /// What others saw meanwhile.
    private struct Outcome {
        var asked = 0
        var answered = 0
        var slowest = 0.0
        var peak = 0
    }

    /// How long an attack lasts, and how often its connections are opened anew, in seconds.
    private static let (duration, renewal) = (12.0, 9.0)

    private let attacks = [
        Attack(title: "90 × 100 streams, no window", connections: 90, bytes: stalledStreams, mostMegabytes: 100),
        Attack(title: "1,000 × 100 streams, no window", connections: 1000, bytes: stalledStreams, mostMegabytes: 100),
        Attack(
            title: "the same, 1,024 descriptors",
            connections: 1000,
            descriptors: 1024,
            bytes: stalledStreams,
            mostMegabytes: 100
        ),
        Attack(title: "140 idle, 128 descriptors", connections: 140, descriptors: 128, bytes: [], mostMegabytes: 100),
        Attack(title: "900 bodies of 1 MB, the last byte withheld", connections: 900, bytes: unfinishedBody),
    ]

    /// The preface, windows of nothing, and a hundred requests for a file of 1 MB.
    private static let stalledStreams: [UInt8] = {
        func frame(_ type: UInt8, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8]) -> [UInt8] {
            let length = payload.count
            return [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags, 0, 0]
                + [UInt8(stream >> 8), UInt8(stream & 255)] + payload
        }
        // RFC 7541, appendix A and section 6.2.2: GET, http, and two literals.
        let path = Array("/1m.bin".utf8)
        let list: [UInt8] = [0x82, 0x86, 0x04, UInt8(path.count)] + path + [0x01, 1] + Array("h".utf8)
        var bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, [0, 4, 0, 0, 0, 0])
        for stream in 0..<100 { bytes += frame(1, flags: 5, stream: 2 * stream + 1, list) }
        return bytes
    }()

    private static let unfinishedBody =
        Array("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n".utf8)
        + [UInt8](repeating: 0x78, count: 999_999)

    func run(_ plan: Plan) throws -> PartReport {
        _ = FileLimit.raise(to: 4096)
        var table = Table(columns: ["attack", "others answered", "slowest, ms", "peak RSS, MB"])
        var share = 1.0
        var excess = 0.0
        for attack in attacks {
            let outcome = try measure(attack, plan)
            let megabytes = Double(outcome.peak) / 1_000_000
            share = min(share, Double(outcome.answered) / Double(max(1, outcome.asked)))
            if let most = attack.mostMegabytes { excess = max(excess, megabytes / most) }
            Progress.say("\(attack.title): \(outcome.answered) of \(outcome.asked), \(Figure.decimal(megabytes)) MB")
            table.add([
                attack.title,
                "\(outcome.answered) of \(outcome.asked)",
                Figure.decimal(outcome.slowest * 1000, places: 1),
                Figure.decimal(megabytes, places: 1),
            ])
        }
        return PartReport(
            title: "attacks of \(Figure.whole(Self.duration)) s, renewed after \(Figure.whole(Self.renewal)) s, "
                + "and others that connect, ask and leave",
            table: table,
            goals: [
                Goal(
                    text: "others that are answered",
                    direction: .atLeast,
                    bound: 100,
                    measured: share * 100,
                    unit: " %"
                ),
                Goal(
                    text: "resident memory of each attack without bodies",
                    direction: .atMost,
                    bound: 100,
                    measured: excess * 100,
                    unit: " MB"
                ),
            ]
        )
    }

    private func measure(_ attack: Attack, _ plan: Plan) throws -> Outcome {
        let server = try Peer.backlotWithFiles(descriptors: attack.descriptors).start(plan.workspace)
        var outcome = Outcome()
        var held: [LoopbackConnection] = []
        let end = Deadline(after: Self.duration)
        var renewal = Deadline(after: 0)
        while !end.hasPassed {
            if renewal.hasPassed {
                held = []
                renewal = Deadline(after: Self.renewal)
            }
            // Between any two of others' requests the attack goes on.
            for _ in 0..<50 where held.count < attack.connections {
                guard let connection = try? LoopbackConnection(port: server.port) else { break }
                connection.sendWhatFits(attack.bytes)
                held.append(connection)
            }
            ask(server, &outcome)
            if held.count == attack.connections { usleep(10_000) }
        }
        withExtendedLifetime(held) {}
        return outcome
    }

    private func ask(_ server: RunningServer, _ outcome: inout Outcome) {
        outcome.asked += 1
        let began = ContinuousClock.now
        if let answer = try? LoopbackConnection(port: server.port).get(DocumentedPage.path),
            (try? DocumentedPage.check(answer, from: server.name.description)) != nil
        {
            outcome.answered += 1
        }
        outcome.slowest = max(outcome.slowest, (ContinuousClock.now - began) / .seconds(1))
        outcome.peak = max(outcome.peak, server.process.tree.residentBytes())
    }
}
