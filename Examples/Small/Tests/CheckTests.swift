// Checks in a test: what clients would reject, and what only a long walk finds. Each takes a router, or the URL of any backend.
import Backlot
import BacklotChecks
import Testing
import Xpedite

@testable import applin_tasks
@testable import xpedite_customers

@Suite(.timeLimit(.minutes(5))) struct CheckTests {
    /// Makes every page once, in this process: the quickest check.
    @Test func `No page has an error`() async {
        let report = await applin_tasks.makeRouter().check()
        #expect(!report.hasErrors, "\(report)")
    }

    /// Goes from link to link, as a client does, and calls rpcs and methods too.
    @Test func `Every link leads somewhere`() async throws {
        var options = CrawlOptions()
        options.callsRPCs = true
        options.slow = .seconds(60)
        let report = try await Crawl(applin_tasks.makeRouter(), options: options).report()
        #expect(report.isClean, "\(report)")
    }

    @Test func `Every method responds with a page`() async throws {
        var options = CrawlOptions()
        options.slow = .seconds(60)
        let router = xpedite_customers.makeRouter()
        let report = try await Crawl(router, at: "/xpedite", as: .xpedite, options: options).report()
        #expect(report.isClean, "\(report)")
    }

    /// Does what users do, in any order: the same steps for the same seed.
    @Test(arguments: 1...3 as ClosedRange<UInt64>) func `Three hundred steps find no mistake`(seed: UInt64) async throws
    {
        var options = ExploreOptions(seed: seed)
        options.maximumSteps = 300
        options.slow = .seconds(60)
        let report = try await Explore(applin_tasks.makeRouter(), options: options).report()
        #expect(report.isClean, "\(report)")
    }
}
