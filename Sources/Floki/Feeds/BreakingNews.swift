import Backlot
public import Logging

/// A newly published entry with a tag that the program watches, such as `breaking`.
public struct BreakingNews<Entry: FeedEntry>: Sendable {
    /// The name of the feed.
    public let feed: String
    /// The number of the entry.
    public let id: Int
    /// The entry in each language that has it, by language code; the code is empty for a feed that all languages share.
    public let entries: [String: Entry]

    /// Creates breaking news, for example to test the function that handles them.
    public init(feed: String, id: Int, entries: [String: Entry]) {
        self.feed = feed
        self.id = id
        self.entries = entries
    }
}

extension Feed {
    /// The maximum number of calls that run at once; others wait.
    private static var mostCalls: Int { 8 }

    /// Calls a function for each entry that is published with a tag from now on, by any server, until the task is cancelled.
    ///
    /// ```swift
    /// let news = NewsFeed("news", in: store)
    /// service.whileServing {
    ///     await news.onBreaking { news in try await push.send(news.entries["en"]?.title ?? "") }
    /// }
    /// try await news.save([item(7, "Ferry sinks", "All are safe.").tags("breaking")], language: "en")
    /// ```
    /// The function runs after its entry is stored; it never delays a save, and its errors are logged. Drafts and scheduled entries
    /// count when they are published. The function runs once for an entry, however often the entry is saved and however many servers
    /// wait for it: servers that share a store agree on the one that calls it. If that server stops during the call, no server
    /// repeats it. While the store is unavailable, the server tries again.
    ///
    /// - Parameters:
    ///   - tag: the tag.
    ///   - logger: gets the errors of the function.
    ///   - action: the function. Several calls may run at once, for different entries.
    public func onBreaking(
        tag: String = "breaking",
        logger: Logger = Logger(label: "backlot.floki"),
        _ action: @escaping @Sendable (BreakingNews<Entry>) async throws -> Void
    ) async {
        await onBreaking(events(), tag: tag, logger: logger, action)
    }

    /// - Parameters:
    ///   - events: the changes of all feeds.
    ///   - pause: the time before the next attempt with a store that has failed. It doubles with each failure, up to 32 times the
    ///     first pause.
    func onBreaking(
        _ events: FeedEvents,
        tag: String,
        logger: Logger,
        pause: Duration = .seconds(1),
        _ action: @escaping @Sendable (BreakingNews<Entry>) async throws -> Void
    ) async {
        var last = store.revision(of: name)
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await event in events where event.feed == name {
                let ids: [Int]
                switch event.kind {
                case .saved: ids = [event.id]
                case .missed:
                    let since = last
                    do {
                        ids = try await repeating(pause, logger) { try await missedIDs(tag, since: since) }
                    } catch {
                        ids = []
                        logger.error("breaking news of the feed '\(name)' may have been missed: \(error)")
                    }
                case .removed, .drafted: ids = []
                }
                last = max(event.revision, last ?? 0)
                let languages = languageNames.union([event.language])
                for id in ids {
                    if running == Self.mostCalls { await group.next() } else { running += 1 }
                    group.addTask {
                        do {
                            let mark = UInt64.random(in: .min ... .max)
                            let news = try await repeating(pause, logger) { try await claim(id, tag, languages, mark) }
                            if let news { try await action(news) }
                        } catch {
                            logger.error("the call for the breaking news \(id) of the feed '\(name)' failed: \(error)")
                        }
                    }
                }
            }
            group.cancelAll()
        }
    }

    /// Calls the store until it succeeds.
    ///
    /// - Throws: ``FeedError`` for an error that another attempt won't mend, and `CancellationError`.
    private func repeating<Result>(
        _ pause: Duration,
        _ logger: Logger,
        _ ask: () async throws -> Result
    ) async throws -> Result {
        var factor = 1
        while true {
            do {
                return try await ask()
            } catch let error where !(error is FeedError || error is CancellationError) {
                let problem = "breaking news of the feed '\(name)' can't be looked up; trying again"
                logger.warning("\(problem): \(error)")
                try await Task.sleep(for: pause * factor)
                factor = min(factor * 2, 32)
            }
        }
    }

    /// The entries with a tag that were published after a revision, found in the store instead of in events, which were lost.
    private func missedIDs(_ tag: String, since revision: Int?) async throws -> [Int] {
        guard let revision else { return [] }
        var ids: Set<Int> = []
        for language in languageNames {
            var query = query(language, tags: ["tag:\(tag)"], limit: 1000)
            repeat {
                let entries = try await store.entries(query)
                ids.formUnion(entries.lazy.filter { $0.revision > revision }.map(\.id))
                query.after = entries.last?.place
            } while query.after != nil
        }
        return ids.sorted()
    }

    /// The entry, if it has the tag and this server is the first to call for it.
    ///
    /// - Parameter number: distinguishes this call's mark from other servers' marks, in case the store keeps the mark but then
    ///   reports a failure.
    private func claim(
        _ id: Int,
        _ tag: String,
        _ languages: Set<String>,
        _ number: UInt64
    ) async throws -> BreakingNews<Entry>? {
        var entries: [String: Entry] = [:]
        for language in languages {
            let query = query(language, ids: [id], tags: ["tag:\(tag)"], limit: 1)
            guard let stored = try await store.entries(query).first else { continue }
            entries[language] = try Entry(stored: stored, of: name)
        }
        guard !entries.isEmpty else { return nil }
        // Apps can't have a feed of this name: names of feeds don't begin with a point. A tag's points are encoded, so that
        // no other tag and feed have the same marks.
        let mark = StoredEntry(id: id, sortID: id, wire: Array(#"{"server":"\#(number)"}"#.utf8))
        do {
            let language = FeedStream.shared
            try await store.apply(
                [.expect(id: id, language: language, revision: 0), .save(mark, language: language)],
                to: ".\(tag.replacing("%", with: "%25").replacing(".", with: "%2E")).\(name)"
            )
        } catch let conflict as FeedConflict {
            guard conflict.stored?.wire == mark.wire else { return nil }
        }
        return BreakingNews(feed: name, id: id, entries: entries)
    }

    /// The feed's languages in the apps of this process, named as in the store.
    private var languageNames: Set<String> { languages == .shared ? [FeedStream.shared] : Set(served.codes) }
}
