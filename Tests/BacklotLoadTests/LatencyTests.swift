import Backlot
import BacklotChecks
import BacklotClients
import TestSupport
import Testing

@testable import BacklotLoad

/// Measurements of servers with known delays.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LatencyTests {
    /// The times of a server by its own clock, in milliseconds.
    private final class Truth: Sendable {
        private let times = Locked<[Double]>([])
        private let count = Locked(0)

        func note(since start: ContinuousClock.Instant) {
            let time = start.duration(to: .now)
            times.withLock {
                $0.append(Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1e3)
            }
        }

        /// The number of the next request.
        func next() -> Int {
            count.withLock { count in
                defer { count += 1 }
                return count
            }
        }

        func percentile(_ percent: Double) -> Double {
            let sorted = times.withLock { $0 }.sorted()
            guard !sorted.isEmpty else { return 0 }
            return sorted[min(sorted.count - 1, Int((Double(sorted.count) * percent / 100).rounded(.up)) - 1)]
        }
    }

    /// Serves a path without a delay and a slow one, and loads those of the flows.
    private func load(
        serving slow: @escaping @Sendable () async throws -> Void = {},
        flows: [LoadFlow] = [.get("/slow")],
        configuration: ServerConfiguration = ServerConfiguration(),
        _ change: (inout LoadOptions) -> Void,
        _ body: (Load) async throws -> LoadReport = { await $0.report() }
    ) async throws -> LoadReport {
        let router = Router()
        router.get("/") { _ in .text("") }
        router.get("/slow") { _ in
            try await slow()
            return .text("")
        }
        var options = LoadOptions()
        change(&options)
        return try await withServer(router.handler(), configuration: configuration) { address in
            try await body(Load("http://\(address)/", flows: flows, options: options))
        }
    }

    /// A program under a sanitizer bears less: phones then ask more rarely, and for longer.
    private let patience = Patience.factor

    /// A busy machine delays requests by itself. What it adds shows in those for a path without a delay, which the same phones make
    /// in between. A single disturbance may still hit one path only, so one of some runs must be right.
    @Test func `Known delays are measured as they are`() async throws {
        var tried: [String] = []
        for _ in 0..<6 {
            let truth = Truth()
            @Sendable func response() async throws {
                let start = ContinuousClock.now
                try await Task.sleep(for: .milliseconds(truth.next() % 20 == 7 ? 300 : 60))
                truth.note(since: start)
            }
            let report = try await load(serving: response, flows: [.get("/slow"), .get("/")]) {
                $0.phones = 100
                $0.rate = 200 / Double(patience)
                $0.duration = .seconds(4) * patience
                $0.metrics = nil
            }
            let slow = try #require(report.steps.first { $0.name == "GET /slow" }).latency
            let added = try #require(report.steps.first { $0.name == "GET /" }).latency.percentile(99)
            let isRight = [50.0, 99].allSatisfy { percent in
                let right = truth.percentile(percent)
                let error = max(0.5, right * 0.02) * Double(patience)
                return (right - error...right + error + added).contains(slow.percentile(percent))
            }
            // A machine that adds more could hide a delay that the phones invent.
            let isCalm = added <= 30 * Double(patience)
            if isRight, isCalm, report.isClean, (720...880).contains(report.requests) { return }
            let percentiles = [50.0, 99].map { "p\($0) \(slow.percentile($0)) of \(truth.percentile($0))" }
            tried.append("\(percentiles), \(added) added: \(report)")
        }
        Issue.record("\(tried)")
    }

    /// Fifty phones want eight steps each while the server stalls: one that counts from the sending would show fifty slow requests.
    ///
    /// All bounds but the last are lower bounds: on a busy machine, the figures only rise.
    @Test func `A stall shows in all that wanted to ask in it`() async throws {
        let first = Locked<ContinuousClock.Instant?>(nil)
        let (from, to) = (Duration.milliseconds(1200), Duration.milliseconds(2200))
        @Sendable func response() async throws {
            let start = first.withLock { first in
                let start = first ?? .now
                first = start
                return start
            }
            let now = start.duration(to: .now)
            if now >= from, now < to { try await Task.sleep(for: to - now) }
        }
        let report = try await load(serving: response) {
            $0.phones = 50
            $0.rate = 400 / Double(patience)
            $0.duration = .seconds(3)
        }
        #expect(report.latency.count >= 1080 / patience, "\(report)")
        // A third of all: 380 of 400 have waited for at least 50 ms of the second.
        #expect(report.latency.percentile(100 * (1 - 340.0 / 1200)) > 50, "\(report)")
        #expect(report.latency.percentile(99) > 800, "\(report)")
        #expect(report.latency.max > 950, "\(report)")
        // The server was slow, and not this machine: else a third of all would have been sent late.
        #expect(report.lateness.percentile(85) < 500 * Double(patience), "\(report)")
    }

    @Test func `What has no response at the end has waited`() async throws {
        let report = try await load(serving: { try await Task.sleep(for: .seconds(3)) }) {
            $0.phones = 10
            $0.rate = 100
            $0.duration = .seconds(1)
            ($0.limits.total, $0.limits.idle) = (.milliseconds(1500), .milliseconds(1500))
        }
        #expect(report.requests == 10)
        // Each of 10 phones would have begun 9 more.
        #expect((60...95).contains(report.unbegun), "\(report)")
        #expect(report.latency.percentile(99) > 900)
        #expect(report.errors + report.withoutResponse == 10, "\(report)")
        #expect(report.findings.map(\.rule).contains("overloaded"), "\(report)")
    }

    @Test func `A cancelled load says what it has measured`() async throws {
        func set(_ options: inout LoadOptions) {
            options.phones = 10
            options.rate = 100
            options.duration = .seconds(60)
        }
        let report = try await load(set) { load in
            let (running, begun) = AsyncStream.makeStream(of: Void.self)
            let task = Task { await load.report { _ in begun.yield() } }
            for await _ in running { break }
            task.cancel()
            return await task.value
        }
        #expect(report.end == .interrupted)
        #expect(report.requests > 50, "\(report)")
        #expect(report.json["stopped_by"]?.string == "interrupted")
        #expect(report.html.hasSuffix("</html>\n"))
    }

    @Test func `A limit ends a load of a server that hangs`() async throws {
        var configuration = ServerConfiguration()
        configuration.timeouts.drain = .milliseconds(100)
        let hang: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(600)) }
        let report = try await load(serving: hang, configuration: configuration) {
            $0.phones = 5
            $0.rate = 50
            $0.duration = .seconds(60)
            ($0.limits.total, $0.limits.idle) = (.seconds(50), .seconds(50))
            $0.abort = try? AbortCondition("p99 > 200ms")
        }
        #expect(report.end == .abort)
        #expect(report.duration < .seconds(30), "\(report)")
        #expect(report.requestsPerSecond == 0)
    }

    @Test func `A limit ends a load early`() async throws {
        let report = try await load(serving: { try await Task.sleep(for: .milliseconds(100)) }) {
            $0.phones = 50
            $0.rate = 100
            $0.duration = .seconds(60)
            $0.abort = try? AbortCondition("p50 > 50ms")
        }
        #expect(report.end == .abort)
        #expect(report.findings.map(\.rule) == ["abort-on"])
        #expect(report.description.contains("Ended early: p50>50ms."))
    }
}
