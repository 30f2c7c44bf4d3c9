import ArgumentParser
import Foundation

/// Measures Backlot against its peers in one run, and prints how it does.
@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures Backlot against other servers in one run.",
        discussion: """
            Exits with 0 when every check held, whether or not the goals are met; with 1 when a check failed; and with 2 \
            when a goal is not met and --strict is given.
            """
    )

    @Option(help: "How often each server is measured.")
    var rounds = 5

    @Option(help: "Seconds of load on each server in each round.")
    var seconds = 3

    @Option(help: "How many connections the idle part opens.")
    var idleConnections = 10_000

    @Option(parsing: .upToNextOption, help: "The parts to run.")
    var only: [PartName] = PartName.allCases

    @Option(parsing: .upToNextOption, help: "Servers to leave out. What needs them is then not measured.")
    var skip: [ServerName] = []

    @Flag(help: "Exit with 2 when a goal is not met or not measured.")
    var strict = false

    func validate() throws {
        guard rounds > 0, seconds > 0, idleConnections > 0 else {
            throw ValidationError("rounds, seconds and connections must be above 0")
        }
    }

    func run() throws {
        let workspace = try Workspace()
        let interruption = Interruption(removing: workspace)
        defer {
            RunningChildren.shared.stopAll()
            workspace.remove()
            withExtendedLifetime(interruption) {}
        }
        let plan = Plan(
            rounds: rounds,
            seconds: seconds,
            idleConnections: idleConnections,
            skipped: Set(skip),
            workspace: workspace
        )
        var reports: [PartReport] = []
        var failed = false
        for name in PartName.allCases where only.contains(name) {
            Progress.say("part: \(name.rawValue)")
            do {
                reports.append(try name.part.run(plan))
            } catch {
                // The other parts still have something to say.
                Progress.say("FAILED: \(error)")
                failed = true
            }
        }
        let goals = reports.flatMap(\.goals)
        let lines = [Machine.description] + reports.flatMap { [""] + $0.lines } + [""] + Goal.table(goals).lines
        print(lines.joined(separator: "\n"))
        if failed {
            Progress.say("FAILED: a check did not hold; see above")
            throw ExitCode(1)
        }
        if strict, goals.contains(where: { $0.verdict != .met }) { throw ExitCode(2) }
    }
}
