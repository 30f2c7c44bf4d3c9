import Backlot
import BacklotChecks
import DynamicViews
import Floki
import Testing
import Xpedite

@testable import demo_server

/// The findings of an exploration of the demo, and of copies with mistakes.
@Suite(.timeLimit(.minutes(20))) struct ExploreDemoTests {
    /// Mistakes that the demo makes on purpose, for clients to try. The exploration leaves them out.
    static let onPurpose = ["/status", "/broken", "/slow", "/failing_poll", "/server_error", "/misbehaviour"]

    static func options(steps: Int, seed: UInt64 = 1) -> ExploreOptions {
        var options = ExploreOptions(seed: seed)
        options.maximumSteps = steps
        options.maximumTime = .seconds(600)
        options.forbidden = onPurpose
        options.slow = .seconds(60)
        options.expected = ["broken-action:/page_stack"]
        return options
    }

    /// A mistake, and the steps of the way to it; nil where it isn't found.
    private struct Outcome: Sendable {
        let bug: SeededBug
        var steps: Int?
        var isFlaky = false
    }

    private static func outcome(_ bug: SeededBug) async throws -> Outcome {
        var options = options(steps: 1500)
        options.maximumFindings = 1
        // Else a busy machine is taken for a slow backend.
        if bug.rules.contains("slow-step") { options.slow = .milliseconds(300) }
        let report = try await Explore(bug.router(), at: DemoMount.objects.path, options: options).report()
        let found = report.discoveries.first {
            bug.rules.contains($0.finding.rule) && $0.finding.path.page.hasPrefix(bug.page)
        }
        return Outcome(bug: bug, steps: found?.steps.count, isFlaky: found?.isFlaky ?? false)
    }

    @Test func `Most mistakes are found within 1500 steps, by short ways`() async throws {
        let next = Locked(SeededBug.all.filter { !SeededBug.rare.contains($0.name) })
        let outcomes = try await withThrowingTaskGroup(of: [Outcome].self) { group in
            for _ in 0..<2 {
                group.addTask {
                    var outcomes: [Outcome] = []
                    while let bug = next.withLock({ $0.popLast() }) { outcomes.append(try await Self.outcome(bug)) }
                    return outcomes
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let lengths = outcomes.compactMap(\.steps).sorted()
        let missed = outcomes.filter { $0.steps == nil }.map(\.bug.name)
        #expect(outcomes.count >= 30)
        #expect(missed.count * 7 <= outcomes.count, "not found: \(missed)")
        #expect(lengths[lengths.count / 2] <= 6, "\(lengths)")
        #expect(outcomes.count { $0.isFlaky } <= 1)
    }

    @Test(arguments: DemoMount.all)
    func `The demo has no findings`(mount: DemoMount) async throws {
        let router = Router.demo()
        let report = try await Explore(router, at: mount.path, options: Self.options(steps: 1000, seed: 3)).report()
        #expect(report.isClean, "\(report)")
        #expect(report.pageCount >= 40)
    }

    @Test(arguments: [
        (AppProtocol.xpedite, CustomerApp.path), (.floki, NewspaperApp.indicatorPath), (.dynamicViews, ShopApp.path),
    ])
    func `The demo's apps of other protocols have no findings`(wire: AppProtocol, path: String) async throws {
        let router = Router.demo()
        let report = try await Explore(router, at: path, as: wire, options: Self.options(steps: 300)).report()
        #expect(report.isClean, "\(report)")
        #expect(report.pageCount >= 2)
    }
}
