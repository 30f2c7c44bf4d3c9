public import Backlot
internal import BacklotChecks
internal import BacklotClients

#if !Service
#error("BacklotLoad needs the trait Service: name it, or no traits at all, where your package names backlot")
#endif

/// Loads a running server with very many phones, and measures how long they wait.
///
/// A phone is an Applin app without a screen: pages on a stack, variables, cookies, and the refreshes that `poll_seconds` asks for.
/// It takes its next step at a time that was fixed before, however slow the server is, and how long a request takes is counted from
/// that time: a server that stalls can't hide it by keeping phones from asking (no coordinated omission).
///
/// ```swift
/// var options = LoadOptions()
/// options.phones = 10_000
/// options.rate = 2000
/// let report = try await Load("http://127.0.0.1:8080/", options: options).report()
/// #expect(report.isClean, "\(report)")
/// ```
public struct Load: Sendable {
    /// How the server is loaded.
    public let options: LoadOptions
    /// What the phones do.
    public let flows: [LoadFlow]
    let url: HTTPURL
    let trust: ServerTrust
    /// What is served while the load lasts; nil for a server elsewhere.
    private var handler: (any Handler)?

    /// A load of any server.
    ///
    /// - Parameters:
    ///   - url: the app's base URL, such as `http://127.0.0.1:8080/`; for flows of plain requests any URL of the server.
    ///   - flows: what phones do; none: phones wander through an Applin app, and ask any other server for `url` again and again.
    ///   - trust: the servers that are trusted over TLS.
    /// - Throws: `ClientError.invalidURL`, and `LoadError` where an option or a flow can't be.
    public init(
        _ url: String,
        flows: [LoadFlow] = [],
        trusting trust: ServerTrust = .system,
        options: LoadOptions = LoadOptions()
    ) throws {
        try self.init(HTTPURL(url), flows, trust, options)
    }

    /// A load of an app in this process, which is served on a free port of this machine meanwhile. Its processor time counts among
    /// the phones'.
    ///
    /// - Parameters:
    ///   - router: has the app's routes.
    ///   - path: the path of the app's base URL, such as `/` or `/travel/`.
    /// - Throws: `StartupError`, which lists the mistakes in what was registered; `ClientError.invalidURL`; `LoadError`.
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
    /// Where the task is cancelled, it ends at once, and the report has what was measured until then.
    ///
    /// - Parameter progress: is called about every second.
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

/// An option or a flow of a load that can't be.
public struct LoadError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, and what to write.
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
            throw LoadError(description: "the flow '\(name)' has no step that asks the server")
        }
        if let first = steps.first(where: \.needsApp), !first.isLaunch {
            throw LoadError(description: "the flow '\(name)' doesn't begin with a launch, but with: \(first)")
        }
    }
}

/// How far a load has come, and what was measured in the last second.
public struct LoadProgress: Sendable {
    /// Since the beginning.
    public let elapsed: Duration
    /// How many phones are launched.
    public let phones: Int
    /// How many requests failed in the last second.
    public let errors: Int
    /// The times of the last second that half of the requests, 99 % and 99.9 % don't exceed, in milliseconds. What has been without an
    /// answer for more than a second is among them.
    public let p50: Double, p99: Double, p999: Double
    /// How much of one processor the server used, 1 for all of it; nil where it doesn't say so.
    public let serverCPU: Double?
    /// The server's memory in bytes; nil where it doesn't say so.
    public let serverMemory: Int?
    /// How long the second was, in seconds.
    let length: Double
    let requests: Int
    /// In milliseconds.
    let max: Double
    /// How many requests were under way at its end, and how many waited for a connection.
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
        (serverCPU, serverMemory) = (gauges?.cpu, gauges?.memory.map { Int($0) })
    }

    /// How many requests were answered in a second, those included that failed.
    public var requestsPerSecond: Double { length > 0 ? Double(requests) / length : 0 }
}
