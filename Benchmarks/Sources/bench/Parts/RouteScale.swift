/// The page among few routes and among many, with and without a parameter in its path.
struct RouteScale: Part {
    private let few = 10
    private let many = 10_000
    /// The page in the midst of those that the fewest routes have.
    private let paths = ["/s00005/new_account", "/s00005/17/new_account"]

    func run(_ plan: Plan) throws -> PartReport {
        let servers = try [few, many].map { try Peer.backlot(options: "--routes", "\($0)").start(plan.workspace) }
        let program = try Instructions().stripped(plan)
        var table = Table(columns: [
            "path", "figure", "\(few) routes", "\(Figure.whole(Double(many))) routes", "many against few",
        ])
        var goals: [Goal] = []
        for path in paths {
            for server in servers {
                try DocumentedPage.check(
                    try LoopbackConnection(port: server.port).get(path),
                    from: "\(server.name) at \(path)"
                )
            }
            let cpu = try Rounds(plan: plan, servers: servers).measureEach(path) {
                try Wrk.run(on: $0, Load(path: path), seconds: $1, in: plan.workspace)
            }.map(\.cpu)
            let instructions = try [few, many].map {
                try Instructions().cost(program, ["--routes", "\($0)"], path: path, plan).instructions
            }
            table.add([
                path, "CPU s/100,000", Figure.decimal(cpu[0]), Figure.decimal(cpu[1]), Figure.ratio(cpu[1], to: cpu[0]),
            ])
            table.add([
                path, "instructions", Figure.whole(instructions[0]), Figure.whole(instructions[1]),
                Figure.ratio(instructions[1], to: instructions[0]),
            ])
            let kind = path == paths[0] ? "a page among many routes" : "a page with a parameter among many routes"
            for (figure, ratio) in [
                ("CPU", Figure.quotient(cpu[1], cpu[0])),
                ("instructions", Figure.quotient(instructions[1], instructions[0])),
            ] {
                goals.append(
                    Goal(
                        text: "\(kind): \(figure), against few",
                        direction: .atMost,
                        bound: 1.05,
                        measured: ratio,
                        unit: "×"
                    )
                )
            }
        }
        return PartReport(
            title: "The sign-up page among \(few) and among \(Figure.whole(Double(many))) pairs of compiled routes: "
                + "medians of \(plan.rounds) rounds in turns",
            table: table,
            notes: ["A pair is a path with a parameter and one without. Instructions are those of the server itself."],
            goals: goals
        )
    }
}
