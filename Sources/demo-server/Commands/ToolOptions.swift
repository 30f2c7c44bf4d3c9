import Backlot
import BacklotChecks
import BacklotClients
import BacklotService

/// The options of each tool that checks a running server.
struct ToolOptions: ParsableArguments {
    /// The help on an app's URL, for tools that crawl it.
    static let appURL: ArgumentHelp = """
        The URL of an app: http://127.0.0.1:8080/objects/ for Applin, .../views/ for Dynamic Views and .../assistant/ for A2UI, \
        which end in a slash; .../xpedite for Xpedite, .../floki/v1-app for Floki.
        """

    @Option(help: "The format of the report: text, json for programs, junit for CI, or sarif for code scanning.")
    var format = ReportFormat.text

    @Option(help: "The timeout of a request, in seconds.")
    var timeout = 10.0

    @OptionGroup var trust: TrustOptions

    /// Whether the timeout isn't the default.
    var hasTimeout: Bool { timeout != 10 }

    func validate() throws { try Arguments.check("--timeout", timeout, in: 0.1...600, "number of seconds") }

    /// The limits of one request.
    var limits: ClientLimits {
        var limits = ClientLimits()
        limits.total = .milliseconds(Int(timeout * 1000))
        limits.idle = limits.total
        return limits
    }

    /// Reads the server's URL.
    ///
    /// - Throws: `ValidationError` for an invalid URL, and for certificates with a URL that isn't https.
    @discardableResult
    func server(_ url: String) throws -> HTTPURL {
        let server = try Arguments.read { try HTTPURL(url) }
        guard server.scheme == .https || !trust.isGiven else {
            throw ValidationError("--certificates and --trust-anyone are for https: \(url) has no certificate.")
        }
        return server
    }

    /// Runs a tool, with its progress on the terminal. The first Ctrl-C ends it early.
    func report<Report: ServerReport>(
        _ work: @escaping @Sendable (ProgressLine?) async throws -> Report
    ) async throws -> Report {
        try await Interruption.watch {
            let line = ProgressLine()
            defer { line?.clear() }
            return try await work(line)
        }
    }
}

/// Options about the backend that a tool crawls.
struct BackendOptions: ParsableArguments {
    /// The clients that the backend is for.
    enum DialectChoice: String, ExpressibleByArgument, CaseIterable {
        case auto, documented, objects

        /// nil for the dialect that the pages are found to speak.
        var name: String? { self == .auto ? nil : rawValue }
    }

    @Option(
        name: .customLong("protocol"),
        help: "The protocol of the backend; auto detects it from the response at the URL."
    )
    var wire = ProtocolChoice.auto

    @Option(help: "The clients that an Applin backend is for; auto takes the dialect of the first action.")
    var dialect = DialectChoice.auto

    @Option(help: "The shortest time of a slow response, in milliseconds.")
    var slowMs = 1000

    /// Whether an option isn't the default.
    var isGiven: Bool { wire.chosen != nil || dialect != .auto || slowMs != 1000 }

    func validate() throws { try Arguments.check("--slow-ms", slowMs, in: 1...600_000, "number of milliseconds") }

    /// The shortest time of a slow response.
    var slow: Duration { .milliseconds(slowMs) }
}

/// The limits of a crawl.
struct CrawlBounds: ParsableArguments {
    @Option(help: "The most pages to request.")
    var maxPages = 1000

    @Option(help: "The longest run, in seconds.")
    var maxSeconds = 300.0

    /// Whether a limit isn't the default.
    var isGiven: Bool { maxPages != 1000 || maxSeconds != 300 }

    func validate() throws {
        try Arguments.check("--max-pages", maxPages, in: 1...100_000)
        try Arguments.check("--max-seconds", maxSeconds, in: 0.1...86_400, "number of seconds")
    }

    /// The longest time for the whole crawl.
    var time: Duration { .milliseconds(Int(maxSeconds * 1000)) }
}

/// The servers to trust over https.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file with the certificates in PEM form that are trusted over https, instead of the system's.",
            valueName: "file"
        ),
        completion: .file()
    )
    var certificates: String?

    @Flag(help: "Trust every certificate over https.")
    var trustAnyone = false

    var isGiven: Bool { certificates != nil || trustAnyone }

    func validate() throws {
        guard certificates == nil || !trustAnyone else {
            throw ValidationError("--certificates and --trust-anyone exclude each other: write one of them.")
        }
    }

    /// The servers to trust.
    ///
    /// - Throws: `ValidationError` for certificates that can't be read.
    var servers: ServerTrust {
        get throws {
            guard let certificates else { return trustAnyone ? .anyone : .system }
            do throws(TLSError) {
                return .only(try TLSTrust(.file(certificates)))
            } catch {
                throw ValidationError("--certificates '\(certificates)' \(error.reason): \(error.fix).")
            }
        }
    }
}

/// The user's promise that tools require if they could harm a server.
struct OwnershipOption: ParsableArguments {
    @Flag(name: .customLong("i-own-this"), help: "Allow a server that isn't on this machine. Only do this to your own.")
    var isOwner = false

    /// Refuses a server on another machine, unless the user has claimed to own it.
    func permit(_ server: HTTPURL) throws {
        guard !isOwner, server.host != "localhost", !LocalAccess.isLoopback(server.host) else { return }
        throw ValidationError(
            "\(server.host) isn't this machine: if the server is yours and may be harmed, write --i-own-this."
        )
    }
}

/// The findings that a command leaves out.
struct ExpectOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "An expected finding, by its rule, or by its rule and path: server-error:/status. May be repeated.",
            valueName: "finding"
        )
    )
    var expect: [String] = []
}
