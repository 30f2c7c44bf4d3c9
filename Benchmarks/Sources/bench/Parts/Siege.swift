import Foundation

/// What clients that hold connections, and make no use of them, cost the others: whether those are answered, and the memory.
struct Siege: Part {
    /// One way to hold what others need.
    private struct Attack {
        var title: String
        var connections: Int
        /// How many descriptors the server may have; nil for as many as this process may.
        var descriptors: Int?
        /// The bytes that each connection sends, or as many of them as the server takes.
        var bytes: [UInt8] = []
        /// The most resident memory, in megabytes; nil where the server's own budget for bodies bounds it.
        var mostMegabytes: Double?
        /// The request of each connection to the shipped server, where that is attacked: over HTTP/2 for each of a hundred streams
        /// without a window.
        var shipped: (path: String, isHTTP2: Bool)?
        /// The shipped server's bound for slow clients, in bytes, where its memory is held against that.
        var buffered: Int?

        var isOnShipped: Bool { shipped != nil || buffered != nil }
    }

    /// The others' requests during an attack, and the server's resident memory in bytes.
    private struct Outcome {
        var asked = 0
        var responded = 0
        var healthy = 0
        var slowest = 0.0
        var before = 0
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
        Attack(title: "300 stalled in bodies of 1 MiB", connections: 300, bytes: stalledPacket, buffered: 64 << 20),
        Attack(title: "8 × 100 streams, pictures of 5 MB", connections: 8, shipped: (photoPath, true)),
        Attack(title: "600 that don't read pictures of 5 MB", connections: 600, shipped: (photoPath, false)),
        Attack(title: "9,000 slow handlers", connections: 9000, shipped: ("/slow/60000", false)),
        Attack(title: "1,200 × 100 slow handlers", connections: 1200, shipped: ("/slow/60000", true)),
    ]

    /// Stands for the path of a picture that has been sent to the server.
    private static let photoPath = "/photos/"
    /// The address that the shipped server's attackers have, 127.0.0.2: others come from 127.0.0.1.
    private static let attacker: UInt8 = 2

    private static let stalledStreams = streams("/1m.bin")

