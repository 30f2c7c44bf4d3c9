import Backlot
import BacklotChecks
import BacklotClients
import BacklotMocks
import BacklotService
import Logging

/// The command `demo-server mocks`, a group for commands about mock routes.
struct MocksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mocks",
        abstract: "Compares mock routes with the backend that they stand for.",
        subcommands: [MocksVerify.self]
    )
}

/// `demo-server mocks verify`
struct MocksVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compares a real backend's responses with those of the mock routes.",
        discussion: """
            Structure counts: missing pages, widgets, actions and keys that were added, removed or changed, newly sent or \
            required variables, another status, media type or cookie, and newly broken rules of the protocol. Texts and numbers \
            only count with --values. The backend gets every request twice, and differences between its own responses don't count.

            Without --rpc it only sends GET, and to Xpedite apps the calls that a user can tap. With --rpc it sends POST, PUT, \
            PATCH and DELETE too, which CHANGES THE BACKEND'S DATA, twice: it logs in as the mocks do, and goes through the \
            states of each scenario in their order, in separate sessions. Use a backend for tests. Give passwords that a \
            recording lacks with --variable.

            Exit status: 0 no differences, 1 differences, or with --fail-unverified a response that can't be requested, 2 the \
            backend can't be reached, or the comparison was not finished and found nothing, 64 wrong arguments. Responses that \
            can't be requested are listed as not verified, with the reason, and only count with --fail-unverified.
            """
    )

    @Argument(
        help:
            "The backend's base URL, below which it has the paths of the mock routes: https://staging.example.com/travel/"
    )
    var url: String

    @OptionGroup var routes: RoutesOption

    @Flag(help: "Send POST, PUT, PATCH and DELETE too, which change the backend's data.")
    var rpc = false

    @Flag(help: "End with status 1 also if something can't be verified.")
    var failUnverified = false

    @Flag(help: "Report different texts, numbers and booleans too, if the backend sends the same ones each time.")
    var values = false

    @Flag(help: "Write the backend's responses into the files that differ, without secrets, as a recording does.")
    var update = false

    @Option(
        help: ArgumentHelp(
            "A header field that every request has, such as 'Cookie=session=…' or 'Authorization=Bearer …'. It may be repeated.",
            valueName: "name=value"
        )
    )
    var header: [String] = []

    @Option(
        help: ArgumentHelp(
            "The value of a variable for the backend, such as password=…, instead of the mocks'. It may be repeated.",
            valueName: "name=value"
        )
    )
    var variable: [String] = []

    @Option(
        help: ArgumentHelp(
            "A path to request, such as /books/17, if no page links to it. It may be repeated.",
            valueName: "path"
        )
    )
    var path: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --update, the name of a further key, field, parameter or header field with secret values. It may be repeated.",
            valueName: "key"
        )
    )
    var redact: [String] = []

    @Option(help: "The longest run, in seconds.")
    var maxSeconds = 300.0

    @OptionGroup var tool: ToolOptions
    @OptionGroup var mocks: MockOptions

    func validate() throws {
        try Arguments.check("--max-seconds", maxSeconds, in: 0.1...86_400, "number of seconds")
        let server = try tool.server(url)
        guard server.query == nil, !url.contains("#") else {
            throw ValidationError("\(url) has a query: write the base URL alone, such as https://staging.example.com/.")
        }
        guard update || redact.isEmpty else {
            throw ValidationError("--redact is about what --update writes: write --update too.")
        }
        guard rpc || variable.isEmpty else {
            throw ValidationError("--variable is about what --rpc sends: write --rpc too.")
        }
        if let text = path.first(where: { !$0.hasPrefix("/") }) {
            throw ValidationError("--path '\(text)' begins with no slash: write it as in /books/17.")
        }
        _ = try options
    }

    /// The options of the comparison.
    var options: ComparisonOptions {
        get throws {
            var options = ComparisonOptions()
            options.callsRPCs = rpc
            options.comparesValues = values
            options.limits = tool.limits
            options.maximumTime = .milliseconds(Int(maxSeconds * 1000))
            options.paths = path
            options.redactedKeys = redact
            for text in header {
                let (name, value) = try Self.pair(text, option: "--header")
                guard let field = HTTPField.Name(name), HTTPField.isValidValue(value) else {
                    throw ValidationError(
                        "--header '\(name)' isn't a header field: write a name and a value, as in Accept-Language=en."
                    )
                }
                options.headers.append(HTTPField(name: field, value: value))
            }
            for text in variable {
                let (name, value) = try Self.pair(text, option: "--variable")
                options.variables[name] = value == "true" || value == "false" ? .bool(value == "true") : .string(value)
            }
            return options
        }
    }

    private static func pair(_ text: String, option: String) throws -> (String, String) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw ValidationError("\(option) '\(text)' has no value: write a name, an equals sign and a value.")
        }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    func run() async throws {
        let routes = try routes.folder
        let loaded: MockSite?
        // Warnings are for those who serve the routes.
        var logger = Arguments.logger
        logger.logLevel = .error
        do {
            loaded = try MockSite.load(mocks, from: routes, path: "/", logger: logger)
        } catch let error as StartupError {
            // Exit status 1 would mean that something differs.
            StandardError.print("Error: \(error)")
            throw ExitCode.validationFailure
        }
        guard let site = loaded else { throw MockOptions.noFolder }
        guard site.backend.stubs.count > 0 else {
            throw ValidationError(
                "There are no mock routes in '\(routes ?? MockOptions.usualFolder)': write --routes and the folder that has them."
            )
        }
        let check = try MocksComparison(
            site.backend,
            with: url,
            transport: SocketTransport(trusting: try tool.trust.servers),
            options: try options
        )
        if rpc, let host = try? HTTPURL(url).host, !["127.0.0.1", "localhost", "::1"].contains(host) {
            StandardError.print("Warning: --rpc changes the data of \(host), twice.")
        }
        let report = try await tool.report { [update] line in
            try await check.report(update: update) { line?.show(ProgressLine.text($0)) }
        }
        try report.finish(as: tool.format)
        if failUnverified, !report.unverified.isEmpty { throw ExitCode(1) }
    }
}
