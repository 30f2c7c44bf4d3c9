import TestSupport
import Testing

@testable import Backlot

@Suite(.timeLimit(.minutes(5))) struct HealthTests {
    private struct Away: Error {}

    private static func ask(_ health: HealthChecks, _ path: String) async throws -> (Int, String) {
        let router = Router()
        router.health(health)
        let handler = router.handler()
        let response = try await handler(try Request(.get, path))
        #expect(response.headers[.cacheControl] == "no-store")
        return (response.status.code, response.bodyText)
    }

    @Test func `A server without checks is ready and alive`() async throws {
        #expect(try await Self.ask(HealthChecks(), "/readyz") == (200, "ready"))
        #expect(try await Self.ask(HealthChecks(), "/healthz") == (200, "ok"))
    }

    @Test func `A server whose check fails is alive but not ready`() async throws {
        let isAway = Locked(true)
        let health = HealthChecks(limit: .seconds(60), lifetime: .zero)
        health.add("sessions") { if isAway.withLock({ $0 }) { throw Away() } }
        health.add("disk") {}
        #expect(try await Self.ask(health, "/readyz") == (503, "not ready: the check of sessions failed"))
        #expect(try await Self.ask(health, "/healthz") == (200, "ok"))
        isAway.withLock { $0 = false }
        #expect(try await Self.ask(health, "/readyz") == (200, "ready"))
    }

    @Test func `A check that has passed may fail for the time of grace`() async throws {
        let isAway = Locked(true)
        let health = HealthChecks(limit: .seconds(60), lifetime: .zero, grace: .milliseconds(300))
        health.add("sessions") { if isAway.withLock({ $0 }) { throw Away() } }
        // It hasn't passed yet.
        #expect(try await Self.ask(health, "/readyz").0 == 503)
        isAway.withLock { $0 = false }
        let passed = ContinuousClock.now
        #expect(try await Self.ask(health, "/readyz").0 == 200)
        isAway.withLock { $0 = true }
        while try await Self.ask(health, "/readyz").0 == 200 {}
        #expect(passed.duration(to: .now) >= .milliseconds(300))
        #expect(try await Self.ask(health, "/healthz").0 == 200)
    }

    @Test func `A check that hangs has failed`() async throws {
        let health = HealthChecks(limit: .milliseconds(20))
        health.add("sessions") {
            // Deaf to its cancellation: only the task that it waits for would hear of one.
            await Task { try? await Task.sleep(for: .seconds(3)) }.value
        }
        #expect(try await Self.ask(health, "/readyz") == (503, "not ready: the check of sessions failed"))
    }

    @Test func `A check that still runs isn't started again`() async throws {
        let runs = Locked(0)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let health = HealthChecks(limit: .milliseconds(20), lifetime: .zero)
        health.add("sessions") {
            runs.withLock { $0 += 1 }
            start.yield()
            // Deaf to its cancellation.
            await Task { for await _ in ends {} }.value
        }
        for _ in 0..<3 {
            #expect(try await Self.ask(health, "/readyz") == (503, "not ready: the check of sessions failed"))
        }
        var starts = started.makeAsyncIterator()
        await starts.next()
        #expect(runs.withLock { $0 } == 1)
        end.finish()
        // Once it has ended, it is tried again.
        while runs.withLock({ $0 }) == 1 { _ = await health.problems() }
        await starts.next()
        // On a busy machine, a run may take longer than the limit.
        while try await Self.ask(health, "/readyz") != (200, "ready") {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test func `Checks run once for many requests at a time`() async throws {
        let runs = Locked(0)
        let health = HealthChecks(lifetime: .seconds(3600))
        health.add("sessions") {
            runs.withLock { $0 += 1 }
            await Task.yield()
        }
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { _ = await health.problems() } }
        }
        #expect(runs.withLock { $0 } == 1)
    }

    @Test func `A server that stops is alive but not ready`() async throws {
        let health = HealthChecks()
        health.stop()
        #expect(try await Self.ask(health, "/readyz") == (503, "not ready: the server stops"))
        #expect(try await Self.ask(health, "/healthz") == (200, "ok"))
    }

    @Test func `A server that stops while its checks run isn't ready`() async throws {
        let health = HealthChecks(limit: .seconds(60))
        health.add("sessions") { [weak health] in health?.stop() }
        #expect(try await Self.ask(health, "/readyz") == (503, "not ready: the server stops"))
    }
}
