/// What clients that never finish their request's head cost the others.
struct SlowHeads: Part {
    private let clients = 1000

    func run(_ plan: Plan) throws -> PartReport {
        _ = FileLimit.raise(to: 2 * clients + 256)
        var table = Table(columns: ["server", "requests/s alone", "beside slow clients", "ratio"])
        var ours: Double?
        for peer in plan.peers([.backlot, .nginx]) {
            let server = try peer.start(plan.workspace)
            let page = Load(path: DocumentedPage.path)
            var alone: [Double] = []
            var beside: [Double] = []
            for round in 1...plan.rounds {
                alone.append(try Wrk.run(on: server, page, seconds: plan.seconds, in: plan.workspace).requestsPerSecond)
                let slow = try SlowClients(clients, of: server.port)
                beside.append(
                    try Wrk.run(on: server, page, seconds: plan.seconds, in: plan.workspace).requestsPerSecond
                )
                let sent = slow.stop()
                guard sent > 0 else { throw CheckFailure("\(server.name): the slow clients sent nothing") }
                Progress.say(
                    "round \(round)/\(plan.rounds)  \(server.name): \(Figure.ratio(beside.last, to: alone.last)), "
                        + "\(sent) bytes sent by slow clients"
                )
            }
            if peer.name == .backlot { ours = Figure.quotient(beside.median, alone.median) }
            table.add([
                peer.name.description,
                Figure.whole(alone.median),
                Figure.whole(beside.median),
                Figure.ratio(beside.median, to: alone.median),
            ])
        }
        return PartReport(
            title:
                "\(Figure.whole(Double(clients))) clients that send a byte of a head each second, beside wrk -t1 -c64: "
                + "medians of \(plan.rounds) rounds",
            table: table,
            goals: [
                Goal(
                    text: "answers a second beside 1,000 slow clients, against none",
                    direction: .atLeast,
                    bound: 0.9,
                    measured: ours,
                    unit: "×"
                )
            ]
        )
    }
}
