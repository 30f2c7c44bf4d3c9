import Backlot
import BacklotChecks
import BacklotClients
import BacklotService

/// The command `demo-server diff`, which compares two deployments of an app (``Comparison``).
struct DiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Crawls two deployments of an app in step, and reports the differences for their clients.",
        discussion: """
            Both get the same taps and inputs, in separate sessions, twice each: differences between a side's own responses never \
            count. Each difference is breaking (a page or a variable is missing, an rpc requires more, a released client refuses a \
            page that it loaded), visible or neutral. Rpcs, and methods that take input, are only called with --rpc, twice on each \
            side, which CHANGES THE DATA OF BOTH.

            For CI, --baseline FILE keeps A's side in a file: 'diff A B --baseline FILE' writes it beside the comparison, \
            'diff A --baseline FILE --record' alone, and 'diff B --baseline FILE' compares B with it. Against a file, dates and \
            times of day don't count.

            Exit status: 0 no differences, 1 differences, 2 a side can't be reached or A has no app at its URL, \
            the comparison was not finished and found nothing, or the file was not written, 64 wrong arguments.
            """
    )

    /// The least severe class of differences to report.
    enum Least: String, ExpressibleByArgument, CaseIterable {
        case breaking, visible, neutral
    }

    @Argument(
        help: ArgumentHelp("The URL of the app on A, as for check; with --baseline alone, on B.", valueName: "url-a")
    )
    var first: String

    @Argument(help: ArgumentHelp("The URL of the app on B.", valueName: "url-b"))
    var second: String?

    @Option(
        name: .customLong("protocol"),
        help: "The protocol of both; auto detects it from the response at A's URL."
    )
    var wire = ProtocolChoice.auto

    @Flag(
        help: """
            Call rpcs and methods that take input too: with the initial values of the page, and with filled in ones if those are \
            refused.
            """
    )
    var rpc = false

    @Option(help: "The least severe class of differences to report, and to count for the exit status.")
    var least = Least.neutral

    @Option(
        help: ArgumentHelp(
            "The file that keeps A's side: written with two URLs or --record, read with one.",
            valueName: "file"
        ),
        completion: .file()
    )
    var baseline: String?

    @Flag(help: "Crawl A alone, and write its side into the file of --baseline.")
    var record = false

    @OptionGroup var bounds: CrawlBounds
    @OptionGroup var tool: ToolOptions

    func validate() throws {
        if second == nil, baseline == nil {
            throw ValidationError("\(first) needs a counterpart: write a second URL, or --baseline FILE.")
        }
        if record, baseline == nil || second != nil {
            throw ValidationError("--record crawls A alone, for a file: write one URL and --baseline FILE.")
        }
        var isSecure = false
        for url in [first, second].compactMap(\.self) {
            isSecure = try Arguments.read { try HTTPURL(url).scheme == .https } || isSecure
            if let chosen = wire.chosen { _ = try Arguments.read { try Crawl(url, as: chosen) } }
        }
        guard isSecure || !tool.trust.isGiven else {
            throw ValidationError("--certificates and --trust-anyone are for https: no URL here begins with it.")
        }
        if let baseline, options.keepsBaseline { try Arguments.checkFile("--baseline", baseline) }
    }

    /// The options of the comparison.
    var options: ComparisonOptions {
        var options = ComparisonOptions()
        options.maximumPages = bounds.maxPages
        options.maximumTime = bounds.time
        options.callsRPCs = rpc
        options.least = Difference.Kind(rawValue: least.rawValue) ?? .neutral
        options.keepsBaseline = baseline != nil && (record || second != nil)
        options.limits = tool.limits
        return options
    }

    func run() async throws {
        let transport = SocketTransport(trusting: try tool.trust.servers)
        let report = try await tool.report { line in
            try await diff(transport).report { line?.show(ProgressLine.text($0)) }
        }
        let status = Result { try report.finish(as: tool.format) }
        // The report has been printed, so that an error with the file can't hide it.
        if let kept = report.baseline { try write(kept, report) }
        try status.get()
    }

    private func diff(_ transport: SocketTransport) async throws -> Comparison {
        if !record, second == nil, let baseline {
            let known = try Arguments.read("--baseline: ") { try ComparisonBaseline(contentsOf: baseline) }
            if let chosen = wire.chosen, chosen != known.appProtocol {
                throw ValidationError(
                    "--protocol is \(chosen), and '\(baseline)' is of \(known.appProtocol)."
                )
            }
            return try Arguments.read { try Comparison(known, first, transport: transport, options: options) }
        }
        return try await Arguments.read {
            let spoken = try await wire.spoken(at: first, transport, tool.limits)
            guard let second else {
                return try Comparison.recording(first, as: spoken, transport: transport, options: options)
            }
            return try Comparison(first, second, as: spoken, transport: transport, options: options)
        }
    }

    /// Writes A's side if it is complete.
    private func write(_ kept: ComparisonBaseline, _ report: ComparisonReport) throws {
        guard let baseline else { return }
        if let reason = unfinished(report.end) {
            StandardError.print("\(record ? "Error: " : "")'\(baseline)' is not written: \(reason).")
            if record, report.end != .interrupted { throw ExitCode(2) }
            return
        }
        do {
            // It has tokens of the sessions, which other users must not read.
            try Arguments.write(kept.bytes, to: baseline, isPrivate: true)
        } catch {
            StandardError.print(
                "Error: '\(baseline)' can't be written: \(error). Write --baseline with a file in a folder that this user may write."
            )
            throw ExitCode(2)
        }
    }

    /// The reason why A's side isn't complete, and what to do; nil if it is complete.
    private func unfinished(_ end: ComparisonReport.End?) -> String? {
        switch end {
        case nil, .pages: nil
        case .time: "the time ran out: raise --max-seconds"
        case .a: "A stopped responding: try again when it responds"
        case .b: "B stopped responding: try again when it responds, or crawl A alone with --record"
        case .size: "A's responses are too large for a baseline: lower --max-pages"
        case .interrupted: "the crawl was interrupted"
        }
    }
}
