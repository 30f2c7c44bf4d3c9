import BacklotTesting

/// A line on a terminal that says how far a crawl has come, and that the next one replaces.
final class ProgressLine {
    private static let interval = Duration.milliseconds(100)
    private static let width = 79
    private var last: ContinuousClock.Instant?

    /// nil where nobody would see it.
    init?() {
        guard StandardError.isTerminal else { return nil }
    }

    /// Shows it, but not too often.
    func show(_ progress: CrawlProgress) {
        if let last, last.duration(to: .now) < Self.interval { return }
        last = .now
        StandardError.write("\r\u{1B}[K" + Self.text(progress))
    }

    /// Takes it away.
    func clear() {
        if last != nil { StandardError.write("\r\u{1B}[K") }
    }

    /// The text, no wider than a terminal.
    static func text(_ progress: CrawlProgress) -> String {
        String("pages: \(progress.pages) done, \(progress.waiting) waiting: \(progress.path)".prefix(width))
    }
}
