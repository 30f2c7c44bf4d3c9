/// The resident memory that an idle connection over TLS costs each server, beside what OpenSSL alone takes.
struct IdleTLS: Part {
    func run(_ plan: Plan) throws -> PartReport {
        try plan.raiseFileLimit()
        var table = Table(columns: ["server", "bytes per connection", "RSS before, MB", "RSS after, MB"])
        var figures: [String: Double] = [:]
        let measure = { (name: String, port: Int, process: ChildProcess) in
            let memory = try self.memory(name, port, process, plan)
            let each = Double(memory.after - memory.before) / Double(plan.idleConnections)
            figures[name] = each
            Progress.say("\(name): \(Figure.whole(each)) bytes for an idle connection over TLS")
            table.add([
                name, Figure.whole(each), Figure.decimal(Double(memory.before) / 1_000_000),
                Figure.decimal(Double(memory.after) / 1_000_000),
            ])
        }
        for peer in [Peer.backlotOverTLS, .nginxOverTLS] where !plan.skipped.contains(peer.name) {
            let server = try peer.start(plan.workspace)
            try measure(server.name.description, server.port, server.process)
        }
        let bare = try bareServer(plan)
        try measure("OpenSSL alone", try bare.announcedPort(), bare)
        let (ours, nginx, alone) = (figures["Backlot"], figures["nginx"], figures["OpenSSL alone"])
        let count = Figure.whole(Double(plan.idleConnections))
        return PartReport(
            title: "\(count) idle connections over TLS 1.3, each after one GET \(DocumentedPage.path)",
            table: table,
            notes: [
                "OpenSSL alone: a program that keeps nothing of a connection but OpenSSL's own object, with the same settings."
            ],
            goals: [
                Goal(
                    text: "resident memory of an idle connection over TLS, against nginx's",
                    direction: .atMost,
                    bound: 1.05,
                    measured: Figure.quotient(ours, nginx),
                    unit: "×"
                ),
                Goal(
                    text: "the same, beside what OpenSSL alone takes",
                    direction: .atMost,
                    bound: 1024,
                    measured: ours.flatMap { ours in alone.map { ours - $0 } },
                    unit: " bytes"
                ),
            ]
        )
    }

    private func memory(
        _ name: String,
        _ port: Int,
        _ process: ChildProcess,
        _ plan: Plan
    ) throws -> (before: Int, after: Int) {
        // So that code and pools that are loaded once don't count as connections.
        _ = try clients(64, port, plan).stopAndFinish()
        let before = process.settledMemory()
        let clients = try clients(plan.idleConnections, port, plan)
        let after = process.settledMemory()
        // Some of them ask once more.
        _ = try clients.stopAndFinish()
        return (before, after)
    }

    /// Clients with so many idle connections.
    private func clients(_ count: Int, _ port: Int, _ plan: Plan) throws -> ChildProcess {
        let clients = try ChildProcess(
            "bench-tls",
            executable: plan.workspace.program("bench-tls"),
            arguments: ["hold", "\(port)", DocumentedPage.path, "\(count)"],
            in: plan.workspace
        )
        try clients.wait(atMost: 120) { clients.output.contains("holding") ? () : nil }
        return clients
    }

    private func bareServer(_ plan: Plan) throws -> ChildProcess {
        let identity = try TLSFiles.make(in: plan.workspace)
        return try ChildProcess(
            "bench-tls",
            executable: plan.workspace.program("bench-tls"),
            arguments: ["serve", identity.certificate, identity.key, TLSFiles.ciphers],
            in: plan.workspace
        )
    }
}
