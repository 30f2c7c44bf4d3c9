import Backlot
import BacklotChecks
import BacklotClients
import BacklotService

/// The options of each tool that judges a running server.
struct ToolOptions: ParsableArguments {
    /// What tools that go through an app say of its URL.
    static let appURL: ArgumentHelp = """
        The URL of an app: http://127.0.0.1:8080/objects/ for Applin and .../views/ for Dynamic Views, which end in a slash, \
        .../xpedite for Xpedite, .../floki/v1-app for Floki.
        """

    @Option(help: "How the report is written: text, json for programs, junit for CI, or sarif for code scanning.")
    var format = ReportFormat.text

    @Option(help: "How long one request takes at most, in seconds.")
    var timeout = 10.0

    @OptionGroup var trust: TrustOptions

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
    /// - Throws: `ValidationError` for what is no URL, and where certificates are named for a server that has none.
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

/// What a tool is told about the backend that it goes through.
struct BackendOptions: ParsableArguments {
    /// Which clients the backend is for.
    enum DialectChoice: String, ExpressibleByArgument, CaseIterable {
        case auto, documented, objects

        /// nil for the one that pages are found to speak.
        var name: String? { self == .auto ? nil : rawValue }
    }

    @Option(
        name: .customLong("protocol"),
        help: "The protocol of the backend; auto finds it out by what answers at the URL."
    )
    var wire = ProtocolChoice.auto

    @Option(help: "Which clients an Applin backend is for; auto takes the dialect of the first action.")
    var dialect = DialectChoice.auto

    @Option(help: "From how many milliseconds on an answer is slow.")
    var slowMs = 1000

    func validate() throws { try Arguments.check("--slow-ms", slowMs, in: 1...600_000, "number of milliseconds") }

    /// The time from which on an answer is slow.
    var slow: Duration { .milliseconds(slowMs) }
}

/// How far a crawl goes.
struct CrawlBounds: ParsableArguments {
    @Option(help: "How many pages are requested at most.")
    var maxPages = 1000

    @Option(help: "How long it takes at most, in seconds.")
    var maxSeconds = 300.0

    func validate() throws {
        try Arguments.check("--max-pages", maxPages, in: 1...100_000)
        try Arguments.check("--max-seconds", maxSeconds, in: 0.1...86_400, "number of seconds")
    }

    /// The longest time for all of it.
    var time: Duration { .milliseconds(Int(maxSeconds * 1000)) }
}

/// The servers that are trusted over https.
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

    /// The choice.
    ///
    /// - Throws: `ValidationError` where the certificates can't be read.
    var servers: ServerTrust {
        get throws {
            guard let certificates else { return trustAnyone ? .anyone : .system }
            do throws(TLSError) {
                return .only(try TLSTrust(.file(certificates)))
            } catch {
                throw ValidationError("--certificates '\(certificates)' \(error.reason): \(error.cure).")
            }
        }
    }
}

/// The promise that tools ask for which send what a server may not survive.
struct OwnershipOption: ParsableArguments {
    @Flag(name: .customLong("i-own-this"), help: "Allow a server that isn't on this machine. Only do this to your own.")
    var isOwner = false

    /// Refuses a server elsewhere whose owner the user hasn't said to be.
    func permit(_ server: HTTPURL) throws {
        guard !isOwner, server.host != "localhost", !LocalAccess.isLoopback(server.host) else { return }
        throw ValidationError(
            "\(server.host) isn't this machine: if the server is yours and may be harmed, write --i-own-this."
        )
    }
}
