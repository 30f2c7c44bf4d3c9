internal import BacklotChecks
internal import BacklotClients
internal import BacklotHTTP
internal import HTTPTypes

/// One run of a load, from beginning to end.
struct LoadRun {
    private static let second: Int64 = 1_000_000_000
    /// The number of intervals that the condition of `abort` covers.
    private static let lookBack = 5

    private let load: Load
    private var options: LoadOptions { load.options }
    private let transport: SocketTransport

    init(_ load: Load) {
        self.load = load
        transport = SocketTransport(trusting: load.trust)
    }

    func report(_ progress: (LoadProgress) -> Void) async -> LoadReport {
        let flows: [LoadFlow]
        do throws(ClientError) {
            flows = try await chooseFlows()
        } catch {
            guard error != .cancelled else { return LoadReport(load, flows: load.flows, end: .interrupted) }
            return LoadReport(load, flows: load.flows, unreachable: error)
        }
        let gauges = await ServerGauges(options.metrics ?? metricsURL, over: transport, .seconds(2))
        let watch = Task { await gauges?.watch() }
        let cpuBefore = ProcessUsage.cpu
        let id = String(RequestLoop.now, radix: 36)
        var loops: [RequestLoop] = []
        do throws(ClientConnectionError) {
            for number in 0..<threads { loops.append(try await loop(number)) }
        } catch {
            watch.cancel()
            return LoadReport(load, flows: flows, unreachable: ClientError(error))
        }
        // The plan starts only now: looking up the host's addresses may take long, and isn't the server's slowness.
        let plan = LoadPlan(
            base: load.url,
            flows: flows,
            options: options,
            id: id,
            start: RequestLoop.now + Self.second / 20
        )
        let workers = loops.enumerated().map { LoadWorker(plan, on: $1, first: $0, stride: loops.count) }
        for worker in workers { worker.start() }
        var seconds: [LoadProgress] = []
        var recent: [LoadInterval] = []
        var launched = 0
        var last = plan.start
        var ended: LoadReport.End?
        var abortReason: String?
        while ended == nil {
            let next = min(last + Self.second, plan.end)
            try? await Task.sleep(for: .nanoseconds(max(0, next - RequestLoop.now)))
            let interval = await Self.interval(workers)
            let now = RequestLoop.now
            launched += interval.launched
            let second = LoadProgress(
                interval,
                from: last - plan.start,
                to: now - plan.start,
                phones: launched,
                gauges: gauges?.takeLatest()
            )
            last = now
            if seconds.count < LoadReport.mostSeconds { seconds.append(second) }
            progress(second)
            recent.append(interval)
            if recent.count > Self.lookBack { recent.removeFirst() }
            abortReason = judge(recent)
            if Task.isCancelled {
                ended = .interrupted
            } else if abortReason != nil {
                ended = .abort
            } else if now >= plan.end {
                ended = .time
            }
        }
        let measured = RequestLoop.now - plan.start
        let patience = ended == .time ? options.limits.total : .zero
        var figures = LoadFigures()
        for part in await Self.finish(workers, patience) { figures.add(part) }
        watch.cancel()
        if ended != .interrupted { await gauges?.read() }
        return LoadReport(
            load,
            flows: flows,
            figures: figures,
            seconds: seconds,
            duration: .nanoseconds(max(1, min(measured, options.duration.inNanoseconds))),
            end: ended ?? .time,
            abortReason: abortReason
                ?? options.abort?
                .judged(figures.latencies, errors: figures.errors, of: figures.responseCount),
            clientCPU: ProcessUsage.cpu - cpuBefore,
            server: gauges?.summary ?? ServerGauges.Summary()
        )
    }

    // MARK: The server

    /// The given flows, or default flows for the kind of server. Its request also checks that the server responds at all.
    private func chooseFlows() async throws(ClientError) -> [LoadFlow] {
        let isApp = load.flows.isEmpty || load.flows.contains { $0.sample.contains(where: \.needsApp) }
        var session = ClientSession(transport, limits: options.limits)
        let type = isApp ? ResponseInspector.pageType : "*/*"
        let response = try await session.send(ClientRequest(.get, load.url, headers: [.accept: type]), now: 0)
        guard load.flows.isEmpty else { return load.flows }
        let isPage = response.response.mediaType == ResponseInspector.pageType && load.url.path.hasSuffix("/")
        return isPage ? [.wandering] : [.get(load.url.target)]
    }

    private var metricsURL: HTTPURL? { try? load.url.resolving("/metrics") }

    // MARK: The threads

    private var threads: Int {
        let wanted = options.threads ?? max(1, min(Processors.count, Int(options.stepsPerSecond / 20_000)))
        return min(wanted, options.phones, options.mostConnections)
    }

    private func loop(_ number: Int) async throws(ClientConnectionError) -> RequestLoop {
        let limits = options.limits
        return try await RequestLoop(
            name: "backlot.load.\(number)",
            host: load.url.host,
            port: load.url.port,
            over: load.url.scheme == .https ? .trusting(load.trust) : nil,
            versions: .any,
            bounds: ClientBounds(head: limits.head, body: limits.body, idle: limits.idle, total: limits.total),
            mostConnections: max(1, options.mostConnections / threads)
        )
    }

    private static func interval(_ workers: [LoadWorker]) async -> LoadInterval {
        var sum = LoadInterval()
        for worker in workers { sum.add(await worker.takeInterval()) }
        return sum
    }

    private static func finish(_ workers: [LoadWorker], _ patience: Duration) async -> [LoadFigures] {
        await withTaskGroup(of: LoadFigures.self) { group in
            for worker in workers { group.addTask { await worker.finish(patience: patience) } }
            return await withTaskCancellationHandler {
                await group.reduce(into: []) { $0.append($1) }
            } onCancel: {
                for worker in workers { worker.hurry() }
            }
        }
    }

    private func judge(_ recent: [LoadInterval]) -> String? {
        guard let abort = options.abort else { return nil }
        var sum = LoadInterval()
        for interval in recent { sum.add(interval) }
        if let newest = recent.last { sum.latencies.add(newest.ages) }
        return abort.judged(sum.latencies, errors: sum.errors, of: sum.requests)
    }
}
