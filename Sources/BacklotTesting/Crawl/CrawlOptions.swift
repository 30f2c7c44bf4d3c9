public import Applin

/// How far a crawl goes, and what it complains about.
public struct CrawlOptions: Sendable {
    /// How many pages are asked for at most.
    public var maximumPages = 1000
    /// The longest time for all of it.
    public var maximumTime = Duration.seconds(300)
    /// The time from which on an answer is slow.
    public var slow = Duration.seconds(1)
    /// Whether rpcs are called, each once, with the variables of a page that nobody has touched.
    public var callsRPCs = false
    /// Which clients the backend is for; nil: the first page with an action tells it.
    public var dialect: Dialect?
    /// How much is taken of the backend with each request, and how long it is waited for.
    public var limits = ClientLimits()

    /// The default options; a request may take 10 seconds.
    public init() {
        limits.total = .seconds(10)
    }
}
