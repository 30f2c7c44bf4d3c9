import Backlot
import Floki
import Logging

/// Keeps the newspaper up to date: each minute it publishes a report from a news agency, in both languages at once, and the scheduled
/// stories that are due.
///
/// Several servers may publish into one store. The first server that records a minute there publishes its report, so that no report
/// appears twice. Stopped servers don't catch up: readers want news.
struct NewspaperPublisher: Sendable {
    /// The seconds between two reports.
    static let interval = 60
    /// The lifetime of a report, in seconds. Reports and the stock fill the first window of the news.
    static let lifetime = 20 * 60
    /// The seconds between two calls of the store for due stories.
    static let schedule = 5
    /// The reports of the news agency: small and invented. Sections take turns.
    static let reports = NewspaperReport.all(in: "reports.txt")
    /// The feed that has the last minute. Apps can't have it: names of feeds don't begin with a point.
    private static let minutes = ".wire"

    let app: NewspaperApp
    /// Whether reports are published; scheduled stories are published in any case.
    var hasReports = true
    var clock = SessionClock.system
    var logger = Logger(label: "backlot.newspaper")

    private var store: any FeedStore { app.news.store }

    /// Fills a new store before the first readers come, if the store can be reached.
    func begin() async {
        do {
            try await NewspaperStock.fill(app)
        } catch {
            logger.warning("the newspaper's feeds can't be filled for now: \(error)")
        }
    }

    /// Publishes until the task is cancelled, and fills a new store that could not be reached before.
    ///
    /// - Parameter sleep: waits for some seconds. It throws when the task is cancelled.
    func run(sleep: (Int) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }) async {
        var isFilled = false
        var isFailing = false
        var minute = clock.secondsSince1970 / Self.interval
        while !Task.isCancelled {
            let now = clock.secondsSince1970
            do {
                if !isFilled {
                    try await NewspaperStock.fill(app)
                    isFilled = true
                }
                _ = try await store.publishDrafts(dueAt: now)
                if hasReports, now / Self.interval != minute {
                    minute = now / Self.interval
                    try await publish(minute: minute)
                }
                isFailing = false
            } catch {
                // While a database is unavailable, one line is enough.
                if !isFailing, !Task.isCancelled { logger.warning("the newspaper can't publish for now: \(error)") }
                isFailing = true
            }
            do { try await sleep(Self.schedule - now % Self.schedule) } catch { return }
        }
    }

    /// Publishes the report of a minute, unless another server has done so.
    ///
    /// A stored minute that is further ahead than the lifetime of a report comes from a wrong clock, and doesn't count.
    ///
    /// - Parameter minute: minutes since 1970.
    /// - Returns: the number of the new story; nil if another server publishes it.
    @discardableResult
    func publish(minute: Int) async throws -> Int? {
        let stream = FeedStream(feed: Self.minutes, language: FeedStream.shared)
        let query = EntryQuery(stream: stream, ids: [1], limit: 1, now: clock.secondsSince1970)
        let last = try await store.entries(query).first
        let ahead = (last?.sortID ?? 0) - minute
        guard ahead < 0 || ahead > Self.lifetime / Self.interval else { return nil }
        let claim = StoredEntry(id: 1, sortID: minute, wire: Array("{}".utf8))
        let language = stream.language
        do {
            try await store.apply(
                [
                    .expect(id: 1, language: language, revision: last?.revision ?? 0), .save(claim, language: language),
                ],
                to: Self.minutes
            )
        } catch is FeedConflict {
            return nil
        }
        // Before 1970, minutes are negative, and so are their remainders. Clients take no such date.
        let report = Self.reports[Int(minute.magnitude) % Self.reports.count]
        let id = try await app.news.allocateID()
        let end = Date(timeIntervalSince1970: Double(max(1, minute * Self.interval + Self.lifetime)))
        try await app.news.save(report.item(id, "en").expires(at: end), texts: report.texts)
        return id
    }
}
