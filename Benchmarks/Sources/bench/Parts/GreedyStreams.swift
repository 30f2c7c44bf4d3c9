import Glibc

/// What streamed answers that always have more to write cost the other clients, and how fast one is.
struct GreedyStreams: Part {
    private let readers = 8
    private let path = "/stream"
    /// How many connections the others have: more than there are loops.
    private let others = 8
    /// What `/stream` writes: "line 0\n" to "line 999999\n".
    private let bodyBytes = 11_888_890

    func run(_ plan: Plan) throws -> PartReport {
        let server = try Peer.backlot.start(plan.workspace)
        var seconds: [StreamReading.Version: [Double]] = [:]
        var waits: [StreamReading.Version: [Double]] = [:]
        for round in 1...plan.rounds {
            for version in StreamReading.Version.allCases {
                let time = try timeOfOne(version, server.port)
                let wait = try percentile(version, server.port, seconds: Double(plan.seconds))
                seconds[version, default: []].append(time)
                waits[version, default: []].append(wait)
                let figures = "\(Figure.decimal(time)) s, p99 \(Figure.decimal(wait)) ms"
                Progress.say("round \(round)/\(plan.rounds)  \(version.rawValue): \(figures)")
            }
        }
        var table = Table(columns: ["protocol", "one stream, s, shortest", "others' p99 ms", "highest"])
        for version in StreamReading.Version.allCases {
            table.add([
                version.rawValue,
                Figure.decimal(seconds[version]?.min(), places: 3),
                Figure.decimal(waits[version]?.median),
                Figure.decimal(waits[version]?.max()),
            ])
        }
        let waitGoals = StreamReading.Version.allCases.map { version in
            Goal(
                text: "others' p99 beside eight streams over \(version.rawValue)",
                direction: .atMost,
                bound: 10,
                measured: waits[version]?.median,
                unit: " ms"
            )
        }
        let rate = Goal(
            text: "streamed rate, HTTP/1.1 against HTTP/2",
            direction: .atLeast,
            bound: 1,
            // The shortest: whatever else the machine does only adds.
            measured: Figure.quotient(seconds[.http2]?.min(), seconds[.http1]?.min()),
            unit: "×"
        )
        return PartReport(
            title: "1,000,000 small writes to one client, and to \(readers) while others ask for a page: "
                + "medians of \(plan.rounds) rounds",
            table: table,
            notes: ["The readers take all that comes; over HTTP/2 their windows let everything through."],
            goals: waitGoals + [rate]
        )
    }

    private func timeOfOne(_ version: StreamReading.Version, _ port: Int) throws -> Double {
        let began = ContinuousClock.now
        let response = try StreamReaders.read(path, version, port) { _ in true }
        guard response.count > bodyBytes else { throw CheckFailure("\(path) gave \(response.count) bytes") }
        return (ContinuousClock.now - began) / .seconds(1)
    }

    /// The 99th percentile of how long others wait for a page, in milliseconds.
    private func percentile(_ version: StreamReading.Version, _ port: Int, seconds: Double) throws -> Double {
        let connections = try (0..<others).map { _ in try LoopbackConnection(port: port) }
        let streams = StreamReaders(readers, of: path, version, on: port)
        var waits: [Double] = []
        let deadline = Deadline(after: seconds)
        while !deadline.hasPassed {
            let began = ContinuousClock.now
            let response = try connections[waits.count % others].get(DocumentedPage.path, within: 20)
            waits.append((ContinuousClock.now - began) / .milliseconds(1))
            try DocumentedPage.check(response, from: "Backlot")
            usleep(500)
        }
        guard try streams.stop() > 0 else { throw CheckFailure("the streams gave nothing") }
        return waits.sorted()[waits.count * 99 / 100]
    }
}
