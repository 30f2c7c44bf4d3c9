public import Backlot
internal import BacklotChecks
internal import BacklotClients

#if !Service
#error("BacklotLoad needs the trait Service: name it, or no traits at all, where your package names backlot")
#endif

/// Loads a running server with very many phones, and measures their waiting times.
///
/// A phone is an Applin app without a screen: a stack of pages, variables, cookies, and the refreshes of pages with
/// `poll_seconds`. It takes its next step at a time that is fixed in advance, however slow the server is. Latency counts from
/// that time, so a server that stalls can't hide the delay by holding phones back (no coordinated omission).
///
/// ```swift
/// var options = LoadOptions()
/// options.phones = 10_000
/// options.rate = 2000
/// let report = try await Load("http://127.0.0.1:8080/", options: options).report()
/// #expect(report.isClean, "\(report)")
/// ```
public struct Load: Sendable {
    /// The options of the load.
    public let options: LoadOptions
    /// The flows that phones run.
    public let flows: [LoadFlow]
    let url: HTTPURL
    let trust: ServerTrust
    /// The handler to serve during the load; nil for a server elsewhere.
    private var handler: (any Handler)?

    /// Creates a load of any server.
    ///
    /// - Parameters:
    ///   - url: the app's base URL, such as `http://127.0.0.1:8080/`; for flows of plain requests any URL of the server.
    ///   - flows: the flows that phones run. If empty, phones wander through an Applin app, or request `url` repeatedly from any
    ///     other server.
    ///   - trust: the TLS servers to trust.
    /// - Throws: `ClientError.invalidURL`; `LoadError` for an invalid option or flow.
    public init(
        _ url: String,
        flows: [LoadFlow] = [],
        trusting trust: ServerTrust = .system,
        options: LoadOptions = LoadOptions()
    ) throws {
        try self.init(HTTPURL(url), flows, trust, options)
    }

    /// Creates a load of an app in this process, which serves it on a free port of this machine during the load. Its processor
    /// time counts as the phones'.
    ///
    /// - Parameters:
    ///   - router: the router with the app's routes.
    ///   - path: the path of the app's base URL, such as `/` or `/travel/`.
    /// - Throws: `StartupError`, which lists the mistakes in the registered routes; `ClientError.invalidURL`; `LoadError`.
    public init(
        _ router: Router,
        at path: String = "/",
        flows: [LoadFlow] = [],
        options: LoadOptions = LoadOptions()
    ) throws {
        let handler = router.handler()
        try handler.prepare()
        try self.init(HTTPURL("http://127.0.0.1/").resolving(path), flows, .system, options)
        self.handler = handler
    }

    private init(_ url: HTTPURL, _ flows: [LoadFlow], _ trust: ServerTrust, _ options: LoadOptions) throws {
        (self.url, self.flows, self.trust, self.options) = (url, flows, trust, options)
        try options.check()
        for flow in flows {
            try flow.check()
            if flow.sample.contains(where: \.needsApp) { _ = try BaseURL(self.url) }
        }
    }

    /// Loads the server.
    ///
    /// Cancelling the task ends the load at once; the report then covers the time until the cancellation.
    ///
    /// - Parameter progress: a closure that is called about once a second.
    public func report(progress: (LoadProgress) -> Void = { _ in }) async -> LoadReport {
        guard let handler else { return await LoadRun(self).report(progress) }
        do {
            return try await Server(handler, port: 0).serve { address in
                let there = try Load(HTTPURL("http://\(address)/").resolving(url.target), flows, trust, options)
                return await LoadRun(there).report(progress)
            }
        } catch {
            return LoadReport(self, flows: flows, unreachable: .notConnected("\(error)"))
        }
    }
}

/// An invalid option or flow of a load.
public struct LoadError: Error, Equatable, CustomStringConvertible {
    /// The mistake, and how to correct it.
    public let description: String
}

