import Foundation
import Glibc

/// The time from a server's start to its first answer.
struct StartUp: Part {
    private let startsInRound = 4

    func run(_ plan: Plan) throws -> PartReport {
        var table = Table(columns: ["server", "ms, median", "lowest", "highest"])
        var times: [ServerName: [Double]] = [:]
        let names = [ServerName.backlot, .nginx].filter { !plan.skipped.contains($0) }
        for round in 1...plan.rounds {
            for _ in 0..<startsInRound {
                for name in names { times[name, default: []].append(try measure(name, plan)) }
            }
            Progress.say("round \(round)/\(plan.rounds)  start")
        }
        for name in names {
            let values = times[name] ?? []
            table.add([
                name.description,
                Figure.decimal(values.median),
                Figure.decimal(values.min()),
                Figure.decimal(values.max()),
            ])
        }
        return PartReport(
            title: "From the start of the program to its first answer, \(plan.rounds * startsInRound) times in turns",
            table: table,
            goals: [
                Goal(
                    text: "start to first answer",
                    direction: .atMost,
                    bound: 6,
                    measured: times[.backlot]?.median,
                    unit: " ms"
                )
            ]
        )
    }

    /// Milliseconds until the server has answered.
    private func measure(_ name: ServerName, _ plan: Plan) throws -> Double {
        let port = try FreePort.find()
        let (program, arguments) = try command(name, port: port, plan)
        let process = try ChildProcess(name.description, executable: program, arguments: arguments, in: plan.workspace)
        let deadline = Deadline(after: 10)
        while true {
            if let response = try? LoopbackConnection(port: port).get(DocumentedPage.path) {
                let time = (ContinuousClock.now - process.start) / .milliseconds(1)
                try DocumentedPage.check(response, from: name.description)
                process.stop()
                return time
            }
            guard !deadline.hasPassed else {
                throw CheckFailure("\(name) doesn't answer. It printed:\n\(process.output)")
            }
            usleep(100)
        }
    }

    private func command(_ name: ServerName, port: Int, _ plan: Plan) throws -> (URL, [String]) {
        guard name == .nginx else {
            return (plan.workspace.program("bench-server-backlot"), ["--port", String(port)])
        }
        let folder = plan.workspace.folder.path
        let configuration = NginxConfiguration(
            folder: folder,
            port: port,
            http2Port: try FreePort.find(),
            files: folder,
            asRoot: geteuid() == 0
        )
        let file = try plan.workspace.file("start.conf", holding: configuration.text)
        return (try Executable.find("nginx"), ["-p", folder, "-c", file.path])
    }
}
