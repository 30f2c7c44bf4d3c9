import Foundation

/// The time of an upload of 5 MB to a server behind a delay, beside nginx's. `Benchmarks/distance` measures it, as root.
struct Distance: Part {
    private static let (uploads, http2, http1) = ("nginx HTTP/2", "backlot HTTP/2", "backlot HTTP/1.1")

    func run(_ plan: Plan) throws -> PartReport {
        let script = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4) + ["distance"]
        let output = try ChildProcess(
            "distance",
            executable: URL(fileURLWithPath: NSString.path(withComponents: Array(script))),
            arguments: [
                plan.workspace.demoServer.path, try Executable.find("nginx").path,
                plan.workspace.folder.appendingPathComponent("distance").path, "\(plan.rounds)",
            ],
            in: plan.workspace
        ).finish()
        var times: [String: [Double]] = [:]
        for line in output.split(separator: "\n") {
            let columns = line.split(separator: "\t")
            if columns.count == 2, let time = Double(columns[1]) {
                times[String(columns[0]), default: []].append(time * 1000)
            }
        }
        var table = Table(columns: ["upload", "ms, median", "lowest", "highest"])
        for name in [Self.uploads, Self.http2, Self.http1] {
            let values = times[name] ?? []
            table.add([name, Figure.decimal(values.median), Figure.decimal(values.min()), Figure.decimal(values.max())])
        }
        return PartReport(
            title: "An upload of 5 MB with a round trip of 50 ms, \(plan.rounds) times in turns, by curl",
            table: table,
            goals: [
                Goal(
                    text: "an upload over HTTP/2 from far away, against nginx's",
                    direction: .atMost,
                    bound: 1.15,
                    measured: Figure.quotient(times[Self.http2]?.median, times[Self.uploads]?.median),
                    unit: "×"
                )
            ]
        )
    }
}
