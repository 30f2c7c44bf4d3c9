import ArgumentParser
import Backlot
import BacklotChecks
import BacklotClients
import BacklotMocks

/// The command `demo-server explore`, which uses a backend at random and looks for faults.
struct ExploreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explore",
        abstract: "Goes through a backend as its users might, and prints its findings as Swift tests.",
        discussion: """
            Headless clients type odd texts, tap everything, twice and back and forth, start the app again, lose their session, \
            share an account with another device, and lose responses. They call rpcs, create accounts and write data: explore a \
            backend with data that you can lose.
            They find responses that clients reject, dead ends, input that gets lost, text that isn't meant for users, data of \
            other sessions, responses and cookies that grow, and slow steps. Each finding is shortened to the fewest steps, and \
            printed as a test.

            Exit status: 0 without findings, 1 findings, 2 the backend can't be reached, 64 wrong arguments.
            """
    )

    @Argument(help: ToolOptions.appURL)
    var url: String

    @Option(help: "The seed of all random choices, an integer; the same seed repeats a run. Without it, a random one.")
    var seed: UInt64?

    @Option(help: "The longest run, in minutes.")
    var minutes = 1.0

    @Option(
        help: "The most steps of each explorer, without those that fill in forms; without it, as time allows."
    )
    var steps: Int?

    @Option(help: "The number of explorers at the same time, each with its own choices.")
    var parallel = 1

    @Option(
        help: ArgumentHelp(
            """
            A path that is never requested, nor any path below it, as a page, an rpc, an upload or by a redirect: /pay, \
            /notes/{id}/delete; for Xpedite apps, the method: /deleteAll. May be repeated.
            """,
            valueName: "path"
        )
    )
    var forbid: [String] = []

    @OptionGroup var expectation: ExpectOption

    @Option(
        help: ArgumentHelp(
            "The time on the clients' clock, by which Floki's entries expire: 2026-12-24T18:00:00Z, now, or a span from now such as '+3 days'. Without it, 2027-01-15T08:00:00Z.",
            valueName: "time"
        ),
        transform: Arguments.clock
    )
    var now: MockClock?

    @Flag(inversion: .prefixedNo, help: "Whether requests and responses are lost, cut and sent twice.")
    var faults = true

    @OptionGroup var backend: BackendOptions
    @OptionGroup var tool: ToolOptions
    @OptionGroup var ownership: OwnershipOption

    func validate() throws {
        try Arguments.check("--minutes", minutes, in: 0.01...1440, "number of minutes")
        try Arguments.check("--steps", steps, in: 1...100_000_000)
        try Arguments.check("--parallel", parallel, in: 1...64)
        try ownership.permit(try tool.server(url))
        // A protocol without a base URL accepts every URL.
        let spoken = backend.wire.chosen ?? AppProtocol.all.first { !$0.client.hasBaseURL } ?? .usual
        do {
            _ = try Explore(url, as: spoken, options: options(seed: 0))
        } catch let error as ExploreOptionError {
            throw ValidationError("\(error)")
        } catch {
            throw ValidationError("\(error).")
        }
    }

    /// The options of the exploration.
    func options(seed: UInt64) -> ExploreOptions {
        var options = ExploreOptions(seed: seed)
        options.maximumTime = .milliseconds(Int(minutes * 60_000))
        options.maximumSteps = steps
        options.parallel = parallel
        options.forbidden = forbid
        options.expected = expectation.expect
        options.hasFaults = faults
        options.slow = backend.slow
        options.dialect = backend.dialect.name
        if let now { options.now = Int(now.milliseconds(at: MockClocks.system) / 1000) }
        (options.limits.total, options.limits.idle) = (tool.limits.total, tool.limits.idle)
        return options
    }

    func run() async throws {
        let transport = SocketTransport(trusting: try tool.trust.servers)
        // It is short, so that people can write it down.
        let options = options(seed: seed ?? UInt64.random(in: 0..<1_000_000))
        let explore = try await Arguments.read {
            let spoken = try await backend.wire.spoken(at: url, OneServer(url, transport), options.limits)
            return try Explore(url, as: spoken, transport: transport, options: options)
        }
        let report = try await tool.report { line in await explore.report { line?.show(Self.text($0)) } }
        try report.finish(as: tool.format)
    }

    /// The progress, for a line on a terminal.
    static func text(_ progress: ExploreProgress) -> String {
        let findings = "\(progress.findings) \(progress.findings == 1 ? "finding" : "findings")"
        return "steps: \(progress.steps), \(progress.pages) kinds of pages, \(findings): \(progress.path)"
    }
}

/// A transport to one server that doesn't follow redirects to others.
private struct OneServer: ClientTransport {
    private let url: HTTPURL
    private let transport: any ClientTransport

    init(_ url: String, _ transport: any ClientTransport) throws(ClientError) {
        self.url = try HTTPURL(url)
        self.transport = transport
    }

    func response(to request: ClientRequest, limits: ClientLimits) async throws(ClientError) -> ClientResponse {
        guard request.url.hasSameOrigin(as: url) else { throw .cancelled }
        return try await transport.response(to: request, limits: limits)
    }
}
