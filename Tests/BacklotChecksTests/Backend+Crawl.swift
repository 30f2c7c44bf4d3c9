import Backlot
import BacklotChecks
import BacklotClients
import ClientTestSupport

extension Backend {
    /// The report of a crawl of this backend, in process.
    func crawl(
        at basePath: String = "/",
        _ configure: (inout CrawlOptions) -> Void = { _ in }
    ) async throws -> CrawlReport {
        var options = CrawlOptions()
        options.slow = .seconds(60)
        configure(&options)
        let url = String(InProcessTransport.root.dropLast()) + basePath
        return try await Crawl(url, transport: InProcessTransport(handler), options: options).report()
    }
}

extension CrawlReport {
    /// The page and the rule of each finding.
    var pageRules: [String] { findings.map { "\($0.path.page) \($0.rule)" } }
}