extension LoadOptions {
    func check() throws(LoadError) {
        func refuse(_ isRefused: Bool, _ text: String) throws(LoadError) {
            if isRefused { throw LoadError(description: text) }
        }
        try refuse(!(1...1_000_000).contains(phones), "\(phones) phones: write a number from 1 to 1,000,000")
        try refuse(!(0.1...86_400).contains(duration.inSeconds), "a load takes from 0.1 seconds to a day")
        if let rate { try refuse(!(0.001...1e6).contains(rate), "a rate is from 0.001 to 1,000,000 steps a second") }
        try refuse(!(0.001...86_400).contains(think.inSeconds), "a think time is from 0.001 seconds to a day")
        if let ramp { try refuse(!(0...86_400).contains(ramp.inSeconds), "a ramp takes from 0 seconds to a day") }
        if let waves { try refuse(!(1...10_000).contains(waves), "there are from 1 to 10,000 waves") }
        if let threads { try refuse(!(1...64).contains(threads), "there are from 1 to 64 threads") }
        guard let connections else { return }
        try refuse(!(1...100_000).contains(connections), "there are from 1 to 100,000 connections")
        let room = Self.allowedConnections
        try refuse(
            connections > room,
            "\(connections) connections: this process may open \(room) at most. Raise that with 'ulimit -n "
                + "\(connections + 100)', or allow fewer connections"
        )
    }
}

extension LoadFlow {
    var sample: [LoadStep] { steps(User(phone: 0, run: 0, id: "0-0-0")) }

    func check() throws(LoadError) {
        let steps = sample
        guard weight > 0, weight.isFinite else {
            throw LoadError(description: "the flow '\(name)' has the weight \(weight): write a number above 0")
        }
        guard steps.contains(where: { !$0.isEntry && !$0.isWait }) else {
            throw LoadError(description: "the flow '\(name)' has no step that sends a request")
        }
        if let first = steps.first(where: \.needsApp), !first.isLaunch {
            throw LoadError(description: "the flow '\(name)' doesn't begin with a launch, but with: \(first)")
        }
    }
}

/// The progress of a load, with the measurements of the last second.
public struct LoadProgress: Sendable {
    /// The time since the beginning.
    public let elapsed: Duration
    /// The number of phones launched so far.
    public let phones: Int
    /// The number of requests that failed in the last second.
    public let errors: Int
    /// The latencies that half of the requests, 99 % and 99.9 % of the last second don't exceed, in milliseconds. Requests that
    /// have waited for more than a second count too.
    public let p50: Double, p99: Double, p999: Double
    /// The server's use of processors: 1 is all of one processor. nil if the server doesn't publish it.
    public let serverProcessors: Double?
    /// The server's memory in bytes; nil if the server doesn't publish it.
    public let serverMemory: Int?
    /// The exact length of the interval, in seconds.
    let length: Double
    let requests: Int
    /// The longest latency, in milliseconds.
    let max: Double
    /// The number of requests in flight at the end of the interval, and of those waiting for a connection.
    let running: Int, waiting: Int

    init(_ interval: LoadInterval, from start: Int64, to end: Int64, phones: Int, gauges: ServerGauges.Sample?) {
        (elapsed, length, self.phones) = (.nanoseconds(end), Double(end - start) / 1e9, phones)
        var latencies = interval.latencies
        latencies.add(interval.ages)
        let latency = LoadReport.Latency(latencies)
        (p50, p99, p999) = (latency.percentile(50), latency.percentile(99), latency.percentile(99.9))
        max = latency.max
        (requests, errors) = (interval.requests, interval.errors)
        (running, waiting) = (interval.running, interval.waiting)
        (serverProcessors, serverMemory) = (gauges?.cpu, gauges?.memory.map { Int($0) })
    }

    /// The number of responses per second, failed requests included.
    public var requestsPerSecond: Double { length > 0 ? Double(requests) / length : 0 }
}
