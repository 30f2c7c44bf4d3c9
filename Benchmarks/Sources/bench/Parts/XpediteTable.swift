import Foundation

/// What the rows of an Xpedite table cost, beside an Applin page of the same server.
struct XpediteTable: Part {
    /// One load.
    private struct Row {
        var title: String
        var load: Load
    }

    /// How many rows an answer has.
    private let batch = 25

    func run(_ plan: Plan) throws -> PartReport {
        let server = try Peer.backlot.start(plan.workspace)
        let connection = try LoopbackConnection(port: server.port)
        try DocumentedPage.check(try connection.get(DocumentedPage.path), from: "the Applin page")
        let token = try connect(connection)
        let rows = [
            Row(title: "Applin: GET \(DocumentedPage.path)", load: Load(path: DocumentedPage.path)),
            Row(title: "Xpedite: listCustomers, the first of 100 rows", load: packet("hundred", offset: 0, token)),
            Row(
                title: "Xpedite: listCustomers, the first of 1,000,000",
                load: packet("listCustomers", offset: 0, token)
            ),
            Row(
                title: "Xpedite: listCustomers, from the 500,000th",
                load: packet("listCustomers", offset: 500_000, token)
            ),
        ]
        let rounds = Rounds(plan: plan, servers: [server])
        var table = Table(columns: ["load", "requests/s", "CPU s/100,000"])
        var cpu: [Double?] = []
        for row in rows {
            if row.load.method == "POST" { try check(try connection.ask(row.load), row.title) }
            let figures = try rounds.measure(row.title) {
                try Wrk.run(on: $0, row.load, seconds: $1, in: plan.workspace)
            }
            let measured = figures[.backlot]
            table.add([row.title, Figure.whole(measured?.requestsPerSecond), Figure.decimal(measured?.cpu)])
            cpu.append(measured?.cpu)
        }
        return PartReport(
            title: "Rows of a table, \(batch) an answer, under wrk -t1 -c64: medians of \(plan.rounds) rounds",
            table: table,
            goals: [
                Goal(
                    text: "rows of a table of 1,000,000, CPU against one of 100",
                    direction: .atMost,
                    bound: 1.1,
                    measured: Figure.quotient(cpu[2], cpu[1]),
                    unit: "×"
                )
            ]
        )
    }

    private func packet(_ method: String, offset: Int, _ token: String) -> Load {
        Load(
            path: "/xpedite",
            method: "POST",
            headers: ["Content-Type: application/json"],
            body: #"{"method":"\#(method)","token":"\#(token)","parameters":{"offset":\#(offset)}}"#
        )
    }

    private func connect(_ connection: LoopbackConnection) throws -> String {
        let response = try connection.ask(Load(path: "/xpedite", method: "POST", body: #"{"method":"setConnection"}"#))
        guard let token = try object(response)["token"] as? String else {
            throw CheckFailure("setConnection gave no token: \(String(decoding: response.body, as: UTF8.self))")
        }
        return token
    }

    private func check(_ response: Response, _ title: String) throws {
        let rows = try object(response)["data"] as? [Any]
        guard rows?.count == batch else {
            throw CheckFailure("\(title) gave not \(batch) rows: \(String(decoding: response.body, as: UTF8.self))")
        }
    }

    private func object(_ response: Response) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any] ?? [:]
    }
}
