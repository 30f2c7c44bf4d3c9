/// How far a crawl has come.
public struct CrawlProgress: Sendable, Equatable {
    /// How many pages were asked for.
    public let pages: Int
    /// How many pages are known that were not asked for yet.
    public let waiting: Int
    /// The page that is asked for now.
    public let path: String
}