    /// The preface, windows of nothing, and a hundred requests.
    private static func streams(_ path: String) -> [UInt8] {
        func frame(_ type: UInt8, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8]) -> [UInt8] {
            let length = payload.count
            return [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags, 0, 0]
                + [UInt8(stream >> 8), UInt8(stream & 255)] + payload
        }
        // RFC 7541, appendix A and section 6.2.2: GET, http, and two literals.
        let path = Array(path.utf8)
        let list: [UInt8] = [0x82, 0x86, 0x04, UInt8(path.count)] + path + [0x01, 1] + Array("h".utf8)
        var bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, [0, 4, 0, 0, 0, 0])
        for stream in 0..<100 { bytes += frame(1, flags: 5, stream: 2 * stream + 1, list) }
        return bytes
    }

    private static let unfinishedBody =
        Array("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n".utf8)
        + [UInt8](repeating: 0x78, count: 999_999)

    private static let stalledPacket =
        Array("POST /xpedite HTTP/1.1\r\nHost: h\r\nContent-Length: 1048576\r\n\r\n".utf8)
        + [UInt8](repeating: 0x78, count: 1_048_575)

    func run(_ plan: Plan) throws -> PartReport {
        _ = FileLimit.raise(to: 10_000)
        var table = Table(columns: ["attack", "others answered", "slowest, ms", "peak RSS, MB", "growth, MB"])
        var share = 1.0
        var excess = 0.0
        var (shippedShare, health, growth, overshoot) = (1.0, 1.0, 0.0, 0.0)
        for attack in attacks {
            let outcome = try measure(attack, plan)
            let megabytes = Double(outcome.peak) / 1_000_000
            let asked = Double(max(1, outcome.asked))
            if let buffered = attack.buffered {
                overshoot = max(overshoot, Double(outcome.peak - outcome.before) / Double(buffered))
            }
            if !attack.isOnShipped {
                share = min(share, Double(outcome.responded) / asked)
            } else {
                shippedShare = min(shippedShare, Double(outcome.responded) / asked)
                health = min(health, Double(outcome.healthy) / asked)
                growth = max(growth, Double(outcome.peak - outcome.before) / 1_000_000)
            }
            if let most = attack.mostMegabytes { excess = max(excess, megabytes / most) }
            Progress.say("\(attack.title): \(outcome.responded) of \(outcome.asked), \(Figure.decimal(megabytes)) MB")
            table.add([
                attack.title,
                "\(outcome.responded) of \(outcome.asked)",
                Figure.decimal(outcome.slowest * 1000, places: 1),
                Figure.decimal(megabytes, places: 1),
                Figure.decimal(Double(outcome.peak - outcome.before) / 1_000_000, places: 1),
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
                Goal(
                    text: "others that demo-server answers",
                    direction: .atLeast,
                    bound: 99,
                    measured: shippedShare * 100,
                    unit: " %"
                ),
                Goal(
                    text: "its health checks that pass",
                    direction: .atLeast,
                    bound: 100,
                    measured: health * 100,
                    unit: " %"
                ),
                Goal(
                    text: "growth of its resident memory",
                    direction: .atMost,
                    bound: 150,
                    measured: growth,
                    unit: " MB"
                ),
                Goal(
                    text: "that growth while bodies stall, in parts of its bound for slow clients",
                    direction: .atMost,
                    bound: 1.1,
                    measured: overshoot,
                    unit: ""
                ),
            ]
        )
    }

    private func measure(_ attack: Attack, _ plan: Plan) throws -> Outcome {
        let options = attack.buffered.map { ["--buffered-bytes", "\($0)"] } ?? []
        let peer =
            attack.isOnShipped ? Peer.demoServer(options: options) : .backlotWithFiles(descriptors: attack.descriptors)
        let server = try peer.start(plan.workspace)
        var attack = attack
        if let shipped = attack.shipped {
            let path = shipped.path == Self.photoPath ? try Self.addPhoto(to: server) : shipped.path
            attack.bytes =
                shipped.isHTTP2 ? Self.streams(path) : Array("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        }
        var outcome = Outcome()
        ask(server, attack, &outcome)
        outcome = Outcome(before: server.process.tree.residentBytes())
        var held: [LoopbackConnection] = []
        let end = Deadline(after: Self.duration)
        var renewal = Deadline(after: 0)
        while !end.hasPassed {
            if renewal.hasPassed {
                held = []
                renewal = Deadline(after: Self.renewal)
            }
            // Between any two of others' requests the attack goes on.
            for _ in 0..<max(50, attack.connections / 60) where held.count < attack.connections {
                let source = attack.isOnShipped ? Self.attacker : 1
                guard let connection = try? LoopbackConnection(port: server.port, source: source) else { break }
                connection.sendWhatFits(attack.bytes)
                held.append(connection)
            }
            ask(server, attack, &outcome)
            if held.count == attack.connections { usleep(10_000) }
        }
        withExtendedLifetime(held) {}
        return outcome
    }

    private func ask(_ server: RunningServer, _ attack: Attack, _ outcome: inout Outcome) {
        outcome.asked += 1
        let began = ContinuousClock.now
        func response(to path: String) -> Response? { try? LoopbackConnection(port: server.port).get(path) }
        if !attack.isOnShipped {
            let page = response(to: DocumentedPage.path)
            let isRight = page.map { (try? DocumentedPage.check($0, from: server.name.description)) != nil } ?? false
            outcome.responded += isRight ? 1 : 0
        } else {
            outcome.responded += response(to: "/")?.status == 200 ? 1 : 0
            let isHealthy = ["/healthz", "/readyz", "/metrics"].allSatisfy { response(to: $0)?.status == 200 }
            outcome.healthy += isHealthy ? 1 : 0
        }
        outcome.slowest = max(outcome.slowest, (ContinuousClock.now - began) / .seconds(1))
        outcome.peak = max(outcome.peak, server.process.tree.residentBytes())
    }

    /// Sends a picture of nearly 5 MB to demo-server.
    /// - Returns: its path.
    private static func addPhoto(to server: RunningServer) throws -> String {
        let picture = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0x61, count: 5_000_000)
        let connection = try LoopbackConnection(port: server.port)
        let head = "PUT /photos/add HTTP/1.1\r\nHost: h\r\nContent-Type: image/jpeg\r\n"
        connection.sendWhatFits(Array("\(head)Content-Length: \(picture.count)\r\n\r\n".utf8) + picture)
        let added = try connection.response()
        guard added.status == 200 else { throw CheckFailure("demo-server took no picture: \(added.status)") }
        let page = String(decoding: try connection.get("/photos").body, as: UTF8.self)
        let ids = page.components(separatedBy: "/photos/").map { String($0.prefix(36)) }
        guard let id = ids.first(where: { UUID(uuidString: $0) != nil }) else {
            throw CheckFailure("demo-server shows no picture")
        }
        return "/photos/\(id)"
    }
}
