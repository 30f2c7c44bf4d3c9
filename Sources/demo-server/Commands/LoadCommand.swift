import Backlot
import BacklotChecks
import BacklotClients
import BacklotLoad
import BacklotService

/// The command `demo-server load`, which loads a server with many phones.
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Loads a running server with very many phones, and measures their waiting times.",
        discussion: """
            Without --flow, phones are launched and follow random links through an Applin app, without calling rpcs. From any \
            other server they request the URL repeatedly. A flow is a file: a list of steps as JSON, or a recording as HAR.
            Each phone takes its next step at a fixed time, even if the server is slow, and a request's latency counts from that \
            time.

            Exit status: 0 without findings, 1 findings (failed requests, an exceeded limit, steps of a flow that no phone \
            reached), 2 the server can't be reached, or the report can't be written, 64 wrong arguments.
            """
    )

    @Argument(help: "The base URL of an Applin app, which ends in a slash; or any URL of a server.")
    var url: String

    @Option(help: "The number of phones.")
    var phones = 100

    @Option(help: "The duration of the load, in seconds, without the wait for the last responses.")
    var seconds = 30.0

    @Option(help: "The steps that all phones together begin per second; without it --think decides.")
    var rate: Double?

    @Option(help: "The average time between two steps of a phone, in seconds.")
    var think: Double?

    @Option(
        help: "The time for launching all phones, in seconds; without it, one phone's time between two steps."
    )
    var ramp: Double?

    @Option(help: "Launch the phones in this number of waves, instead of one after the other.")
    var waves: Int?

    @Option(
        help: ArgumentHelp("A file with flows; may be given several times.", valueName: "file"),
        completion: .file()
    )
    var flow: [String] = []

    @Option(help: "End early, with a finding, once the last seconds meet this condition: p99>200ms, or errors>1%.")
    var abortOn: String?

    @Flag(inversion: .prefixedNo, help: "Refresh pages that have poll_seconds.")
    var polls = true

    @Option(help: "The seed of random choices: the same number repeats them, if the responses are the same.")
    var seed: UInt64 = 1

    @Option(help: "The most connections; without it 1000, or as many as the system allows.")
    var connections: Int?

    @Option(help: "The number of threads that send requests; without it as many as needed.")
    var threads: Int?

    @Option(
        help:
            "The URL of the server's processor time and memory, in Prometheus's format; without it, /metrics of the server."
    )
    var metrics: String?

    @Option(
        help: ArgumentHelp("Write a page with tables and plots to this file, too.", valueName: "file"),
        completion: .file()
    )
    var report: String?

    @OptionGroup var tool: ToolOptions
    @OptionGroup var ownership: OwnershipOption

    func validate() throws {
        try ownership.permit(try tool.server(url))
        if let metrics { try ownership.permit(try tool.server(metrics)) }
        guard rate == nil || think == nil else {
            throw ValidationError("--rate and --think exclude each other: write one of them.")
        }
        let times = [("--seconds", seconds), ("--think", think ?? 1), ("--ramp", ramp ?? 0), ("--rate", rate ?? 1)]
        for (name, value) in times where !value.isFinite || abs(value) > 1e9 {
            throw ValidationError("\(name) is \(value): write a number.")
        }
        _ = try Arguments.read { try Load(url, options: try options) }
        if let report { try Arguments.checkFile("--report", report) }
    }

    /// The options of the load.
    ///
    /// - Throws: `ValidationError`.
    var options: LoadOptions {
        get throws {
            var options = LoadOptions()
            options.phones = phones
            options.duration = .seconds(seconds)
            options.rate = rate
            if let think { options.think = .seconds(think) }
            options.ramp = ramp.map { .seconds($0) }
            options.waves = waves
            options.polls = polls
            options.seed = seed
            options.connections = connections
            options.threads = threads
            (options.limits.total, options.limits.idle) = (tool.limits.total, tool.limits.idle)
            options.metrics = try metrics.map { try tool.server($0) }
            options.abort = try Arguments.read("--abort-on: ") { try abortOn.map { try AbortCondition($0) } }
            return options
        }
    }

    func run() async throws {
        let flows = try await flows()
        let load = try Arguments.read {
            try Load(url, flows: flows, trusting: try tool.trust.servers, options: try options)
        }
        let table = LoadTable()
        let result = try await Interruption.watch {
            await load.report { table?.show($0) }
        }
        var isWritten = true
        if let report, (try? Arguments.write(Array(result.html.utf8), to: report)) == nil {
            let fix = "give this program write access to the file and its folder, and room on the disk"
            StandardError.print("Error: --report '\(report)' can't be written: \(fix).")
            isWritten = false
        }
        try result.finish(as: tool.format)
        if !isWritten { throw ExitCode(2) }
    }

    private func flows() async throws -> [LoadFlow] {
        var flows: [LoadFlow] = []
        for file in flow {
            let bytes = try Arguments.bytes(of: file, option: "--flow ")
            flows += try await Arguments.read("--flow: ") {
                try await LoadFlow.read(bytes, name: URL(filePath: file).lastPathComponent)
            }
        }
        return flows
    }
}

/// A table on a terminal that gets a row for each second.
struct LoadTable: Sendable {
    private static let head = "   time     phones  requests/s    p50 ms    p99 ms  p99.9 ms  errors  server"

    /// nil if standard error isn't a terminal.
    init?() {
        guard StandardError.isTerminal else { return nil }
        StandardError.print(Self.head)
    }

    func show(_ progress: LoadProgress) { StandardError.print(Self.row(progress)) }

    static func row(_ progress: LoadProgress) -> String {
        let times = [progress.p50, progress.p99, progress.p999].map { value in
            value < 100 ? "\((value * 100).rounded() / 100)" : "\(Int(min(1e12, value.rounded())))"
        }
        let rate = Int(progress.requestsPerSecond.rounded())
        let cells =
            ["\(progress.elapsed.components.seconds) s", "\(progress.phones)", "\(rate)"] + times + [
                "\(progress.errors)"
            ]
        let row = zip(cells, [7, 11, 12, 10, 10, 10, 8]).map { cell, width in
            String(repeating: " ", count: max(0, width - cell.count)) + cell
        }
        var server: [String] = []
        if let cpu = progress.serverProcessors { server.append("\(Int(min(cpu * 100, 1e9))) % CPU") }
        if let memory = progress.serverMemory { server.append("\(memory / 1_000_000) MB") }
        return row.joined() + (server.isEmpty ? "" : "  ") + server.joined(separator: ", ")
    }
}
